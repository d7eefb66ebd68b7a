import { type Locale, locales } from "#domain/Locale"
import type { Realm } from "#domain/Realm"
import type { User } from "#domain/User"
import { languageOf, localeIn } from "#domain/VisitorLanguage"
import type { FormValues } from "../../Form.ts"
import type { Field } from "../../markup/Fields.ts"
import { languageNameOf, type RealmPageContext } from "../../PageContext.ts"

/** The values of the choices for the realm's language, and for a stored language that the pages don't have. */
const DEFAULT = "default"
const OTHER = "other"

const isOurs = (language: string | undefined): language is Locale => locales.some((one) => one === language)

/** The user's current choice. */
const choiceOf = ({ locale }: User): string => {
  if (locale === null) return DEFAULT
  const language = languageOf(locale)
  return isOurs(language) ? language : OTHER
}

/** The name of a locale in the language of the page. A locale may be any text. */
const nameOf = (locale: string, pageLanguage: string): string => {
  try {
    return new Intl.DisplayNames(pageLanguage, { type: "language" }).of(locale) ?? locale
  } catch {
    return locale
  }
}

/** The choice of the language of emails (C92). `typed`: the choice in a rejected form. */
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

/** The locale that a form chooses: the realm's variant of the language, if it has one. Empty if the choice is unchanged. */
export const localeChosenIn = (form: FormValues, realm: Realm, user: User): { readonly locale?: string | null } => {
  const choice = form("language")
  if (choice === choiceOf(user)) return {}
  if (choice === DEFAULT) return { locale: null }
  return isOurs(choice) ? { locale: localeIn(realm.availableLocales, choice) ?? choice } : {}
}
