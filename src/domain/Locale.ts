/**
 * The languages the service speaks (C10). Adding one here makes the compiler name every catalogue of texts that lacks
 * it. Realms may have any locale that exists; those of users and invitations are free text.
 */
export const locales = ["en", "es"] as const

export type Locale = (typeof locales)[number]

/** The language of whoever wants none that the service speaks. */
export const fallbackLocale: Locale = "en"

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" })

/** Whether a text is a locale that exists, in BCP 47: its language, and its region if it has one, are registered. */
export const isLocaleTag = (text: string): boolean => {
  try {
    return languageNames.of(text) !== undefined
  } catch {
    return false
  }
}
