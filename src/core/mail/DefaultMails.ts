import type { DefaultMailName } from "#domain/DefaultMail"
import { fallbackLocale, type Locale, locales } from "#domain/Locale"
import type { DefaultMail } from "./texts/DefaultMail.ts"
import { en, type KnownNames, type MailTexts } from "./texts/en.ts"
import { es } from "./texts/es.ts"

const texts: Readonly<Record<Locale, MailTexts>> = { en, es }

const allNames: KnownNames = { inviter: true, org: true }

/** Returns the language of the default emails for a user with this locale. */
export const defaultMailLanguage = (locale: string | null): Locale => {
  const language = /^[a-z]+/.exec(locale?.toLowerCase() ?? "")?.[0]
  return locales.find((known) => known === language) ?? fallbackLocale
}

/** Returns a default email in the language of a locale, or in English. `known` lists the names that the email can mention. */
export const defaultMail = (name: DefaultMailName, locale: string | null, known = allNames): DefaultMail =>
  texts[defaultMailLanguage(locale)].defaults[name](known)

/** Returns the text before a button's plain link, or undefined if there are no texts in this language. */
export const buttonNote = (language: string): string | undefined => {
  const locale = locales.find((known) => known === language)
  return locale === undefined ? undefined : texts[locale].buttonNote
}
