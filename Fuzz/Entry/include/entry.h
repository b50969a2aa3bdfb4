// Nothing to call: the linker finds the entries by their names.
