/**
 * The languages the service speaks (C10). If you add one here, the compiler reports every catalog of texts that lacks it.
 * Realms may use any existing locale; the locales of users and invitations are free text.
 */
export const locales = ["en", "es"] as const

export type Locale = (typeof locales)[number]

/** The language for people whose languages the service does not speak. */
export const fallbackLocale: Locale = "en"

const languageNames = new Intl.DisplayNames("en", { type: "language", fallback: "none" })

/** Whether a text is an existing BCP 47 locale: its language, and its region if it has one, are registered. */
export const isLocaleTag = (text: string): boolean => {
  try {
    return languageNames.of(text) !== undefined
  } catch {
    return false
  }
}
