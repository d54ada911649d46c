"""Answers of a model that wants to break out of the page that shows them, by the first word of the prompt."""
import sys

ANSWERS = {
    "script": "</script><script>alert('answer')</script><img src=x onerror=\"alert(1)\"><!--<script>\n<style>*{display:none}</style>",
    "markdown": "\n".join([
        "# Heading <img src=x onerror=alert(1)>", "",
        "[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) <javascript:alert(2)>",
        "![picture](https://attacker.invalid/pixel.png?leak=1) ![x](x\"onerror=\"alert(1))",
        "[ref]: javascript:alert(3)", "**bold** _em_ `code <b>` ~~no~~",
        "<iframe src=javascript:alert(4)></iframe><a href=\"https://attacker.invalid/\">x</a>",
        "```html\n<script>alert(5)</script>\n```", "| a | b |\n|---|---|\n| <svg onload=alert(6)> | `|` |",
        "- " * 2000, ">" * 2000 + " deep", "*" * 5000, "[" * 5000, "`" * 3001]),
    "data": "<!-- ]]> --> <![CDATA[ </textarea></title></style></template></noscript> {\"a\": \"</script>\"} \u2028\u2029",
    "template": "${alert(1)} {{constructor.constructor('alert(1)')()}} %3Cscript%3E &lt;script&gt; &#x3C;b&#x3E; \\u003cscript\\u003e",
    "right-to-left": "user\u202Enimda\u202C \u2066isolated \u200F\u061C safe? \u202Egnp.exe",
    "controls": "bell\u0007 escape\u001b[31mred\u001b]8;;https://attacker.invalid/\u0007link\u001b]8;;\u0007 nul\0 del\x7f c1\x9b31m",
    "long": "word " * 210_000,
    "one-line": "x" * 1_050_000,
    "empty": "",
}
kind = sys.argv[1].split(" ")[0]
out = sys.stdout.buffer
if kind == "malformed":
    out.write(b"before \xff\xfe\xc3\x28 \xed\xa0\x80 \xf4\x90\x80\x80 \xc0\xbc after")
else:
    text = ANSWERS[kind]
    if "--other" in sys.argv:
        text = text[: len(text) // 2] + " <b>other</b> " + text[len(text) // 2 :]
    out.write(text.encode("utf-8", "surrogatepass"))
