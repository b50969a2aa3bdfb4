internal import EventLoop

/// Where the settings are kept: `$XDG_CONFIG_HOME/pagerd/reader.conf`, or the same below `~/.config`.
enum SettingsStore {
  /// nil: neither variable is set.
  static var path: String? {
    if let base = Environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return base + "/pagerd/reader.conf" }
    if let home = Environment["HOME"], home.hasPrefix("/") { return home + "/.config/pagerd/reader.conf" }
    return nil
  }

  /// The settings of the file; the defaults without one.
  static func load() throws(ReaderError) -> ReaderSettings {
    guard let path, let text = try UserFile.read(path) else { return ReaderSettings() }
    return try SettingsFile.parse(text, path: path)
  }

  /// For reading: a mistake in the file is told, and keeps nobody from the book.
  static func loadOrDefaults() -> (settings: ReaderSettings, fault: ReaderError?) {
    do throws(ReaderError) {
      return (try load(), nil)
    } catch {
      return (ReaderSettings(), error)
    }
  }

  /// Changes one setting in the file and leaves the rest of it as it was written.
  static func save(_ name: String, of settings: ReaderSettings) throws(ReaderError) {
    guard let path, let value = SettingsFile.value(of: name, in: settings) else { return }
    let text = try UserFile.read(path) ?? ""
    try UserFile.write(SettingsFile.text(text, setting: name, to: value), to: path)
  }
}
