import { isJson, type Json, openApi, part, parts, referenced, text, texts } from "./Document.ts"

/** A parameter of a path or query. */
export interface Parameter {
  readonly name: string
  readonly schema: Json
  readonly isRequired: boolean
  readonly description: string
}

/** An operation of the OpenAPI document. */
export interface Operation {
  /** The operation's id, such as `v2.users.create`. */
  readonly id: string
  readonly version: "v1" | "v2"
  /** The resource, such as `auth_providers`. */
  readonly resource: string
  /** The name within the resource, such as `list_urls`. */
  readonly name: string
  /** The method and path, such as `POST /v2/users`. */
  readonly route: string
  readonly summary: string
  readonly description: string
  readonly path: ReadonlyArray<Parameter>
  readonly query: ReadonlyArray<Parameter>
  /** The schema of the request body, or undefined if there is none. */
  readonly body: Json | undefined
  /** The schemas of its successful responses. Undefined for a response without a body. */
  readonly answers: ReadonlyArray<Json | undefined>
  /** Whether rows are streamed in one or both directions. */
  readonly isStreamed: boolean
  /** Whether its successful response is a redirect. */
  readonly isRedirect: boolean
  /** Whether it requires no API key. */
  readonly isOpen: boolean
  /** Whether it is served on a connected app's host. */
  readonly isOnAppHost: boolean
  /** Whether the query may name the realm. */
  readonly takesRealm: boolean
}

const NDJSON = "application/x-ndjson"

/** A parameter that only browsers use: the name of a function for a script to call (JSONP). */
const OMITTED = "callback"

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const resolved = (parameter: Json): Json =>
  "$ref" in parameter
    ? part(part(part(openApi, "components"), "parameters"), referenced(text(parameter, "$ref")))
    : parameter

const parameterOf = (json: Json): Parameter => ({
  name: text(json, "name"),
  schema: part(json, "schema"),
  isRequired: json["required"] === true,
  description: text(json, "description")
})

/** Returns the media type of a request or response body: rows, JSON or none. */
const mediaOf = (json: Json): { readonly schema: Json; readonly isStreamed: boolean } | undefined => {
  const content = part(json, "content")
  const media = content[NDJSON] ?? content["application/json"]
  return isJson(media) ? { schema: part(media, "schema"), isStreamed: NDJSON in content } : undefined
}

const versioned = (id: string): { readonly version: "v1" | "v2"; readonly resource: string; readonly name: string } => {
  const [first = "", second = "", third = ""] = id.split(".")
  // A resource without a version belongs to the current version.
  if (first !== "v1" && first !== "v2") return { version: "v2", resource: first, name: second }
  return { version: first, resource: second, name: snakeCase(third) }
}

const operationOf = (path: string, method: string, json: Json): Operation => {
  const id = text(json, "operationId")
  const parameters = parts(json, "parameters").map(resolved)
  const within = (place: string) =>
    parameters.filter((one) => one["in"] === place && one["name"] !== OMITTED).map(parameterOf)
  const body = mediaOf(part(json, "requestBody"))
  const responses = Object.entries(part(json, "responses")).filter(([status]) => Number(status) < 400)
  const media = responses.map(([, response]) => (isJson(response) ? mediaOf(response) : undefined))
  const query = within("query")
  return {
    id,
    ...versioned(id),
    route: `${method.toUpperCase()} ${path}`,
    summary: text(json, "summary"),
    description: text(json, "description"),
    path: within("path"),
    query,
    body: body?.schema,
    answers: media.map((one) => one?.schema),
    isStreamed: body?.isStreamed === true || media.some((one) => one?.isStreamed === true),
    isRedirect: responses.every(([status]) => Number(status) >= 300),
    isOpen: Array.isArray(json["security"]) && json["security"].length === 0,
    isOnAppHost: parts(json, "servers").length > 0,
    takesRealm: query.some(({ name }) => name === "realm_id")
  }
}

/** Every operation of the API, in the document's order. */
export const operations: ReadonlyArray<Operation> = Object.entries(part(openApi, "paths")).flatMap(([path, item]) =>
  Object.entries(isJson(item) ? item : {}).flatMap(([method, operation]) =>
    isJson(operation) ? [operationOf(path, method, operation)] : []
  )
)

/** The document's description of a resource. */
export const aboutResource = ({ id, resource }: Operation): string => {
  const names = [id.split(".").slice(0, 2).join("."), resource.replaceAll("_", " ")]
  const operationTags = operationTagsOf(id)
  const tag = parts(openApi, "tags").find((one) => [...names, ...operationTags].includes(text(one, "name")))
  return tag === undefined ? "" : text(tag, "description")
}

const operationTagsOf = (id: string): ReadonlyArray<string> =>
  Object.values(part(openApi, "paths")).flatMap((item) =>
    Object.values(isJson(item) ? item : {}).flatMap((one) =>
      isJson(one) && one["operationId"] === id ? texts(one, "tags") : []
    )
  )
