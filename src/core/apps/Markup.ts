import { Effect } from "effect"
import type { Attributes, IOptions, Tag } from "sanitize-html"

/** The elements that an app's header and footer may have: text, structure, lists, links, images, tables. */
export const markupTags = [
  ..."h1 h2 h3 h4 h5 h6 p div section nav span br wbr hr blockquote pre figure figcaption address".split(" "),
  ..."a abbr b bdi bdo cite code del em i ins kbd mark q s small strong sub sup time u var".split(" "),
  ..."ul ol li dl dt dd img".split(" "),
  ..."table caption thead tbody tfoot tr th td".split(" ")
] as const

/** What they may say besides. No `id` and no `name`: the pages have theirs; nothing that is asked for by an address but these. */
export const markupAttributes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "*": ["class", "title", "lang", "dir", "aria-label", "aria-hidden"],
  a: ["href", "hreflang", "rel"],
  img: ["src", "alt", "width", "height"],
  ol: ["start", "reversed"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan", "scope"],
  time: ["datetime"]
}

/** How deep elements may lie in each other; what lies deeper stands beside the last. */
const MOST_NESTED = 100

/** What is dropped together with what it holds: code, data, and what browsers read by rules of its own. */
const unread =
  "script style textarea option select noscript noembed noframes iframe object svg math template title xmp plaintext"

/** The parts of a page that it has itself. */
const parts = ["header", "footer", "main", "article", "aside", "center"]

/** Where an address leads, as a browser understands it. */
const schemeOf = (address: string): string | undefined => URL.parse(address, "https://relative.invalid/")?.protocol

const linkSchemes = ["https:", "http:", "mailto:"]

/** A link opens in place, and tells nobody where it was. */
const link = (tagName: string, { href, rel: _, ...others }: Attributes): Tag => {
  const isFine = href !== undefined && linkSchemes.includes(schemeOf(href) ?? "")
  return { tagName, attribs: { ...others, ...(isFine ? { href } : {}), rel: "noopener noreferrer" } }
}

/** An image comes from elsewhere, by https: an address of ours would be asked in the reader's name. */
const image = (tagName: string, { src = "", ...others }: Attributes): Tag => {
  const url = URL.parse(src)
  return { tagName, attribs: url?.protocol === "https:" ? { ...others, src: url.href } : others }
}

const options: IOptions = {
  allowedTags: [...markupTags],
  allowedAttributes: Object.fromEntries(Object.entries(markupAttributes).map(([tag, names]) => [tag, [...names]])),
  allowedSchemes: ["https", "http", "mailto"],
  allowedSchemesByTag: { img: ["https"] },
  allowProtocolRelative: false,
  nonTextTags: unread.split(" "),
  nestingLimit: MOST_NESTED,
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
  transformTags: { a: link, img: image, ...Object.fromEntries(parts.map((part) => [part, "div"])) },
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && attribs["src"] === undefined
}

/** How often at most it takes until nothing changes any more. */
const MOST_PASSES = 8

/**
 * Leaves of an app's markup what can neither run nor send anything, and closes whatever it opens (SEC-31). What is clean
 * stays as it is. What does it is loaded by the first app that has any.
 */
export const cleaner = Effect.map(
  Effect.promise(() => import("sanitize-html")),
  ({ default: sanitize }) =>
    (markup: string): string => {
      let [before, after] = [markup, sanitize(markup, options)]
      // Around what was dropped, elements may lie in each other that never can: read once more, they come apart.
      for (let pass = 1; pass < MOST_PASSES && after !== before; pass++) {
        before = after
        after = sanitize(before, options)
      }
      return after
    }
)
