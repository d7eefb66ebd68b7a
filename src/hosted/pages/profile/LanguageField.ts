import { type Locale, locales } from "#domain/Locale"
import type { Realm } from "#domain/Realm"
import type { User } from "#domain/User"
import { languageOf, localeIn } from "#domain/VisitorLanguage"
import type { FormValues } from "../../Form.ts"
import type { Field } from "../../markup/Fields.ts"
import { languageNameOf, type RealmPageContext } from "../../PageContext.ts"

/** The values of two choices: the realm's language, and a stored language that the pages don't support. */
const DEFAULT = "default"
const OTHER = "other"

const isOurs = (language: string | undefined): language is Locale => locales.some((one) => one === language)

/** Returns the user's current choice. */
const choiceOf = ({ locale }: User): string => {
  if (locale === null) return DEFAULT
  const language = languageOf(locale)
  return isOurs(language) ? language : OTHER
}

/** Returns the name of a locale in the language of the page. A locale can be any text. */
const nameOf = (locale: string, pageLanguage: string): string => {
  try {
    return new Intl.DisplayNames(pageLanguage, { type: "language" }).of(locale) ?? locale
  } catch {
    return locale
  }
}

/** The field for the language of emails (C92). `typed` is the choice in a rejected form. */
export const languageField = ({ texts, realm }: RealmPageContext, user: User, typed: string | undefined): Field => {
  const { profile: copy, language } = texts
  const named = (locale: string) => {
    const ours = languageOf(locale)
    return isOurs(ours) ? languageNameOf(ours) : nameOf(locale, language)
  }
  const other = choiceOf(user) === OTHER && user.locale !== null ? [{ value: OTHER, label: named(user.locale) }] : []
  return {
    name: "language",
    label: copy.language,
    type: "text",
    autocomplete: "language",
    hint: copy.languageHint,
    value: typed ?? choiceOf(user),
    choices: [
      { value: DEFAULT, label: copy.languageDefault(named(realm.defaultLocale)) },
      ...locales.map((locale) => ({ value: locale, label: languageNameOf(locale), language: locale })),
      ...other
    ]
  }
}

/**
 * Returns the locale chosen in a form. This is the realm's variant of the language, if there is one. Returns an empty object
 * if the choice is unchanged.
 */
export const localeChosenIn = (form: FormValues, realm: Realm, user: User): { readonly locale?: string | null } => {
  const choice = form("language")
  if (choice === choiceOf(user)) return {}
  if (choice === DEFAULT) return { locale: null }
  return isOurs(choice) ? { locale: localeIn(realm.availableLocales, choice) ?? choice } : {}
}
