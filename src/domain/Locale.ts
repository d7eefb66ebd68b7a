/**
 * The supported languages (C10). If you add one, the compiler reports each text catalog that lacks it. Realms may use any
 * registered locale. The locales of users and invitations are free text.
 */
export const locales = ["en", "es"] as const

export type Locale = (typeof locales)[number]

/** The language for people whose own languages are not supported. */
export const fallbackLocale: Locale = "en"

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" })

/** Returns whether a string is a BCP 47 locale with a registered language and, if present, a registered region. */
export const isLocaleTag = (text: string): boolean => {
  try {
    return languageNames.of(text) !== undefined
  } catch {
    return false
  }
}
