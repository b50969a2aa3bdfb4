// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// Checking at run time that accesses do not overlap took a third of a press's instructions, and a twentieth of what it
/// takes to lay out a book. The tests in process run with the check, what is installed without it: what several threads
/// share stands behind a lock, all else is one thread's own.
let unchecked: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

/// A Swift library or executable below `Sources/`.
func module(_ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings + more)
}

func executable(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A C library of the system, with the shims that Swift cannot import.
func system(_ name: String, pkgConfig: String? = nil, apt: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name + "Tests", dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
    swiftSettings: settings)
}

// A target imports only targets that stand below it in this list.
let package = Package(
  name: "pagerd",
  targets: [
    executable("pagerd", ["InputDaemon", "ReaderClient", "EventLoop", "PageKeys", "ReaderIPC", "CLinux"]),
    executable(
      "reader",
      [
        "ReaderClient", "Shelf", "Feeds", "Publication", "Markup", "Typesetting", "Search", "Terminal", "ImageWorker",
        "EventLoop", "ReaderIPC", "Document", "CLinux",
      ]),
    executable("reader-images", ["ImageWorker", "CPixbuf", "CChafa", "CLinux"]),
    module("ReaderClient", ["EventLoop", "ReaderIPC"]),
    module(
      "InputDaemon", ["EventLoop", "PageKeys", "ReaderIPC", "CEvdev", "CUdev", "CSystemd", "CLinux"],
      unchecked),
    module("Shelf", ["Document", "CSQLite", "CLinux"]),
    module("Feeds", ["Markup", "Document"]),
    module("Publication", ["Markup", "Document", "CZlib", "CLinux"], unchecked),
    module("Markup", ["Document", "CXML"], unchecked),
    module("Typesetting", ["Document", "CText"], unchecked),
    module("Search", ["Document", "CPCRE"]),
    module("Terminal", ["EventLoop", "CLinux"]),
    module("ImageWorker", ["EventLoop", "CLinux"]),
    module("EventLoop", ["CLinux"], unchecked),
    module("PageKeys", ["ReaderIPC"]),
    module("ReaderIPC"),
    module("Document"),
    system("CEvdev", pkgConfig: "libevdev", apt: "libevdev-dev"),
    system("CUdev", pkgConfig: "libudev", apt: "libudev-dev"),
    system("CSystemd", pkgConfig: "libsystemd", apt: "libsystemd-dev"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CXML", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
    system("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
    system("CText", pkgConfig: "fribidi", apt: "libfribidi-dev"),
    system("CPCRE", pkgConfig: "libpcre2-8", apt: "libpcre2-dev"),
    system("CPixbuf", pkgConfig: "gdk-pixbuf-2.0", apt: "libgdk-pixbuf-2.0-dev"),
    system("CChafa", pkgConfig: "chafa", apt: "libchafa-dev"),
    .target(name: "CLinux"),

    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: settings),
    tests("Document", ["Document"]),
    tests("ReaderIPC", ["ReaderIPC"]),
    tests("PageKeys", ["PageKeys", "ReaderIPC"]),
    tests("EventLoop", ["EventLoop", "CLinux"]),
    tests("InputDaemon", ["InputDaemon", "ReaderClient", "EventLoop", "PageKeys", "ReaderIPC", "CLinux"]),
    tests("Pagerd", ["pagerd", "InputDaemon", "ReaderClient", "EventLoop", "PageKeys", "ReaderIPC"]),
    tests("ReaderClient", ["ReaderClient", "EventLoop", "ReaderIPC", "CLinux"]),
    tests("ImageWorker", ["ImageWorker", "reader-images", "EventLoop", "CLinux"]),
    tests("Terminal", ["Terminal", "EventLoop", "CLinux"]),
    tests("Publication", ["Publication", "Markup", "Document", "CLinux"]),
    tests("Markup", ["Markup", "Document"]),
    tests("Typesetting", ["Typesetting", "Markup", "Document"]),
    tests("Search", ["Search", "Document"]),
    tests("Shelf", ["Shelf", "Document", "CSQLite"]),
    tests("Feeds", ["Feeds", "Markup", "Document"]),
    .target(name: "CKernelShims", path: "Tests/Kernel/CKernelShims"),
    .target(name: "KernelCatalogue", path: "Tests/Kernel/Catalogue", swiftSettings: settings),
    .executableTarget(
      name: "kernel-scenarios", dependencies: ["KernelCatalogue", "CKernelShims"], path: "Tests/Kernel/Guest",
      swiftSettings: settings),
    .testTarget(
      name: "KernelTests", dependencies: ["KernelCatalogue", "TestSupport"], path: "Tests/Kernel/Host",
      swiftSettings: settings),
    tests("Reader", ["reader", "Typesetting", "Publication", "Terminal", "Shelf", "Document"]),
  ],
  swiftLanguageModes: [.v6]
)

// `make fuzz` only: a fuzzer needs the compiler's libFuzzer and is no part of a build.
if Context.environment["PAGERD_FUZZ"] != nil {
  func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
      name: "Fuzz\(name)", dependencies: dependencies + ["FuzzEntry"], path: "Fuzz/\(name)", sources: ["Fuzz.swift"])
  }
  package.targets += [
    .target(name: "FuzzEntry", path: "Fuzz/Entry"),
    fuzzer("Book", ["Publication"]),
    fuzzer("Markup", ["Markup", "Document"]),
    fuzzer("Layout", ["Typesetting", "Markup"]),
    fuzzer("Wire", ["ReaderIPC"]),
    fuzzer("TerminalInput", ["Terminal"]),
    fuzzer("Package", ["Publication"]),
    fuzzer("Configuration", ["PageKeys"]),
  ]
}
