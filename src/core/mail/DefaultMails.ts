import type { DefaultMailName } from "#domain/DefaultMail"
import { fallbackLocale, type Locale, locales } from "#domain/Locale"
import type { DefaultMail } from "./texts/DefaultMail.ts"
import { en, type KnownNames, type MailTexts } from "./texts/en.ts"
import { es } from "./texts/es.ts"

const texts: Readonly<Record<Locale, MailTexts>> = { en, es }

const allNames: KnownNames = { inviter: true, org: true }

/** The language of the default mails for somebody of a locale. */
export const defaultMailLanguage = (locale: string | null): Locale => {
  const language = /^[a-z]+/.exec(locale?.toLowerCase() ?? "")?.[0]
  return locales.find((known) => known === language) ?? fallbackLocale
}

/** A default mail in the language of a locale, or in English. `known`: the names that the mail can say. */
export const defaultMail = (name: DefaultMailName, locale: string | null, known = allNames): DefaultMail =>
  texts[defaultMailLanguage(locale)].defaults[name](known)

/** What stands before the plain link of a button. Undefined: the service does not speak the language. */
export const buttonNote = (language: string): string | undefined => {
  const locale = locales.find((known) => known === language)
  return locale === undefined ? undefined : texts[locale].buttonNote
}
