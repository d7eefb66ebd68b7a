import { openApiDocument } from "#api/docs/Document"
import { DocumentedApi } from "#api/docs/Groups"
import { RELEASE } from "#http/docs/Release"

/** A JSON object of the OpenAPI document. */
export type Json = { readonly [key: string]: unknown }

export const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a member that is an object, or an empty object if it is missing. */
export const part = (json: Json, name: string): Json => {
  const found = json[name]
  return isJson(found) ? found : {}
}

/** Returns a member that is a list of objects, or an empty list if it is missing. */
export const parts = (json: Json, name: string): ReadonlyArray<Json> => {
  const found = json[name]
  return Array.isArray(found) ? found.filter(isJson) : []
}

/** Returns a member that is a string, or an empty string if it is missing. */
export const text = (json: Json, name: string): string => {
  const found = json[name]
  return typeof found === "string" ? found : ""
}

/** Returns a member that is a list of strings, or an empty list if it is missing. */
export const texts = (json: Json, name: string): ReadonlyArray<string> => {
  const found = json[name]
  return Array.isArray(found) ? found.filter((one) => typeof one === "string") : []
}

/** The OpenAPI document, as served at `/openapi.json`. */
export const openApi: Json = JSON.parse(
  JSON.stringify(
    openApiDocument(DocumentedApi, {
      version: RELEASE,
      headers: { apiKey: "X-Service-Api-Key", realm: "X-Service-Realm", ignored: "X-Service-Ignored" },
      loginUrl: "https://{subdomain}.id.example.com"
    })
  )
)

/** Returns the name of the component that a reference points to. */
export const referenced = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)
