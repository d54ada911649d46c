// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A room imports the ground floor and its own cellar, never another room.
///
/// - Parameter embedded: files whose bytes become `PackageResources.file_ext` in the room's code.
func room(_ name: String, _ more: [Target.Dependency] = [], embedded: [String] = []) -> Target {
  .target(
    name: name, dependencies: ["EvalCore"] + more, resources: embedded.map { .embedInCode($0) },
    swiftSettings: strict)
}

/// - Parameter data: folders that the tests read beside their sources.
func tests(_ name: String, _ more: [String] = [], data: [String] = []) -> Target {
  .testTarget(
    name: "\(name)Tests",
    dependencies: Array(Set([name, "EvalCore"] + more)).sorted().map { .init(stringLiteral: $0) },
    exclude: data, swiftSettings: strict)
}

/// Styles and scripts of the pages, in the order in which the later lean on the earlier.
let pageFiles = [
  "Page/page.css", "Page/page.js", "Chart/chart.css", "Page/Cases/cases.css", "Page/Cases/case-text.js",
  "Page/Cases/case-diff.js", "Page/Cases/case-markdown.js", "Page/Cases/case-timeline.js",
  "Page/Cases/case-answers.js", "Page/Cases/case-view.js", "Page/Cases/case-rows.js",
  "Page/Cases/cases.js",
]

let package = Package(
  name: "evalrun",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "evalrun", targets: ["evalrun"])],
  targets: [
    // Cellar: C libraries, each under one room only.
    .systemLibrary(
      name: "CCurlSystem", path: "Sources/CCurlSystem", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .target(name: "CCurl", dependencies: ["CCurlSystem"]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CPCRE2", pkgConfig: "libpcre2-8",
      providers: [.apt(["libpcre2-dev"]), .brew(["pcre2"])]),
    .systemLibrary(name: "CSpawn"),
    // Starts programs, for the two rooms that run a person's own.
    .target(name: "Spawn", dependencies: ["CSpawn"], swiftSettings: strict),

    // Ground floor.
    .target(name: "EvalCore", swiftSettings: strict),

    // Rooms.
    room("EvalSuites"),
    room("EvalEngine"),
    room("EvalProviders", ["CCurl", "Spawn"]),
    room("EvalGraders", ["CPCRE2", "Spawn"]),
    room("EvalRouting"),
    room("EvalStore", ["CSQLite"]),
    room("EvalAnalysis"),
    room("EvalReports", ["EvalAnalysis"], embedded: pageFiles),

    // Roof.
    .target(
      name: "EvalRunCLI",
      dependencies: [
        "EvalCore", "EvalSuites", "EvalEngine", "EvalProviders", "EvalGraders", "EvalRouting",
        "EvalStore", "EvalAnalysis", "EvalReports", "Spawn",
      ], swiftSettings: strict),
    .executableTarget(name: "evalrun", dependencies: ["EvalRunCLI"], swiftSettings: strict),

    // Tests. EvalTestSupport holds the server that misbehaves on purpose.
    .target(name: "EvalTestSupport", path: "Tests/EvalTestSupport", swiftSettings: strict),
    tests("EvalCore"),
    tests("EvalSuites"),
    tests("EvalEngine"),
    tests("EvalProviders", ["EvalTestSupport"]),
    tests("EvalGraders"),
    tests("EvalRouting"),
    tests("EvalStore"),
    tests("EvalAnalysis", data: ["reference"]),
    tests("EvalReports", ["EvalAnalysis"], data: ["Golden"]),
    .testTarget(
      name: "EvalRunCLITests",
      dependencies: [
        "EvalRunCLI", "EvalTestSupport", "EvalCore", "EvalSuites", "EvalEngine", "EvalProviders",
        "EvalGraders", "EvalRouting", "EvalStore", "EvalAnalysis", "EvalReports", "evalrun",
      ], swiftSettings: strict),
  ]
)
