import { KEYWORDS } from "../Description.ts"

/** A JSON Schema, or a part of one. */
type Json = { readonly [key: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const without = (schema: Json, ...keys: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)))

/** What remains of a schema whose type is replaced. */
const annotations = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => ["description", "default", "examples"].includes(key)))

const isChoice = (schema: Json): boolean => "anyOf" in schema || "oneOf" in schema || "allOf" in schema

/** Puts keywords in their place. */
const withKeywords = (schema: Json): Json => {
  const { [KEYWORDS]: keywords, ...rest } = schema
  if (!isJson(keywords)) return rest
  return "type" in keywords || "$ref" in keywords ? { ...keywords, ...annotations(rest) } : { ...rest, ...keywords }
}

/** Puts what was said about a value beside its type, not into a part of its own. */
const flat = (schema: Json): Json => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const parts = allOf.filter(isJson)
  const [kept, merged] = [parts.filter(isChoice), parts.filter((part) => !isChoice(part))]
  const keywords = Object.assign({}, ...[rest, ...merged].map((part) => part[KEYWORDS]))
  return {
    ...Object.assign({}, rest, ...merged),
    ...(Object.keys(keywords).length === 0 ? {} : { [KEYWORDS]: keywords }),
    ...(kept.length === 0 ? {} : { allOf: kept })
  }
}

const typesOf = ({ type }: Json): ReadonlyArray<string> => (Array.isArray(type) ? type : [String(type)])

/** Whether these are objects that have names, and null. */
const isNullableObject = (parts: ReadonlyArray<Json>): boolean =>
  parts.length > 1 &&
  parts.filter(({ type }) => type === "null").length === 1 &&
  parts.every((part) => "$ref" in part || part["type"] === "null")

/**
 * A choice between types as one schema, where no keyword means something else for another of them. An object that may be null has
 * its types beside the choice: the reader of `/docs` marks schemas without a type, misses some, and then calls the document invalid.
 */
const compact = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const parts = anyOf.filter(isJson)
  if (isNullableObject(parts)) return { ...schema, type: ["object", "null"] }
  if (parts.some((part) => !("type" in part))) return schema
  const types = parts.flatMap(typesOf)
  const said = parts.filter((part) => Object.keys(part).length > 1)
  const [only = {}, ...others] = said
  if (others.length > 0 || new Set(types).size < types.length) return schema
  const nullable = Array.isArray(only["enum"]) && types.includes("null") ? { enum: [...only["enum"], null] } : {}
  return { ...only, ...rest, ...nullable, type: types.length === 1 ? types[0] : types }
}

/** What holds no schemas. */
const verbatim = [KEYWORDS, "enum", "default", "examples"]

/**
 * A schema as the reference prints it. The framework's output closes objects, but callers may send members that are ignored, and
 * answers may gain some (C8).
 */
export const jsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(jsonSchema)
  if (!isJson(value)) return value
  const open = value["additionalProperties"] === false ? without(value, "additionalProperties") : value
  const inner = Object.fromEntries(
    Object.entries(flat(open)).map(([key, part]) => [key, verbatim.includes(key) ? part : jsonSchema(part)])
  )
  return compact(withKeywords(inner))
}
