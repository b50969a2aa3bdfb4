import PageKeys

/// A configuration and a recording of hostile text: what is read, or an error, and the same error each time.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
  var first = Configuration()
  var second = Configuration()
  let fault = faultOf(text, &first)
  precondition(fault == faultOf(text, &second), "the same text gives another fault")
  precondition(first == second, "the same text gives another configuration")
  _ = try? Configuration.binding(text)
  _ = try? Recording(evemu: [UInt8](UnsafeBufferPointer(start: data, count: size)))
  return 0
}

private func faultOf(_ text: String, _ configuration: inout Configuration) -> PageKeysError? {
  do throws(PageKeysError) {
    try configuration.add(text, file: "fuzz.conf")
    return nil
  } catch {
    return error
  }
}
