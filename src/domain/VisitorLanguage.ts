import { Context } from "effect"
import type { Locale } from "./Locale.ts"

/**
 * The language requested by a visitor's browser (C85). Null if none of the requested languages is supported, or if the call
 * is not from a visitor.
 */
export const VisitorLanguage = Context.Reference<Locale | null>("sallyport/domain/VisitorLanguage", {
  defaultValue: () => null
})

/** The language of a locale, in lower case. */
export const languageOf = (locale: string): string | undefined => locale.toLowerCase().split(/[-_]/)[0]

/** The realm's first locale in the language of the pages that a person uses. Null if the realm has none. */
export const localeIn = (available: ReadonlyArray<string>, language: Locale | null): string | null =>
  available.find((locale) => languageOf(locale) === language) ?? null
