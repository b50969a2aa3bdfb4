print("pagerd")
