import type { ConnectedApp } from "./ConnectedApp.ts"

/** The origin of a URL; undefined for URLs without a web origin, such as the custom schemes of mobile apps. */
export const originOf = (url: string | null): string | undefined => {
  const origin = url === null ? undefined : URL.parse(url)?.origin
  return origin === "null" ? undefined : origin
}

/** The origins of an app: its own host, its handlers and its redirect URIs (C42, SEC-34). */
export const originsOf = (app: ConnectedApp, own: string): ReadonlyArray<string> => {
  const others = [app.loginHandler, app.signupHandler, ...app.redirectUris].map(originOf)
  return [...new Set([own, ...others.filter((origin) => origin !== undefined)])]
}
