import EvalCore

/// A piece of content while it is read.
struct PartDraft: Draft {
  var text: String?
  var image: ImageContent?
  var detail: String?
}

/// `{"base64": …, "mediaType": …}` while it is read.
struct InlineImage: Draft {
  var base64 = ""
  var mediaType = ""
}

/// The hint how closely a model looks at an image.
enum ImageDetail: String, CaseIterable {
  case low, high, auto
}

extension ObjectTable where Into == PartDraft {
  static let part = ObjectTable(
    "contentPart", "a piece of content", extra: ["minProperties": 1],
    [
      Key("text", \.text, .template, "A text.").oneOf("kind"),
      Key("image", \.image, .image, "An image: a file's path, or its bytes in base64.").oneOf("kind"),
      Key(
        "detail", \.detail, Shape<ImageDetail>.word.map(\.rawValue),
        "How closely the model looks at the image."),
    ])
}

extension ObjectTable where Into == InlineImage {
  static let inlineImage = ObjectTable(
    "inlineImage", "an image",
    [
      Key("base64", \.base64, .name, "The bytes in base64.").required(),
      Key(
        "mediaType", \.mediaType, Shape<ImageType>.word.map(\.rawValue), "What the bytes are."
      ).required(),
    ])
}

extension Shape where Value == [ContentPart] {
  /// A text, or a list of texts and images.
  static var content: Shape {
    let text = Shape<String>.template
    let parts = Shape<[ContentPart]>.array(of: .part, least: 1)
    return Shape(["anyOf": [text.schema, parts.schema]]) { view, reader in
      if view.kind == .array { return parts.read(view, reader) }
      guard view.kind == .string else {
        reader.wrong(view, expected: "a text or an array of parts such as {\"text\": \"…\"}")
        return nil
      }
      return text.read(view, reader).map { [.text($0)] }
    }
  }
}

extension Shape where Value == ContentPart {
  static var part: Shape {
    ObjectTable.part.shape.checked { draft, view, reader in
      if var image = draft.image {
        image.detail = draft.detail
        return .image(image)
      }
      if draft.detail != nil, let place = view["detail"] {
        reader.error("'detail' is for an image", at: place, advice: "remove it")
      }
      if let text = draft.text { return .text(text) }
      reader.error("a piece of content is a 'text' or an 'image'", at: view)
      return nil
    }
  }
}

extension Shape where Value == ImageContent {
  static var image: Shape {
    Shape(["anyOf": [["type": "string", "minLength": 1], reference("inlineImage")]]) { view, reader in
      if view.kind == .object { return inline(view, reader) }
      guard let text = Shape<String>.name.read(view, reader), let path = reader.render(text, at: view) else {
        return nil
      }
      return file(path, view, reader)
    }
  }

  private static func inline(_ view: JSONView, _ reader: Reader) -> ImageContent? {
    guard let draft = ObjectTable.inlineImage.shape.read(view, reader) else { return nil }
    let place = view["base64"] ?? view
    guard let bytes = Base64.decode(draft.base64) else {
      reader.error("this is not base64", at: place, advice: "encode the image's bytes with: base64 FILE")
      return nil
    }
    guard let type = type(of: bytes, at: place, reader) else { return nil }
    if type.rawValue != draft.mediaType {
      reader.error(
        "the image is \(type.rawValue), not \(draft.mediaType)", at: view["mediaType"] ?? view,
        advice: "write \"\(type.rawValue)\"")
      return nil
    }
    return ImageContent(mediaType: type.rawValue, base64: base64(bytes))
  }

  private static func file(_ path: String, _ view: JSONView, _ reader: Reader) -> ImageContent? {
    if path.hasPrefix("http://") || path.hasPrefix("https://") || path.hasPrefix("data:") {
      reader.error(
        "an image is a file or base64, not a URL", at: view, advice: "download it and give the file's path")
      return nil
    }
    let resolved = Paths.resolve(path, in: reader.origin.directory, home: reader.environment["HOME"])
    do throws(FileFault) {
      let file = try OpenFile(resolved)
      guard file.stamp.size <= ImageType.largest else { throw ImageType.tooLarge(file.stamp.size) }
      let bytes = try file.bytes()
      return type(of: bytes, at: view, reader).map {
        ImageContent(mediaType: $0.rawValue, base64: base64(bytes))
      }
    } catch {
      reader.error(error.message, at: view, advice: error.advice)
      return nil
    }
  }

  private static func type(of bytes: [UInt8], at view: JSONView, _ reader: Reader) -> ImageType? {
    if bytes.count > ImageType.largest {
      reader.error(ImageType.tooLarge(bytes.count).message, at: view)
      return nil
    }
    if let type = ImageType(bytes) { return type }
    reader.error(
      "this is not an image that models take", at: view, advice: "a whole PNG, JPEG, GIF or WebP file")
    return nil
  }
}

/// The image formats that models take, told by their bytes.
enum ImageType: String, CaseIterable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"

  /// The largest image, in bytes: what the most generous provider takes.
  static let largest = 20 * 1024 * 1024

  static func tooLarge(_ size: Int) -> FileFault {
    FileFault(message: "the image has \(size) bytes, the most is \(largest)", advice: "scale it down")
  }

  /// `nil` for bytes that begin like none of the formats or stop within their head.
  init?(_ bytes: [UInt8]) {
    func has(_ text: String, at offset: Int) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), has("IHDR", at: 12),
      bytes.count >= 45
    {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]), bytes.count >= 100 {
      self = .jpeg
    } else if has("GIF87a", at: 0) || has("GIF89a", at: 0), bytes.count >= 14 {
      self = .gif
    } else if has("RIFF", at: 0), has("WEBP", at: 8), bytes.count >= 20 {
      self = .webp
    } else {
      return nil
    }
  }
}

/// Base64 as RFC 4648, section 4, with its padding; line breaks between are let through.
enum Base64 {
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var word: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text.utf8 where !(byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09) {
      if byte == UInt8(ascii: "=") {
        padding += 1
        word <<= 6
      } else {
        guard padding == 0, let value = value(of: byte) else { return nil }
        word = word << 6 | value
      }
      count += 1
      if count % 4 == 0 {
        bytes += [UInt8(word >> 16 & 0xFF), UInt8(word >> 8 & 0xFF), UInt8(word & 0xFF)]
        word = 0
      }
    }
    guard count > 0, count % 4 == 0, padding <= 2 else { return nil }
    bytes.removeLast(padding)
    return bytes
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
