import { acceptedLanguages, catalogueFor } from "#api/Messages"
import type { Catalogue } from "#api/messages/Catalogue"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import type { Locale } from "#domain/Locale"
import type { Realm } from "#domain/Realm"
import type { FlowParams } from "./FlowParams.ts"
import { en, type Texts } from "./texts/en.ts"
import { es } from "./texts/es.ts"

const texts: Readonly<Record<Locale, Texts>> = { en, es }

/** Returns the name of a language in that language. */
export const languageNameOf = (locale: Locale): string => texts[locale].languageName

/** The context in which a page is rendered: the language, and the realm and app if they are known. */
export interface PageContext {
  readonly texts: Texts
  /** The error messages in the same language. */
  readonly catalogue: Catalogue
  readonly realm: Realm | undefined
  /** The app on whose host the page is, or undefined if the page belongs to the realm. */
  readonly app?: ConnectedApp
  /** The parameters of the login flow, on an app's pages. */
  readonly flow?: FlowParams
  /** The URL of the mailbox, if emails are stored there instead of being sent. */
  readonly mailboxUrl?: string | undefined
  /** The client of the flow's authorization request, if that request is still open. */
  readonly client?: OAuthClient | undefined
}

/** The context of a page in a known realm. */
export interface RealmPageContext extends PageContext {
  readonly realm: Realm
}

/** The context of a page on the host of an app. */
export interface AppPageContext extends RealmPageContext {
  readonly app: ConnectedApp
}

/** Switches a context to the languages preferred by the client of an authorization request (OpenID Connect Core §3.1.2.1). */
export const inLocales = <C extends PageContext>(
  context: C,
  acceptLanguage: string | undefined,
  locales: string | undefined
): C => {
  if (locales === undefined) return context
  const preferred = locales.split(" ").filter((locale) => /^[A-Za-z]{1,8}(-[A-Za-z\d]{1,8})*$/.test(locale))
  const { texts, catalogue } = pageContext([...preferred, acceptLanguage ?? ""].join(","), context.realm)
  return { ...context, texts, catalogue }
}

/**
 * Returns the context for a request. The language is determined by `Accept-Language`, then the realm's locale, then English
 * (C10).
 */
export const pageContext = <R extends Realm | undefined>(
  acceptLanguage: string | undefined,
  realm: R
): PageContext & { readonly realm: R } => {
  const accepted = acceptedLanguages(acceptLanguage)
  const catalogue = catalogueFor([...accepted, ...(realm === undefined ? [] : [realm.defaultLocale])])
  return { texts: texts[catalogue.language], catalogue, realm }
}
