import type { ConnectedApp } from "./ConnectedApp.ts"

/** The origin of a URL, or undefined if it has no web origin, such as the custom scheme of a mobile app. */
export const originOf = (url: string | null): string | undefined => {
  const origin = url === null ? undefined : URL.parse(url)?.origin
  return origin === "null" ? undefined : origin
}

/** All origins of an app: its own host, its handlers and its redirect URIs (C42, SEC-34). */
export const originsOf = (app: ConnectedApp, own: string): ReadonlyArray<string> => {
  const others = [app.loginHandler, app.signupHandler, ...app.redirectUris].map(originOf)
  return [...new Set([own, ...others.filter((origin) => origin !== undefined)])]
}
