import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { convert, type DomNode } from "html-to-text"
import { defaultMail } from "#core/mail/DefaultMails"
import type { MailValues } from "#core/mail/MailTemplate"
import { emailRenderers } from "#domain/AppHook"
import { defaultMails } from "#domain/DefaultMail"
import { hostileValues, htmlOf, renderedMail } from "../support/mails.ts"

/** The elements of a document in order, each with its attribute names, as an HTML parser sees them. */
const tagsOf = (html: string): ReadonlyArray<string> => {
  const tags: Array<string> = []
  const record = ({ name, attribs, children }: Pick<DomNode, "name" | "attribs" | "children">) => {
    // Unlike browsers, this parser continues after `<!->` and takes the following text for a declaration's name.
    if (name !== undefined) tags.push(name.startsWith("!") ? "!" : [name, ...Object.keys(attribs ?? {})].join(" "))
    for (const child of children ?? []) record(child)
  }
  convert(`<all-of-it>${html}</all-of-it>`, {
    baseElements: { selectors: ["all-of-it"] },
    formatters: { record },
    selectors: [{ selector: "*", format: "record" }]
  })
  return tags
}

const markdown = `# Hello {{first_name}} of {{realm_name}}

**{{full_name}}**, _{{username}}_, ~~{{ip}}~~ and \`{{token}}\`, {{email}}'s <{{email}}> at [{{realm_name}}]({{url}}).

- {{first_name}}
- <{{url}}> or {{url}} or <https://example.test/{{token}}> or https://example.test/?t={{token}}

| {{username}} | [x](https://example.test/{{username}} "{{full_name}}") |
|---|---|
| ![{{full_name}}](https://example.test/{{token}}.png) | <b title="{{full_name}}">{{full_name}}</b> |

> {{full_name}}
{{full_name}}

{{first_name}}
===

    {{full_name}}

1. {{event_at}} [by reference][there] <a href="{{url}}">{{url}}</a>

[there]: {{url}}
`

const html = `<!doctype html><html><head><title>{{realm_name}} <b>{{full_name}}</title>
<style>p { color: {{username}} } </style></head>
<body style="color: {{full_name}}" class={{username}} data-{{username}}="x">
<!-- {{full_name}} -> --><!--[if mso]><v:rect href="{{url}}">{{full_name}}</v:rect><![endif]-->
<p title="{{full_name}}" lang='{{full_name}}' {{full_name}}>a < b {{full_name}} <{{email}}> </{{first_name}}> <!{{first_name}}> <h{{username}}>
<a href={{url}}>go</a> <a href='{{url}}' onclick="x('{{full_name}}')">go</a> <a href="https://example.test/{{full_name}}?t={{token}}">go</a>
<img alt={{full_name}} src="{{email}}"><textarea>{{full_name}}</textarea><script>"{{full_name}}"</script> &{{username}};
</body></html>`

const pieces = [
  "{{full_name}}¦{{token}}¦{{username}}¦{{url}}¦<¦>¦</¦/>¦<a href=¦<p title='¦<b class=\"¦\"¦'¦=¦ ¦\n",
  "<!--¦-->¦-¦<!¦<![endif]-->¦<!--[if mso]>¦<style>¦</style>¦<title>¦</title>¦<script>¦</script¦<textarea>¦<img src=",
  "x¦&¦;¦[x](¦)¦`¦**¦_¦# ¦- ¦|¦\n\n"
].flatMap((line) => line.split("¦"))

describe("SEC-72 (CVE-2024-41953): values in an email", () => {
  for (const [renderer, template] of [
    ["markdown", markdown],
    ["html", html],
    ["html+text", html]
  ] as const) {
    const expected = tagsOf(htmlOf(renderer, template))

    it.prop(
      `never add, remove or change a tag in ${renderer}`,
      [hostileValues],
      ([values]) => {
        expect(expected.length).toBeGreaterThan(12)
        expect(tagsOf(htmlOf(renderer, template, values))).toEqual(expected)
      },
      { timeout: 60_000, arbitrary: { runs: 400 } }
    )
  }

  it.prop(
    "never add, remove or change a tag in any other template, however broken",
    [
      Schema.Array(Schema.Literals(pieces)).check(Schema.isMaxLength(25)),
      hostileValues,
      Schema.Literals(["html", "markdown"])
    ],
    ([template, values, renderer]) => {
      const [plain, other] = [htmlOf(renderer, template.join("")), htmlOf(renderer, template.join(""), values)]
      expect(tagsOf(other)).toEqual(tagsOf(plain))
    },
    { timeout: 60_000, arbitrary: { runs: 500, size: 25 } }
  )

  const defaults = defaultMails.flatMap((type) =>
    ["en", "es"].map((locale) => ({ renderer: "markdown" as const, ...defaultMail(type, locale) }))
  )
  const tagsOfDefaults = (values: Partial<MailValues>) =>
    defaults.map((mail) => tagsOf(renderedMail(mail, values).html ?? ""))
  const expected = tagsOfDefaults({})

  it.prop(
    "don't affect the tags of the default emails",
    [hostileValues],
    ([values]) => {
      expect(tagsOfDefaults(values)).toEqual(expected)
    },
    { arbitrary: { runs: 30 } }
  )

  it("are not expanded again if they contain a variable", () => {
    const values = { first_name: "{{token}}", full_name: "{{ url }}", token: "s3cret", url: "https://s3cret.test/" }
    for (const renderer of emailRenderers) {
      const mail = renderedMail(
        { renderer, subject: "{{first_name}}", template: "{{first_name}} {{full_name}}" },
        values
      )
      expect(JSON.stringify(mail)).not.toContain("s3cret")
      expect(mail.subject).toBe("{{token}}")
      expect(`${mail.html}${mail.text}`).toContain("{{token}} {{ url }}")
    }
  })

  it.prop("can't add lines to the subject or the text", [hostileValues], ([values]) => {
    const mail = renderedMail(
      { renderer: "text", subject: "{{full_name}}!", template: "{{full_name}}\n{{token}}" },
      values
    )
    expect(mail.html).toBeNull()
    expect(mail.subject).not.toMatch(/\p{Cc}|\u2028|\u2029|\u202E/u)
    expect((mail.text ?? "").replace("\n", "")).not.toMatch(/\p{Cc}|\u2028|\u2029|\u202E/u)
  })

  it("show their markup as entered, in HTML and text", () => {
    const name = `*Bob* <b> [x](https://evil.test) \`c\` _d_ &amp; "e" {{token}}`
    const mail = renderedMail({ renderer: "markdown", template: "Hello {{full_name}}" }, { full_name: name })
    expect(mail.text).toBe(`Hello ${name}`)
    expect(mail.html).toContain(
      "<p>Hello *Bob* &lt;b&gt; [x](https://evil.test) `c` _d_ &amp;amp; &quot;e&quot; {{token}}</p>"
    )
  })

  it("don't turn an address in a name into a link", () => {
    for (const full_name of ["https://evil.test", "www.evil.test", "bob@evil.test", "<https://evil.test>"]) {
      expect(tagsOf(htmlOf("markdown", "Hello {{full_name}}", { full_name }))).not.toContain("a href")
    }
  })

  it("are percent-encoded inside a link", () => {
    const values = { full_name: `a b&c=d#"e'/../(f)` }
    const encoded = "a%20b%26c%3Dd%23%22e%27%2F..%2F%28f%29"
    expect(htmlOf("markdown", "[x](https://a.test/?n={{full_name}}&m=1)", values)).toContain(
      `<a href="https://a.test/?n=${encoded}&amp;m=1">x</a>`
    )
    expect(htmlOf("html", `<a href="https://a.test/?n={{full_name}}">x</a>`, values)).toBe(
      `<a href="https://a.test/?n=${encoded}">x</a>`
    )
    expect(htmlOf("html", `<img src=https://a.test/{{full_name}}>`, values)).toBe(
      `<img src="https://a.test/${encoded}">`
    )
    expect(htmlOf("html", `<a href="mailto:{{email}}">x</a>`, { email: "a?cc=b@c.test" })).toBe(
      `<a href="mailto:a%3Fcc%3Db@c.test">x</a>`
    )
    expect(htmlOf("html", `<a href="{{username}}">x</a>`, { username: "javascript:alert(1)" })).toBe(
      `<a href="javascript%3Aalert%281%29">x</a>`
    )
  })

  it("become a link target only if the value is a web URL", () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x", "https://", "https://a.test/ onclick=x"]) {
      expect(htmlOf("html", `<a href="{{url}}">x</a>`, { url })).toBe(
        `<a href="${encodeURIComponent(url).replace("(", "%28").replace(")", "%29")}">x</a>`
      )
    }
  })
})
