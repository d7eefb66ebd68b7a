import type { ConnectedApp } from "./ConnectedApp.ts"

/** The origin of a URL; undefined if it is not that of a page, as for the schemes of mobile apps. */
export const originOf = (url: string | null): string | undefined => {
  const origin = url === null ? undefined : URL.parse(url)?.origin
  return origin === "null" ? undefined : origin
}

/** The origins of an app: of its own host, its handlers and its redirect URIs (C42, SEC-34). */
export const originsOf = (app: ConnectedApp, own: string): ReadonlyArray<string> => {
  const others = [app.loginHandler, app.signupHandler, ...app.redirectUris].map(originOf)
  return [...new Set([own, ...others.filter((origin) => origin !== undefined)])]
}
