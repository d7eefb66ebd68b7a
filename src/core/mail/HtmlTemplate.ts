/**
 * Where a value stands in an HTML document. `link`: somewhere inside the address that an attribute holds; `mailto`: inside
 * that of a mailbox; `whole link`: it is the address.
 */
export type Place = "text" | "attribute" | "link" | "mailto" | "whole link"

/** A character that stands for a value: one that Unicode keeps out of every text, so that no parser reads it as markup. */
export const hole = (index: number): string => String.fromCharCode(0xfdd0 + index)

const HOLES = /[\uFDD0-\uFDEF]/g
const ONLY_A_HOLE = /^\s*[\uFDD0-\uFDEF]\s*$/

const inLink = (address: string): Place => {
  if (ONLY_A_HOLE.test(address)) return "whole link"
  return /^\s*mailto:/i.test(address) ? "mailto" : "link"
}

/** A template without the characters that stand for values. */
export const withoutHoles = (template: string): string => template.replace(HOLES, "")

// The tokens of the HTML standard, as far as they tell places apart. Each is linear: what follows a repetition can't be in it.
const OUTLOOK_ONLY = /<!--\[if[^\]>]*\]>/iy
const COMMENT = /<!--(?:-?>|[^]*?(?:--!?>|$))/y
const NO_TAG = /<(?:[!?]|\/(?![A-Za-z]))(?=[^>])/y
const TAG = /<(\/?)([A-Za-z][^\s/>]*)/y
const ATTRIBUTE = /([\s/]*)([^\s/>][^\s/>=]*)(?:(\s*=\s*)(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/y
const TAG_END = /[\s/]*>?/y

/** The attributes that hold an address. */
const addresses: ReadonlySet<string> = new Set(
  "action background cite data formaction href longdesc manifest ping poster src srcset usemap xlink:href".split(" ")
)

/** The attributes, and elements, that hold code: values have no place in them. */
const codeAttribute = /^(style|srcdoc|on.*)$/
const codeElements: ReadonlySet<string> = new Set("iframe noembed noframes plaintext script style xmp".split(" "))

/** The elements that hold text only. */
const textElements: ReadonlySet<string> = new Set(["textarea", "title"])

/** Where the elements that hold no tags end. */
const ends: ReadonlyMap<string, RegExp> = new Map(
  [...codeElements, ...textElements].map((name) => [name, new RegExp(`</${name}[\\s/>]`, "gi")])
)

/** Where something is found from a place on, else the end. Asked for places in their order, it reads a text once. */
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

/** An HTML document with a value in every hole, as `write` says for its place. No value adds or changes a tag. */
export const fillHtml = (html: string, write: (hole: string, place: Place) => string): string => {
  const [nextHole, nextTagEnd] = [finder(html, HOLES), finder(html, />/)]
  let at = 0
  const next = (token: RegExp) => {
    token.lastIndex = at
    const match = token.exec(html)
    if (match !== null) at = token.lastIndex
    return match
  }
  // A `<` that opens nothing is text: written out, it can't open anything with the value behind it, for no parser.
  const text = (piece: string) => piece.replaceAll("<", "&lt;").replace(HOLES, (each) => write(each, "text"))
  const value = (piece: string, place: Place) =>
    piece === withoutHoles(piece) ? piece : piece.replaceAll("<", "&lt;").replace(HOLES, (each) => write(each, place))

  const attribute = ([, gap = "", name = "", equals, double, single, bare]: RegExpExecArray): string => {
    const start = gap + withoutHoles(name)
    if (equals === undefined) return start
    const typed = double ?? single ?? bare ?? ""
    const quote = single === undefined ? '"' : "'"
    const kept = bare === undefined ? typed : typed.replaceAll('"', "&quot;")
    const known = name.toLowerCase()
    if (codeAttribute.test(known) || name !== withoutHoles(name))
      return start + equals + quote + withoutHoles(kept) + quote
    return start + equals + quote + value(kept, addresses.has(known) ? inLink(typed) : "attribute") + quote
  }

  /** What follows a start tag whose element holds no tags. */
  const content = (name: string): string => {
    const isText = textElements.has(name)
    if (!isText && !codeElements.has(name)) return ""
    const end = name === "plaintext" ? undefined : ends.get(name)
    if (end !== undefined) end.lastIndex = at
    const piece = html.slice(at, end?.exec(html)?.index)
    at += piece.length
    return isText ? text(piece) : withoutHoles(piece)
  }

  const tag = ([opening, slash, name = ""]: RegExpExecArray): string => {
    let out = withoutHoles(opening)
    for (let match = next(ATTRIBUTE); match !== null; match = next(ATTRIBUTE)) out += attribute(match)
    out += next(TAG_END)?.[0] ?? ""
    return slash === "" ? out + content(name.toLowerCase()) : out
  }

  const markup = (): string => {
    // What one mail program reads as markup and all others as a comment.
    const token = next(OUTLOOK_ONLY) ?? next(COMMENT)
    if (token !== null) return withoutHoles(token[0])
    const start = next(TAG)
    if (start !== null) return tag(start)
    const from = at
    const end = Math.min(nextTagEnd(from) + 1, html.length)
    if (next(NO_TAG) !== null && nextHole(from) >= end) {
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
