/**
 * The place of a value in an HTML document. `link` is a part of a URL attribute, `mailto` is a part of a mailto URL, and
 * `whole link` is an entire URL.
 */
export type HtmlContext = "text" | "attribute" | "link" | "mailto" | "whole link"

/**
 * The placeholder for a value: a Unicode noncharacter. Noncharacters never occur in text, and no parser treats them as markup.
 */
export const placeholder = (index: number): string => String.fromCharCode(0xfdd0 + index)

const PLACEHOLDERS = /[\uFDD0-\uFDEF]/g
const ONLY_A_PLACEHOLDER = /^\s*[\uFDD0-\uFDEF]\s*$/

const linkContext = (address: string): HtmlContext => {
  if (ONLY_A_PLACEHOLDER.test(address)) return "whole link"
  return /^\s*mailto:/i.test(address) ? "mailto" : "link"
}

/** Removes placeholder characters from a template. */
export const stripPlaceholders = (template: string): string => template.replace(PLACEHOLDERS, "")

// Match the HTML tokens that determine the context of a value. Every expression takes linear time, because nothing that
// follows a repetition can match inside it.
const OUTLOOK_ONLY = /<!--\[if[^\]>]*\]>/iy
const COMMENT = /<!--(?:-?>|[^]*?(?:--!?>|$))/y
const NOT_A_TAG = /<(?:[!?]|\/(?![A-Za-z]))(?=[^>])/y
const TAG = /<(\/?)([A-Za-z][^\s/>]*)/y
const ATTRIBUTE = /([\s/]*)([^\s/>][^\s/>=]*)(?:(\s*=\s*)(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/y
const TAG_END = /[\s/]*>?/y

/** Attributes that contain a URL. */
const addresses: ReadonlySet<string> = new Set(
  "action background cite data formaction href longdesc manifest ping poster src srcset usemap xlink:href".split(" ")
)

/** Attributes and elements that contain code. Values are never inserted there. */
const codeAttribute = /^(style|srcdoc|on.*)$/
const codeElements: ReadonlySet<string> = new Set("iframe noembed noframes plaintext script style xmp".split(" "))

/** Elements that contain only text. */
const textElements: ReadonlySet<string> = new Set(["textarea", "title"])

/** The end tags of elements that can't contain tags. */
const endTags: ReadonlyMap<string, RegExp> = new Map(
  [...codeElements, ...textElements].map((name) => [name, new RegExp(`</${name}[\\s/>]`, "gi")])
)

/**
 * Makes a function that finds the next match at or after an index, or else the end of the text. If the indexes increase, the
 * text is scanned only once.
 */
const finder = (text: string, sought: RegExp) => {
  const expression = new RegExp(sought, "g")
  let known = -1
  return (from: number): number => {
    if (known >= from) return known
    expression.lastIndex = from
    known = expression.exec(text)?.index ?? text.length
    return known
  }
}

/** Fills in the placeholders of an HTML document. `write` encodes a value for its context. No value can add or change a tag. */
export const fillHtml = (html: string, write: (placeholder: string, place: HtmlContext) => string): string => {
  const [nextPlaceholder, nextTagEnd] = [finder(html, PLACEHOLDERS), finder(html, />/)]
  let at = 0
  const next = (token: RegExp) => {
    token.lastIndex = at
    const match = token.exec(html)
    if (match !== null) at = token.lastIndex
    return match
  }
  // A `<` that doesn't start markup is text. Escape it, so that it can't form a tag with the value that follows.
  const text = (piece: string) => piece.replaceAll("<", "&lt;").replace(PLACEHOLDERS, (each) => write(each, "text"))
  const value = (piece: string, place: HtmlContext) =>
    piece === stripPlaceholders(piece)
      ? piece
      : piece.replaceAll("<", "&lt;").replace(PLACEHOLDERS, (each) => write(each, place))

  const attribute = ([, gap = "", name = "", equals, double, single, bare]: RegExpExecArray): string => {
    const start = gap + stripPlaceholders(name)
    if (equals === undefined) return start
    const rawValue = double ?? single ?? bare ?? ""
    const quote = single === undefined ? '"' : "'"
    const quoted = bare === undefined ? rawValue : rawValue.replaceAll('"', "&quot;")
    const lowerName = name.toLowerCase()
    if (codeAttribute.test(lowerName) || name !== stripPlaceholders(name))
      return start + equals + quote + stripPlaceholders(quoted) + quote
    return (
      start + equals + quote + value(quoted, addresses.has(lowerName) ? linkContext(rawValue) : "attribute") + quote
    )
  }

  /** Returns the content of an element that can't contain tags. */
  const content = (name: string): string => {
    const isText = textElements.has(name)
    if (!isText && !codeElements.has(name)) return ""
    const end = name === "plaintext" ? undefined : endTags.get(name)
    if (end !== undefined) end.lastIndex = at
    const piece = html.slice(at, end?.exec(html)?.index)
    at += piece.length
    return isText ? text(piece) : stripPlaceholders(piece)
  }

  const tag = ([opening, slash, name = ""]: RegExpExecArray): string => {
    let out = stripPlaceholders(opening)
    for (let match = next(ATTRIBUTE); match !== null; match = next(ATTRIBUTE)) out += attribute(match)
    out += next(TAG_END)?.[0] ?? ""
    return slash === "" ? out + content(name.toLowerCase()) : out
  }

  const markup = (): string => {
    // Outlook reads conditional comments as markup. Other clients ignore them as comments.
    const token = next(OUTLOOK_ONLY) ?? next(COMMENT)
    if (token !== null) return stripPlaceholders(token[0])
    const start = next(TAG)
    if (start !== null) return tag(start)
    const from = at
    const end = Math.min(nextTagEnd(from) + 1, html.length)
    if (next(NOT_A_TAG) !== null && nextPlaceholder(from) >= end) {
      at = end
      return html.slice(from, end)
    }
    at = from + 1
    return text("<")
  }

  let out = ""
  while (at < html.length) {
    const end = html.indexOf("<", at)
    const until = end < 0 ? html.length : end
    out += text(html.slice(at, until))
    at = until
    if (at < html.length) out += markup()
  }
  return out
}
