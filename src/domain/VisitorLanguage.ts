import { Context } from "effect"
import type { Locale } from "./Locale.ts"

/** The language that the browser of a visitor asks for (C85). Null: none of ours, or the call is not a visitor's. */
export const VisitorLanguage = Context.Reference<Locale | null>("sallyport/domain/VisitorLanguage", {
  defaultValue: () => null
})

/** The language of a locale, in lower case. */
export const languageOf = (locale: string): string | undefined => locale.toLowerCase().split(/[-_]/)[0]

/** The first of a realm's locales in a language: that of somebody who uses the pages in it. Null if the realm has none. */
export const localeIn = (available: ReadonlyArray<string>, language: Locale | null): string | null =>
  available.find((locale) => languageOf(locale) === language) ?? null
