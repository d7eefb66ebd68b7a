import { createHash } from "node:crypto"
import type { Reply } from "#testing/Api"
import { HANDLER } from "../external/BrowserLogins.ts"
import { Browser } from "./browser.ts"
import { newRealm } from "./sallyport.ts"

/** The appearance of an app that has none. */
export const noAppearance = {
  name: null,
  logo_url: null,
  dark_logo_url: null,
  color: null,
  dark_color: null,
  background: null,
  dark_background: null,
  font: null,
  radius: null,
  layout: null,
  email_logo_url: null,
  dark_email_logo_url: null
}

/** Matches the URL of a logo. */
export const LOGO = /^https:\/\/[\w.-]+\/assets\/logos\/[\da-f]{32}\.(png|svg)$/

/** Creates an app. Returns it with functions that change its appearance and show its pages to a stranger. */
export const newApp = async (appearance: object | null | undefined = undefined, realmSettings = {}) => {
  const realm = await newRealm(realmSettings)
  const app = await realm.connectedApp({ login_handler: HANDLER, ...(appearance === undefined ? {} : { appearance }) })
  const origin = `https://${app.string("domains", 0)}`
  const set = (changed: object | null) =>
    realm.put(`/v2/client_apps/${app.id}`, { client_app: { appearance: changed } })
  const show = (page = "/login") => new Browser(realm.transport).go(new URL(page, origin))
  return { realm, app, origin, set, show }
}

/** The content security policy of a page. */
export const policyOf = ({ headers }: Reply): string => headers.get("content-security-policy") ?? ""

/** The style sheets in a page. */
export const stylesOf = ({ text }: Reply): ReadonlyArray<string> =>
  [...text.matchAll(/<style>(.*?)<\/style>/gs)].map(([, css = ""]) => css)

/** A style sheet's digest in a content security policy. */
export const digestOf = (css: string): string => `'sha256-${createHash("sha256").update(css).digest("base64")}'`
