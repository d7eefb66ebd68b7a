/**
 * The languages the service speaks (C10). Adding one here makes the compiler name every catalogue of texts that lacks
 * it. The locales of realms, users and invitations are free text.
 */
export const locales = ["en", "es"] as const

export type Locale = (typeof locales)[number]

/** The language of whoever wants none that the service speaks. */
export const fallbackLocale: Locale = "en"
