import { Context } from "effect"
import type { Locale } from "./Locale.ts"

/**
 * The language that a visitor's browser requests (C85). Null: the service speaks none of the requested languages, or the call
 * is not a visitor's.
 */
export const VisitorLanguage = Context.Reference<Locale | null>("sallyport/domain/VisitorLanguage", {
  defaultValue: () => null
})

/** The language of a locale, in lower case. */
export const languageOf = (locale: string): string | undefined => locale.toLowerCase().split(/[-_]/)[0]

/** The realm's first locale in a language, for a person who uses the pages in that language. Null if the realm has none. */
export const localeIn = (available: ReadonlyArray<string>, language: Locale | null): string | null =>
  available.find((locale) => languageOf(locale) === language) ?? null
