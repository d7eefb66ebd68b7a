import type { StoredMail } from "#domain/Mail"

type Bodies = Pick<StoredMail, "html" | "text">

const entities: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", nbsp: " ", quot: '"' }

const character = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd")

/** Decodes HTML character references. */
const decodeEntities = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name: string | undefined) => {
    if (name !== undefined) return entities[name] ?? whole
    return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })

const stripCode = (html: string): string =>
  html.replace(/<!--[^]*?(?:-->|$)|<(style|script|title)\b[^]*?(?:<\/\1|$)/gi, " ")

// Finding attributes takes linear time, because the characters of an attribute are not scanned again.
const ANCHOR = /<a(?=[\s/])/gi
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/y

/** Returns the URLs of a document's anchors. */
const anchors = (html: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  ANCHOR.lastIndex = 0
  while (ANCHOR.exec(html) !== null) {
    ATTRIBUTE.lastIndex = ANCHOR.lastIndex
    for (let match = ATTRIBUTE.exec(html); match !== null; match = ATTRIBUTE.exec(html)) {
      const [, name = "", double, single, bare] = match
      ANCHOR.lastIndex = ATTRIBUTE.lastIndex
      if (name.toLowerCase() === "href") found.push(decodeEntities(double ?? single ?? bare ?? "").trim())
    }
  }
  return found
}

const BARE_LINK = /https?:\/\/(?:\[[\da-f:.]+\])?[^\s<>"[\]{}|\\^`]*/gi

/** Removes punctuation at the end of a link, and a closing parenthesis that belongs to the surrounding text. */
const trimPunctuation = (link: string): string => {
  const ends = link.includes("(") ? ".,;:!?'*_" : ".,;:!?'*_)"
  let length = link.length
  while (length > 0 && ends.includes(link.charAt(length - 1))) length -= 1
  return link.slice(0, length)
}

const bareLinks = (text: string): ReadonlyArray<string> => (text.match(BARE_LINK) ?? []).map(trimPunctuation)

const isWebLink = (link: string): boolean => /^https?:\/\/[^\s]+$/i.test(link) && URL.canParse(link)

/** Returns the web links of an email without duplicates: first those in the text, then those in the HTML. */
export const extractLinks = ({ html, text }: Bodies): ReadonlyArray<string> => [
  ...new Set([...bareLinks(text ?? ""), ...anchors(stripCode(html ?? ""))].filter(isWebLink))
]

const CODE = /(?<![\w.,#&+-])\d{6}(?![\w-]|[.,]\d)/g

const textOf = (html: string): string => decodeEntities(stripCode(html).replace(/<[^<>]*>/g, " "))

/** Returns the six-digit codes in an email and its subject, without duplicates. */
export const extractCodes = ({ subject, html, text }: Bodies & Pick<StoredMail, "subject">): ReadonlyArray<string> => [
  ...new Set(`${subject} ${text ?? textOf(html ?? "")}`.replace(BARE_LINK, " ").match(CODE))
]
