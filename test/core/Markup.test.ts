import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { cleanMarkup as cleaned, markupAttributes, markupTags } from "#core/appearance/Markup"
import { UnicodeText } from "../support/arbitraries.ts"
import { attacks } from "./MarkupCorpus.ts"

const tags: ReadonlySet<string> = new Set(markupTags)
const empty: ReadonlySet<string> = new Set(["br", "wbr", "hr", "img"])

const TOKEN = /<(\/?)([a-z][a-z\d]*)((?: [a-z-]+(?:="[^"<>]*")?)*)( \/)?>|[^<>]+/y
const ATTRIBUTE = / ([a-z-]+)(?:="([^"]*)")?/g

const isFineAddress = (attribute: string, value: string): boolean => {
  if (attribute === "src") return value.startsWith("https://")
  const { protocol = "" } = URL.parse(value.replaceAll("&amp;", "&"), "https://relative.invalid/") ?? {}
  return attribute !== "href" || ["https:", "http:", "mailto:"].includes(protocol)
}

const wrongAttributes = (tag: string, written: string): ReadonlyArray<string> => {
  const allowed = [...(markupAttributes["*"] ?? []), ...(markupAttributes[tag] ?? [])]
  return [...written.matchAll(ATTRIBUTE)].flatMap(([, name = "", value = ""]) =>
    allowed.includes(name) && isFineAddress(name, value) ? [] : [`${tag} ${name}=${value}`]
  )
}

/**
 * Lists the faults of markup, using a grammar so strict that all parsers agree on it: every bracket belongs to an
 * allowed element or attribute, and every element is closed.
 */
const faultsIn = (markup: string): ReadonlyArray<string> => {
  const open: Array<string> = []
  const found: Array<string> = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < markup.length) {
    const before = TOKEN.lastIndex
    const token = TOKEN.exec(markup)
    if (token === null) return [...found, `not read: ${markup.slice(before)}`]
    const [, slash, tag, attributes = ""] = token
    if (tag === undefined) continue
    if (!tags.has(tag)) found.push(tag)
    found.push(...wrongAttributes(tag, attributes))
    if (slash === "/") found.push(...(open.pop() === tag ? [] : [`closes ${tag}`]))
    else if (!empty.has(tag)) open.push(tag)
  }
  return [...found, ...open.map((tag) => `leaves ${tag} open`)]
}

it("the markup check detects bad markup", () => {
  const samples = ["<b>", "</b>", "<b></i>", "<script></script>", '<b id="x"></b>', "<b", '<a href="javascript:x"></a>']
  expect([...samples, '<img src="/x" />'].filter((markup) => faultsIn(markup).length === 0)).toEqual([])
  expect(faultsIn('<p class="x">a &amp; <b>b</b><br /></p>')).toEqual([])
})

describe("SEC-31 (CVE-2026-5468, CVE-2026-29192, CVE-2026-29191, CVE-2025-67495, CVE-2026-42849): an app's markup", () => {
  const all = Object.values(attacks).flat()

  it("is tested with at least 200 different attacks", () => {
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(200)
  })

  it.each(Object.keys(attacks))("is harmless after cleaning: %s", (kind) => {
    for (const attack of attacks[kind] ?? []) {
      const markup = cleaned(attack)
      expect([attack, faultsIn(markup)]).toEqual([attack, []])
      expect(cleaned(markup)).toBe(markup)
    }
  })

  const pieces = [
    "<",
    ">",
    "</",
    "/>",
    '"',
    "'",
    "=",
    "&",
    "&lt;",
    "&#0;",
    "<p>",
    "</p>",
    "<b",
    "<a href=",
    "<!--",
    "-->"
  ]
  const Piece = Schema.Union([Schema.Literals(all), Schema.Literals(pieces), UnicodeText])

  it.effect.prop(
    "is well-formed after cleaning for any combination, and unchanged by a second cleaning",
    [Schema.Array(Piece).check(Schema.isMaxLength(8))],
    ([parts]) =>
      Effect.sync(() => {
        const markup = cleaned(parts.join(""))
        expect(faultsIn(markup)).toEqual([])
        expect(cleaned(markup)).toBe(markup)
      }),
    { arbitrary: { runs: 2_000 } }
  )

  it("is harmless after cleaning at any nesting depth", () => {
    for (const tag of ["<div>", "<b>", "<table><tr><td>", "<ul><li>", "<p>"]) {
      const markup = cleaned(tag.repeat(5000))
      expect(faultsIn(markup)).toEqual([])
      expect(Math.max(...markup.split("</").map((part) => part.split("<").length))).toBeLessThanOrEqual(102)
    }
  })
})

it("keeps the markup that apps need unchanged", () => {
  const kept = [
    " <h1>Acme</h1>\n",
    '<div class="bar"><a href="https://acme.test/?a=1&amp;b=2" rel="noopener noreferrer">Acme</a></div>',
    '<nav aria-label="Acme"><ul><li><a href="mailto:help@acme.test" rel="noopener noreferrer">Help</a></li></ul></nav>',
    '<img alt="Acme" width="120" height="40" src="https://acme.test/logo.png" />',
    '<table><tbody><tr><th scope="row">a</th><td colspan="2">b</td></tr></tbody></table>',
    '<p lang="es" dir="ltr">© Acme &amp; Söhne — 日本語 🚀</p>',
    '<a href="/signup" rel="noopener noreferrer">Join</a>'
  ]
  expect(kept.map(cleaned)).toEqual(kept)
})

it("replaces page landmarks with plain elements, and removes images without an https URL", () => {
  expect(cleaned('<header class="x"><main>y</main></header>')).toBe('<div class="x"><div>y</div></div>')
  expect(cleaned('<img src="http://acme.test/x.png"><img src="/x.png"><img alt="x">')).toBe("")
})
