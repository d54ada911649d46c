import EvalCore
import Testing

@Suite struct TemplateTests {
  let variables: JSONObject = [
    "name": "Ada", "count": 3, "ratio": 0.5, "user": ["city": "Oslo", "tags": ["a", "b"]], "none": .null,
    "a.b": "dotted",
  ]

  @Test(arguments: [
    ("plain", "plain"), ("Hello {{name}}!", "Hello Ada!"), ("{{ name }}", "Ada"),
    ("{{count}} × {{ratio}}", "3 × 0.5"),
    ("{{user}}", #"{"city":"Oslo","tags":["a","b"]}"#), ("{{user.city}}", "Oslo"), ("{{user.tags[1]}}", "b"),
    ("{{none}}", "null"), (#"\{{name}}"#, "{{name}}"), ("{{a.b}}", "dotted"), ("a { b", "a { b"),
    ("{{name", "{{name"), ("é{{name}}é", "éAdaé"),
  ])
  func `Values go in by their type`(template: String, expected: String) throws {
    #expect(try Template.render(template, variables) == expected)
  }

  @Test(arguments: ["{{nmae}}", "{{user.town}}", "{{user.tags[2]}}", "{{}}"])
  func `A missing variable is an error`(template: String) {
    #expect(throws: Template.Missing.self) { try Template.render(template, variables) }
  }

  @Test func `A missing variable comes with the name that was meant`() {
    do {
      _ = try Template.render("{{nmae}}", variables)
      Issue.record("nothing was missing")
    } catch {
      #expect(error.advice == "did you mean 'name'?")
    }
  }

  @Test func `A whole template in a value keeps the variable's type`() throws {
    let value: JSONValue = ["number": ["equals": "{{count}}"], "text": "n={{count}}", "list": ["{{user}}"]]
    let rendered = try Template.render(value, variables)
    #expect(
      rendered == [
        "number": ["equals": 3], "text": "n=3", "list": [["city": "Oslo", "tags": ["a", "b"]]],
      ])
  }
}
