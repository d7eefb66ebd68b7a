import { Context, Option, Struct } from "effect"
import { HttpApi } from "effect/http-api"
import { Streamed } from "#api/Access"
import { Api } from "#api/Api"
import { hostedOperations } from "#api/hosted/V1"
import { hostedPaths, operatorApiPath } from "#domain/HostedPaths"
import { oauthEndpoints, oauthPath } from "#domain/oauth/OAuthPaths"
import { APP_PREVIEW, apiUrlOf, CONSOLE, CONSOLE_API, isConsoleUrl, PREVIEW_FRAME } from "./ConsolePaths.ts"
import { publicKeyPaths } from "./keys/PublicKeys.ts"

/** A route's template, such as `/v2/users/:user_id`, and its methods. */
export interface RouteTemplate {
  readonly path: string
  readonly methods: ReadonlyArray<string>
}

const trimmed = (path: string) => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path)

const collect = (): ReadonlyMap<string, Set<string>> => {
  const found = new Map<string, Set<string>>()
  const add = (method: string, path: string) => {
    const methods = found.get(path) ?? new Set<string>()
    found.set(path, methods.add(method))
    if (method === "GET") methods.add("HEAD")
  }
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => add(endpoint.method, trimmed(endpoint.path))
  })
  for (const path of [
    "/.well-known/change-password",
    "/.well-known/passkey-endpoints",
    "/.well-known/webauthn",
    "/console",
    "/console/assets/:file",
    "/console/login",
    PREVIEW_FRAME,
    "/console/session",
    "/docs",
    "/docs/guides",
    "/docs/guides/:guide",
    "/docs/docs.js",
    "/docs/reference/:group",
    "/docs/search",
    "/healthz",
    "/metrics",
    "/openapi.json",
    "/readyz"
  ]) {
    add("GET", path)
  }
  for (const path of publicKeyPaths) for (const method of ["GET", "OPTIONS"]) add(method, path)
  for (const method of ["POST", "DELETE"]) add(method, "/console/session")
  add("POST", APP_PREVIEW)
  for (const { path, methods } of hostedPaths) for (const method of methods) add(method, path)
  for (const name of Struct.keys(oauthEndpoints))
    for (const method of oauthEndpoints[name].methods) add(method, oauthPath(name, ":realm_id"))
  for (const { path } of Object.values(hostedOperations))
    for (const method of ["GET", "POST", "OPTIONS"]) add(method, path)
  for (const method of ["GET", "POST", "OPTIONS"]) add(method, operatorApiPath(hostedOperations.passkeyOptions.path))
  return found
}

const isParam = (segment: string) => segment.startsWith(":")

/** Routes with fixed segments take precedence over those with parameters. */
const templates = [...collect()]
  .map(([path, methods]) => ({ segments: path.split("/"), path, methods: [...methods] }))
  .toSorted((a, b) => a.segments.filter(isParam).length - b.segments.filter(isParam).length)

const collectStreamed = (): ReadonlySet<string> => {
  const found = new Set<string>()
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint: { annotations, path } }) => {
      if (Option.isSome(Context.getOption(annotations, Streamed))) found.add(trimmed(path))
    }
  })
  return found
}

const streamed = collectStreamed()

/** Returns whether requests to a path are streamed. A streamed request has no time limit. */
export const isStreamed = (url: string): boolean => streamed.has(trimmed((apiUrlOf(url) ?? url).split("?", 1)[0] ?? ""))

/** The console's page is served at every address below `/console` that has no other route. */
const pagesOfConsole: RouteTemplate = { path: `${CONSOLE}/*`, methods: ["GET", "HEAD"] }

const templateOf = (url: string): RouteTemplate | undefined => {
  const [path = ""] = url.split("?", 1)
  const segments = trimmed(path).split("/")
  const [best, ...others] = templates.filter(
    (template) =>
      template.segments.length === segments.length &&
      template.segments.every((segment, index) =>
        isParam(segment) ? segments[index] !== "" : segment === segments[index]
      )
  )
  if (best === undefined || others.length === 0) return best
  return { path: best.path, methods: [...new Set([best, ...others].flatMap(({ methods }) => methods))] }
}

/**
 * Returns the route that a path matches, regardless of the method, with the methods of all matching routes. The routes of the
 * management API also exist below the console's path.
 */
export const routeTemplateOf = (url: string): RouteTemplate | undefined => {
  const apiUrl = apiUrlOf(url)
  if (apiUrl === undefined) return templateOf(url) ?? (isConsoleUrl(url) ? pagesOfConsole : undefined)
  const found = templateOf(apiUrl)
  return found === undefined ? undefined : { ...found, path: CONSOLE_API + found.path }
}
