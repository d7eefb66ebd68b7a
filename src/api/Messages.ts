import { fallbackLocale, type Locale, locales } from "#domain/Locale"
import type { Problem } from "#domain/Rejected"
import type { Catalogue } from "./messages/Catalogue.ts"
import { en } from "./messages/en.ts"
import { es } from "./messages/es.ts"

/** The codes that have a message. */
export type Code = keyof typeof en.sentences

/** The messages in each language of the service. */
export const catalogues: Readonly<Record<Locale, Catalogue>> = { en, es } satisfies Record<
  Locale,
  { readonly sentences: Readonly<Record<Code, string>> }
>

const humanName = (field: string): string => {
  const words = field
    .replace(/_ids?$/, "")
    .replaceAll("_", " ")
    .replaceAll(/\b(api|ip|jwt|otp|url)\b/g, (abbreviation) => abbreviation.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const labelIn = (catalogue: Catalogue, field: string): string => {
  // Callers choose the keys of custom attributes, so they are not translated.
  if (/(?:^|\.)custom\./.test(field)) return field
  if (!/\[\d+\]/.test(field)) return catalogue.fields[field] ?? humanName(field)
  const [, parent, last = field] = /^(.*)\.([^.]+)$/.exec(field) ?? []
  return `${labelIn(catalogue, last.replaceAll(/\[\d+\]/g, ""))} (${parent ?? field})`
}

const countedBy = ({ limits }: Catalogue, limit: string | number | undefined): string =>
  new Map<unknown, string>(Object.entries(limits)).get(limit) ?? ""

/** Characters in callers' values that are invisible or would break the line. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]/gu

/**
 * Formats the message for a problem in a language. If the field is a path, the message appends the path to the member's name.
 * `label`: the field's label in a form, if it differs from the usual one. A problem with a `resource` is about that resource,
 * whichever field named it; one with a `limit` says what the limit counts.
 */
export const sentence = (catalogue: Catalogue, { code, field, params }: Problem, label?: string): string => {
  const written = catalogue.sentences[code] ?? en.sentences.invalid
  const template = written.replaceAll(/\[([^[\]]*\{(\w+)\}[^[\]]*)\]/g, (_, part: string, name: string) =>
    params?.[name] === undefined ? "" : part
  )
  const about = params?.["resource"] === undefined ? field : String(params["resource"])
  const named = label ?? (about === null ? "" : labelIn(catalogue, about))
  const counted = countedBy(catalogue, params?.["limit"])
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "field") return named
    return name === "counted" ? counted : String(params?.[name] ?? "").replaceAll(UNSEEN, "\ufffd")
  })
}

/**
 * Formats the message for a problem that is shown next to its field's label: without the label, if the message begins with it.
 */
export const unlabelledSentence = (catalogue: Catalogue, problem: Problem): string => {
  const mark = "\0"
  const rest = sentence(catalogue, problem, mark).replace(/^\0(?::| is)? /, "")
  return rest.includes(mark) ? sentence(catalogue, problem) : rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** The first of the wanted languages, best first, that the service has; null if it has none of them. */
export const languageIn = (wished: ReadonlyArray<string>): Locale | null => {
  for (const wish of wished) {
    const language = wish.toLowerCase().split("-")[0]
    const found = locales.find((locale) => locale === language)
    if (found !== undefined) return found
  }
  return null
}

/** The catalogue of the first wanted language, best first, that the service has (C10). */
export const catalogueFor = (wished: ReadonlyArray<string>): Catalogue =>
  catalogues[languageIn(wished) ?? fallbackLocale]

/** The languages of an `Accept-Language` header, best first. */
export const acceptedLanguages = (header: string | undefined): ReadonlyArray<string> =>
  (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((part) => {
      const [tag = "", ...params] = part.trim().split(";")
      const quality = params.map((param) => param.trim()).find((param) => param.startsWith("q="))
      return { tag: tag.trim(), quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ tag, quality }) => tag !== "" && quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
