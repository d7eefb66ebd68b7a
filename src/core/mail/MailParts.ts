import type { KeptMail } from "#domain/Mail"

type Bodies = Pick<KeptMail, "html" | "text">

const entities: Readonly<Record<string, string>> = { amp: "&", apos: "'", gt: ">", lt: "<", nbsp: " ", quot: '"' }

const character = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd")

/** A text of HTML as it reads. */
const decoded = (html: string): string =>
  html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name: string | undefined) => {
    if (name !== undefined) return entities[name] ?? whole
    return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal))
  })

const withoutCode = (html: string): string =>
  html.replace(/<!--[^]*?(?:-->|$)|<(style|script|title)\b[^]*?(?:<\/\1|$)/gi, " ")

// Each is linear: what an attribute took is not looked at again.
const ANCHOR = /<a(?=[\s/])/gi
const ATTRIBUTE = /[\s/]*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/y

/** The addresses that the anchors of a document lead to. */
const anchors = (html: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  ANCHOR.lastIndex = 0
  while (ANCHOR.exec(html) !== null) {
    ATTRIBUTE.lastIndex = ANCHOR.lastIndex
    for (let match = ATTRIBUTE.exec(html); match !== null; match = ATTRIBUTE.exec(html)) {
      const [, name = "", double, single, bare] = match
      ANCHOR.lastIndex = ATTRIBUTE.lastIndex
      if (name.toLowerCase() === "href") found.push(decoded(double ?? single ?? bare ?? "").trim())
    }
  }
  return found
}

const BARE_LINK = /https?:\/\/(?:\[[\da-f:.]+\])?[^\s<>"[\]{}|\\^`]*/gi

/** What ends a sentence, or closes what was opened before the link, is no part of it. */
const trimmed = (link: string): string => {
  const ends = link.includes("(") ? ".,;:!?'*_" : ".,;:!?'*_)"
  let length = link.length
  while (length > 0 && ends.includes(link.charAt(length - 1))) length -= 1
  return link.slice(0, length)
}

const bareLinks = (text: string): ReadonlyArray<string> => (text.match(BARE_LINK) ?? []).map(trimmed)

const isWebLink = (link: string): boolean => /^https?:\/\/[^\s]+$/i.test(link) && URL.canParse(link)

/** The web links of a mail: those of its text, then what only its HTML has, each once. */
export const linksIn = ({ html, text }: Bodies): ReadonlyArray<string> => [
  ...new Set([...bareLinks(text ?? ""), ...anchors(withoutCode(html ?? ""))].filter(isWebLink))
]

const CODE = /(?<![\w.,#&+-])\d{6}(?![\w-]|[.,]\d)/g

const textOf = (html: string): string => decoded(withoutCode(html).replace(/<[^<>]*>/g, " "))

/** The codes of a mail, its subject included: what stands alone and has six digits, each once. */
export const codesIn = ({ subject, html, text }: Bodies & Pick<KeptMail, "subject">): ReadonlyArray<string> => [
  ...new Set(`${subject} ${text ?? textOf(html ?? "")}`.replace(BARE_LINK, " ").match(CODE))
]
