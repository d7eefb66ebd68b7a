import type { Attributes, IOptions, Tag } from "sanitize-html"
import sanitize from "sanitize-html"

/** The elements allowed in an app's header and footer: text, structure, lists, links, images, tables. */
export const markupTags = [
  ..."h1 h2 h3 h4 h5 h6 p div section nav span br wbr hr blockquote pre figure figcaption address".split(" "),
  ..."a abbr b bdi bdo cite code del em i ins kbd mark q s small strong sub sup time u var".split(" "),
  ..."ul ol li dl dt dd img".split(" "),
  ..."table caption thead tbody tfoot tr th td".split(" ")
] as const

/**
 * The allowed attributes. `id` and `name` are not allowed, because they could clash with IDs and names of the pages. Only
 * links and images may have URLs.
 */
export const markupAttributes: Readonly<Record<string, ReadonlyArray<string>>> = {
  "*": ["class", "title", "lang", "dir", "aria-label", "aria-hidden"],
  a: ["href", "hreflang", "rel"],
  img: ["src", "alt", "width", "height"],
  ol: ["start", "reversed"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan", "scope"],
  time: ["datetime"]
}

/** How deeply elements may be nested. Deeper elements become siblings. */
const MAX_NESTING = 100

/** Elements that are removed together with their content: code, data, and elements with special parsing rules. */
const droppedElements =
  "script style textarea option select noscript noembed noframes iframe object svg math template title xmp plaintext"

/** Elements that the pages use for their own layout. */
const pageElements = ["header", "footer", "main", "article", "aside", "center"]

/** Returns the scheme of a URL as browsers parse it. */
const schemeOf = (address: string): string | undefined => URL.parse(address, "https://relative.invalid/")?.protocol

const linkSchemes = ["https:", "http:", "mailto:"]

/** Makes a link open in the same window and send no referrer. */
const link = (tagName: string, { href, rel: _, ...others }: Attributes): Tag => {
  const isAllowed = href !== undefined && linkSchemes.includes(schemeOf(href) ?? "")
  return { tagName, attribs: { ...others, ...(isAllowed ? { href } : {}), rel: "noopener noreferrer" } }
}

/** Requires an absolute https URL for images. A relative URL would be requested from our host with the reader's cookies. */
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
  nonTextTags: droppedElements.split(" "),
  nestingLimit: MAX_NESTING,
  enforceHtmlBoundary: false,
  parseStyleAttributes: false,
  transformTags: { a: link, img: image, ...Object.fromEntries(pageElements.map((part) => [part, "div"])) },
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && attribs["src"] === undefined
}

/** The maximum number of sanitizing passes. */
const MAX_PASSES = 8

/**
 * Removes everything from an app's markup that can run code or send data, and closes open elements (SEC-31). Cleaning the
 * result again doesn't change it.
 */
export const cleanMarkup = (markup: string): string => {
  let [before, after] = [markup, sanitize(markup, options)]
  // Removing an element can leave invalid nesting around it, which another pass resolves.
  for (let pass = 1; pass < MAX_PASSES && after !== before; pass++) {
    before = after
    after = sanitize(before, options)
  }
  return after
}
