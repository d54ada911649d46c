import EvalCore

/// The styles and scripts of a page, which are in it, with the digests by which the page allows them and nothing else.
package struct PageAssets: Sendable {
  /// One `<style>` or `<script>`.
  package struct Part: Sendable {
    package let content: String
    /// As a content-security policy names it: `'sha256-…'` of the content's bytes.
    package let source: String

    init(_ bytes: [UInt8]) {
      content = String(decoding: bytes, as: UTF8.self)
      var digest = SHA256()
      digest.update(content.utf8)
      source = "'sha256-\(base64(digest.finalize()))'"
    }
  }

  package var styles: [Part]
  package var scripts: [Part]

  /// Of every page.
  package static let page = PageAssets(
    styles: [Part(PackageResources.page_css + PackageResources.chart_css)],
    scripts: [Part(PackageResources.page_js)])

  /// Nothing is loaded, nothing is sent, and only what evalrun itself wrote may style or run.
  var policy: String {
    let styles = styles.map(\.source).joined(separator: " ")
    let scripts = scripts.map(\.source).joined(separator: " ")
    return "default-src 'none'; style-src \(styles); script-src \(scripts); img-src data:; base-uri 'none'; "
      + "form-action 'none'"
  }
}
