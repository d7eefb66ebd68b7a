import { acceptedLanguages, speaking } from "#api/Messages"
import type { Catalogue } from "#api/messages/Catalogue"
import type { ConnectedApp } from "#domain/ConnectedApp"
import type { Realm } from "#domain/Realm"
import type { Carried } from "./markup/Fields.ts"
import { en, type Texts } from "./texts/en.ts"
import { es } from "./texts/es.ts"

const spoken: ReadonlyArray<Texts> = [en, es]

/** Who a page is for: in which language, and of which realm where that is known. */
export interface Reader {
  readonly texts: Texts
  /** The sentences of refusals, in the same language. */
  readonly catalogue: Catalogue
  readonly realm: Realm | undefined
  /** The app on whose host the page is; none: it belongs to the realm as such. */
  readonly app?: ConnectedApp
  /** What goes along from page to page of an app: where a login leads, and what the app hears again. */
  readonly carried?: Carried
}

/** The same, of a page that belongs to a realm. */
export interface Visit extends Reader {
  readonly realm: Realm
}

/** The same, of a page on the host of an app. */
export interface AppVisit extends Visit {
  readonly app: ConnectedApp
}

/** The reader of a request: by `Accept-Language`, then the realm's locale, then English (decision 10). */
export const readerOf = <R extends Realm | undefined>(
  accepts: string | undefined,
  realm: R
): Reader & { readonly realm: R } => {
  const catalogue = speaking([...acceptedLanguages(accepts), ...(realm === undefined ? [] : [realm.defaultLocale])])
  const texts = spoken.find(({ language }) => language === catalogue.language) ?? en
  return { texts, catalogue, realm }
}
