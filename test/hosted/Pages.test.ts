import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import { type Locale, locales } from "#domain/Locale"
import { contentSecurityPolicy } from "#hosted/markup/ContentSecurityPolicy"
import { renderDocument, type View } from "#hosted/markup/Document"
import { anyText, elementOf, oneOf } from "../support/arbitraries.ts"
import { tagsOf, visibleText } from "../support/pages.ts"
import { pagesWithoutParameters, pagesWithParameters, visitOf } from "./PageSamples.ts"

const carried = { redirect_uri: "https://app.example.test/back?a=1&b=2", invitation: "tok" }
const fields = [
  "name",
  "email",
  "username",
  "password",
  "code",
  "first_name",
  "org_name",
  "device_name",
  "org_id",
  null
]
const errors = fields.map((field) => ({ field, text: `Wrong: ${field}.` }))

/** Every hosted page with the given text, by name, as first shown and with errors. */
const everyPage = (language: Locale, text: string, look = {}): ReadonlyArray<readonly [string, string]> => {
  const visit = visitOf(language, text, look)
  const pages: ReadonlyArray<readonly [string, View]> = [
    ...Object.entries({ ...pagesWithParameters(visit, text, carried), ...pagesWithoutParameters(visit, text) }),
    ...Object.entries({
      ...pagesWithParameters(visit, text, carried, errors),
      ...pagesWithoutParameters(visit, text, errors)
    }).map(([name, page]) => [`${name}, refused`, page] as const)
  ]
  return pages.map(([name, page]) => [name, renderDocument(visit, page)])
}

const elements = (markup: string, element: string): ReadonlyArray<string> =>
  markup.match(new RegExp(`<${element}[ >][^>]*>?`, "g")) ?? []

const valueOf = (tag: string, attribute: string): string | undefined =>
  new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1]

const values = (markup: string, attribute: string): ReadonlyArray<string> =>
  [...markup.matchAll(new RegExp(` ${attribute}="([^"]*)"`, "g"))].map(([, value = ""]) => value)

/** The visible input elements, without hidden ones. */
const visibleFields = (markup: string): ReadonlyArray<string> =>
  [...elements(markup, "input"), ...elements(markup, "select")].filter(
    (tag) => valueOf(tag, "type") !== "hidden" && !tag.includes(" hidden")
  )

const bodyOf = (text: string): string => text.slice(text.indexOf("<body>"))

const tokens = new Set(
  "username current-password new-password one-time-code email given-name family-name organization off".split(" ")
)

/** The purpose of a field, without the passkey autofill that a username field may have. */
const purposeOf = (tag: string): string => (valueOf(tag, "autocomplete") ?? "").replace(/ webauthn$/, "")

describe.each(locales)("every page (%s)", (language) => {
  const pages = everyPage(language, "Ada Lovelace")

  it("is a complete HTML document in its language and smaller than 32 KB", () => {
    for (const [name, text] of pages) {
      expect([name, text.startsWith(`<!doctype html>\n<html lang="${language}">`)]).toEqual([name, true])
      expect([name, elements(text, "h1").length, elements(text, "main").length]).toEqual([name, 1, 1])
      expect([name, Buffer.byteLength(text) < 32_000]).toEqual([name, true])
    }
  })

  it("contains no placeholder values such as undefined or null", () => {
    for (const [name, text] of pages) {
      expect([
        name,
        /undefined|\[object|NaN|=> |\$\{|\bnull\b/.exec(bodyOf(text).replaceAll("Wrong: null.", ""))?.[0]
      ]).toEqual([name, undefined])
      expect([name, visibleText({ text }).length > 40]).toEqual([name, true])
    }
  })

  it("has unique ids and a label for each field", () => {
    for (const [name, text] of pages) {
      const ids = values(text, "id")
      expect([name, ids.length]).toEqual([name, new Set(ids).size])
      const labels = values(text, "for")
      expect([
        name,
        visibleFields(text)
          .map((tag) => valueOf(tag, "id"))
          .sort()
      ]).toEqual([name, labels.toSorted()])
      const aims = ["aria-describedby", "aria-labelledby", "for"].flatMap((attribute) => values(text, attribute))
      const links = values(text, "href").flatMap((href) => (href.startsWith("#") ? [href.slice(1)] : []))
      const missing = [...aims.flatMap((aim) => aim.split(" ")), ...links].filter((aim) => !ids.includes(aim))
      expect([name, missing]).toEqual([name, []])
    }
  })

  it("declares each field's purpose to password managers and never fills in a password", () => {
    for (const [name, text] of pages) {
      const unnamed = visibleFields(text).filter((tag) => !tag.startsWith("<select") && !tokens.has(purposeOf(tag)))
      expect([name, unnamed]).toEqual([name, []])
      const passwords = elements(text, "input").filter((tag) => valueOf(tag, "type") === "password")
      expect([name, passwords.filter((tag) => tag.includes(" value="))]).toEqual([name, []])
      const owners = elements(text, "input").filter((tag) => purposeOf(tag) === "username")
      expect([name, passwords.length > 0 && owners.length === 0]).toEqual([name, false])
    }
  })

  it("contains only its own scripts", () => {
    for (const [name, text] of pages) {
      const body = bodyOf(text)
      const about = ['autocomplete="new-password"', "data-passkey="].filter((part) => body.includes(part))
      const scripts = 1 + about.length
      expect([name, elements(text, "script").length, elements(body, "script").length]).toEqual([name, scripts, 0])
      expect([name, /<[^>]* (on\w+|style|src|srcset)=/.exec(body)?.[0]]).toEqual([name, undefined])
      expect([name, /<(link|iframe|img|base|object)\b/.exec(text)?.[0]]).toEqual([name, undefined])
      const away = [...values(text, "href"), ...values(text, "action")].filter((href) => /^(\/|\w+:)/.test(href))
      expect([name, away]).toEqual([name, []])
    }
  })

  it("moves the focus to the errors and announces them", () => {
    for (const [name, text] of pages.filter(([name]) => name.endsWith(", refused"))) {
      if (visibleFields(text).length === 0 || !/class="errors?"/.test(text)) continue
      expect([name, /<title>Error: /.test(text)]).toEqual([name, true])
      // Several errors get the focus themselves. A single error describes the field that gets it.
      const [focused = "", ...others] = text.match(/<[^>]* autofocus[^>]*>/g) ?? []
      const isRead = /^<div class="errors" role="alert" |aria-describedby="[^"]*errors?[ "]/.test(focused)
      expect([name, isRead, others]).toEqual([name, true, []])
    }
  })

  it("passes its parameters on through every form and link", () => {
    const visit = visitOf(language, "Acme", { logoutUris: ["https://app.example.test/back?a=1&b=2"] })
    const query = new URLSearchParams(carried).toString().replaceAll("&", "&amp;")
    for (const [name, page] of Object.entries(pagesWithParameters(visit, "ada@example.test", carried))) {
      const { markup } = page.content
      const forms = markup.match(/<form.*?<\/form>/gs) ?? []
      for (const form of forms) {
        const hidden = elements(form, "input").filter((tag) => valueOf(tag, "type") === "hidden")
        expect([name, hidden.map((tag) => valueOf(tag, "name"))]).toEqual([
          name,
          expect.arrayContaining(["redirect_uri", "invitation", "way"])
        ])
        expect(form).toContain(' name="redirect_uri" value="https://app.example.test/back?a=1&amp;b=2"')
      }
      const links = values(markup, "href")
      expect([name, links.filter((href) => !href.includes(`?${query}`))]).toEqual([name, []])
      expect([name, forms.length + links.length > 0]).toEqual([name, true])
    }
  })
})

const shapes = (text: string) => everyPage("en", text).map(([, page]) => tagsOf({ text: page }))

const plain = shapes("x")

const hostile = oneOf(
  anyText({ minLength: 1 }),
  elementOf([
    '"><script>alert(1)</script>',
    "</title><b>",
    "</style>",
    "' onfocus='x",
    "<!--",
    "&lt;b&gt;",
    "\ud800",
    "]]>"
  ])
)

it.prop(
  "user-provided text never changes the markup of a page",
  [Arbitrary.filter(hostile, (text) => text.trim() !== "")],
  ([text]) => expect(shapes(text)).toEqual(plain),
  { arbitrary: { runs: 40 } }
)

describe("an app's own header, footer and stylesheet", () => {
  const look = {
    header: '<p class="bar"><img alt="Acme" src="https://cdn.acme.test/a/logo.png?v=1" /></p>',
    footer: '<p>© Acme <img src="https://img.acme.test/x.png" /></p>',
    externalCss: "https://css.acme.test/look;a,b.css?v=1"
  }

  it("replace the realm's name, with the app's stylesheet loaded last", () => {
    for (const [name, text] of everyPage("en", "Ada", look)) {
      const parts = [look.header, "<main>", look.footer].map((part) => text.indexOf(part))
      expect([name, parts.includes(-1), parts]).toEqual([name, false, parts.toSorted((a, b) => a - b)])
      expect([name, text.includes('class="brand"')]).toEqual([name, false])
      const link = '<link rel="stylesheet" href="https://css.acme.test/look;a,b.css?v=1">'
      expect([name, text.indexOf(link) > text.indexOf("</style>")]).toEqual([name, true])
    }
  })

  it("SEC-31: are allowed by the content security policy, while other scripts stay blocked", () => {
    const directives = (policy: string) => policy.split("; ")
    const hash = "'sha256-[\\w+/]{43}='"
    expect(directives(contentSecurityPolicy("ours"))).toEqual([
      "default-src 'none'",
      expect.stringMatching(new RegExp(`^style-src ${hash}$`)),
      expect.stringMatching(new RegExp(`^script-src ${hash}$`)),
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'"
    ])
    expect(directives(contentSecurityPolicy("app", visitOf("en", "x", look).app))).toEqual([
      "default-src 'none'",
      expect.stringMatching(new RegExp(`^style-src ${hash} https://css.acme.test/look%3Ba%2Cb.css$`)),
      expect.stringMatching(new RegExp(`^script-src ${hash}$`)),
      "img-src https://cdn.acme.test https://img.acme.test",
      "frame-ancestors 'none'",
      "base-uri 'none'"
    ])
    const many = { ...look, footer: Array.from({ length: 9 }, (_, n) => `<img src="https://${n}.test/x" />`).join("") }
    expect(directives(contentSecurityPolicy("ours", visitOf("en", "x", many).app))).toContain("img-src https:")
  })
})

it("the page after a reset request doesn't reveal whether an account exists", () => {
  const page = pagesWithParameters(visitOf("en"), "ada@example.test", {})["sentForgot"]
  expect(visibleText({ text: page?.content.markup ?? "" })).toContain("If there's an account for ada@example.test ,")
})
