internal import EventLoop
internal import Glibc
public import PageKeys

/// A configuration as far as it could be read.
public struct ConfigurationLoad: Sendable {
  public var configuration: Configuration
  /// One line each, with file, line and column.
  public var errors: [String]

  public init(configuration: Configuration, errors: [String]) {
    self.configuration = configuration
    self.errors = errors
  }
}

/// Where profiles and configuration are, in the order in which they are read: the later wins.
public struct ConfigurationFiles: Sendable, Equatable {
  /// Folders of `*.conf`, read in the order of their names.
  public var profiles: String
  public var main: String
  public var local: String

  public init(profiles: String, main: String, local: String) {
    self.profiles = profiles
    self.main = main
    self.local = local
  }

  /// The shipped profiles: `$PAGERD_DEVICES_D`, else `devices.d` beside the build, else the installed folder.
  ///
  /// - Parameters:
  ///   - program: the path of the running program.
  ///   - folder: `/etc/pagerd` unless told otherwise.
  public init(program: String, folder: String = "/etc/pagerd") {
    profiles =
      Environment["PAGERD_DEVICES_D"] ?? ConfigurationFiles.besideBuild(program)
      ?? ConfigurationFiles.besideInstallation(program) ?? "/usr/share/pagerd/devices.d"
    main = folder + "/pagerd.conf"
    local = folder + "/devices.d"
  }

  /// A build lies somewhere below its checkout, which has the profiles beside the manifest.
  private static func besideBuild(_ program: String) -> String? {
    var folder = program[...]
    while let slash = folder.lastIndex(of: "/") {
      folder = folder[..<slash]
      let profiles = folder + "/devices.d"
      if access(folder + "/Package.swift", F_OK) == 0, access(String(profiles), R_OK | X_OK) == 0 {
        return String(profiles)
      }
    }
    return nil
  }

  /// All files that are there, in the order in which they are read.
  public var paths: [String] {
    profilePaths + (access(main, F_OK) == 0 ? [main] : []) + ConfigurationFiles.files(in: local)
  }

  private var profilePaths: [String] { ConfigurationFiles.files(in: profiles) }

  /// Reads the shipped profiles only.
  public func loadProfiles() -> ConfigurationLoad { load(profilePaths) }

  /// `/usr/local/bin/pagerd` has its profiles in `/usr/local/share/pagerd/devices.d`.
  private static func besideInstallation(_ program: String) -> String? {
    let parts = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
    let folder = parts.joined(separator: "/") + "/share/pagerd/devices.d"
    return access(folder, R_OK | X_OK) == 0 ? folder : nil
  }

  /// Reads everything. A file with an error is left out as a whole, and named.
  public func load() -> ConfigurationLoad { load(paths) }

  private func load(_ paths: [String]) -> ConfigurationLoad {
    var load = ConfigurationLoad(configuration: Configuration(), errors: [])
    for path in paths {
      guard let text = Sysfs.text(path) else {
        load.errors.append("\(path): cannot be read: \(SystemError.text(of: Glibc.errno))")
        continue
      }
      do throws(PageKeysError) {
        try load.configuration.add(text, file: path)
      } catch {
        load.errors.append(error.description)
      }
    }
    return load
  }

  private static func files(in folder: String) -> [String] {
    Sysfs.entries(folder).filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }.sorted().map { folder + "/" + $0 }
  }
}
