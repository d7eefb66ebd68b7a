import { openApiDocument } from "#api/docs/Document"
import { DocumentedApi } from "#api/docs/Groups"

/** A part of an OpenAPI document. */
export type Part = { readonly [key: string]: unknown }

export const isPart = (value: unknown): value is Part =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The document as callers receive it. */
export const openApi = openApiDocument(DocumentedApi, {
  version: "0.1.0",
  headers: { apiKey: "X-Api-Key", realm: "X-Realm", ignored: "X-Ignored" },
  loginUrl: "https://{subdomain}.eu.id.example.com"
})

const text = JSON.stringify(openApi)

/** Resolves a reference in a document. Any other part is returned unchanged. */
export const resolvedIn =
  (document: unknown) =>
  (part: unknown): unknown => {
    const ref = isPart(part) ? part["$ref"] : undefined
    if (typeof ref !== "string") return part
    const [, ...steps] = ref.split("/")
    let found = document
    for (const step of steps) found = isPart(found) ? found[step] : undefined
    return found
  }

/** Replaces references to parameters, responses and headers by their targets. Schemas stay references. */
export const inlined = (document: unknown, part: unknown = document): unknown => {
  if (Array.isArray(part)) return part.map((one) => inlined(document, one))
  if (!isPart(part)) return part
  const ref = part["$ref"]
  if (typeof ref === "string" && !ref.startsWith("#/components/schemas/")) {
    return inlined(document, resolvedIn(document)(part))
  }
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, inlined(document, inner)]))
}

/** A newly parsed copy of the document. */
export const parsedOpenApi = (): Part => JSON.parse(text)
