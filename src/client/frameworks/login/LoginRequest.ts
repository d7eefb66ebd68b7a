import type { RequestParts } from "../Authenticate.ts"
import { parsedUrl } from "./ParsedUrl.ts"

/** The parts of a request that the login depends on. */
export interface LoginRequest extends RequestParts {
  /** The path and query. */
  readonly url: string
}

/** The path and the query of a request. */
export const locationOf = ({ url }: LoginRequest): { readonly path: string; readonly query: URLSearchParams } => {
  const at = url.indexOf("?")
  return at === -1
    ? { path: url, query: new URLSearchParams() }
    : { path: url.slice(0, at), query: new URLSearchParams(url.slice(at)) }
}

/** Whether a browser shows the response as a page. */
export const isNavigation = ({ method, header }: LoginRequest): boolean =>
  method === "GET" &&
  (header("accept") ?? "").includes("text/html") &&
  (header("sec-fetch-mode") ?? "navigate") === "navigate"

/** Whether the request has an API token in place of a cookie. */
export const isBearer = ({ header }: LoginRequest): boolean => /^bearer /i.test(header("authorization") ?? "")

/** The origin of the page that sent the request, if a browser confirms that it is a page of this app. */
export const browserOrigin = ({ header }: LoginRequest): string | undefined => {
  if (header("sec-fetch-site") !== "same-origin") return undefined
  const origin = header("origin")
  return origin === undefined || origin === "null" ? parsedUrl(header("referer") ?? "")?.origin : origin
}
