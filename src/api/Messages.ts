import { fallbackLocale, type Locale, locales } from "#domain/Locale"
import type { Problem } from "#domain/Rejected"
import type { Catalogue } from "./messages/Catalogue.ts"
import { en } from "./messages/en.ts"
import { es } from "./messages/es.ts"

/** The codes that have a message. */
export type Code = keyof typeof en.sentences

/** The messages in each supported language. */
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
  // Callers choose the keys of custom attributes, so the keys are not translated.
  if (/(?:^|\.)custom\./.test(field)) return field
  if (!/\[\d+\]/.test(field)) return catalogue.fields[field] ?? humanName(field)
  const [, parent, last = field] = /^(.*)\.([^.]+)$/.exec(field) ?? []
  return `${labelIn(catalogue, last.replaceAll(/\[\d+\]/g, ""))} (${parent ?? field})`
}

const countedBy = ({ limits }: Catalogue, limit: string | number | undefined): string =>
  new Map<unknown, string>(Object.entries(limits)).get(limit) ?? ""

/** Characters that are invisible or would break the line, if they are in a caller's values. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}]/gu

/**
 * Formats the message for a problem in a language. If the field is a path, the member's name in the message is followed by the
 * path. `label` overrides the field's label, for forms with other labels. If the params of a problem contain a `resource`, the
 * message is about that resource, regardless of the field. If they contain a `limit`, the message includes what the limit
 * counts.
 */
export const formatMessage = (catalogue: Catalogue, { code, field, params }: Problem, label?: string): string => {
  const written = catalogue.sentences[code] ?? en.sentences.invalid
  const template = written.replaceAll(/\[([^[\]]*\{(\w+)\}[^[\]]*)\]/g, (_, part: string, name: string) =>
    params?.[name] === undefined ? "" : part
  )
  const about = params?.["resource"] === undefined ? field : String(params["resource"])
  const named = label ?? (about === null ? "" : labelIn(catalogue, about))
  const counted = countedBy(catalogue, params?.["limit"])
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "field") return named
    return name === "counted" ? counted : String(params?.[name] ?? "").replaceAll(INVISIBLE, "\ufffd")
  })
}

/**
 * Formats the message for a problem that is displayed next to its field's label. If the message begins with the label, the
 * label is omitted.
 */
export const formatMessageWithoutLabel = (catalogue: Catalogue, problem: Problem): string => {
  const mark = "\0"
  const rest = formatMessage(catalogue, problem, mark).replace(/^\0(?::| is)? /, "")
  return rest.includes(mark) ? formatMessage(catalogue, problem) : rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** Returns the first supported language of a list sorted by preference, or null if none is supported. */
export const languageIn = (languages: ReadonlyArray<string>): Locale | null => {
  for (const language of languages) {
    const primary = language.toLowerCase().split("-")[0]
    const found = locales.find((locale) => locale === primary)
    if (found !== undefined) return found
  }
  return null
}

/** Returns the catalogue of the first supported language in a list sorted by preference (C10). */
export const catalogueFor = (languages: ReadonlyArray<string>): Catalogue =>
  catalogues[languageIn(languages) ?? fallbackLocale]

/** Parses an `Accept-Language` header into a list of languages sorted by preference. */
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
