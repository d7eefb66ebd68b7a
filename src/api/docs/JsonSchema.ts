import { KEYWORDS } from "../Description.ts"

/** A JSON Schema, or a part of one. */
type Json = { readonly [key: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

const without = (schema: Json, ...keys: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)))

/** The annotations that remain if the type of a schema is replaced. */
const annotations = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => ["description", "default", "examples"].includes(key)))

const isChoice = (schema: Json): boolean => "anyOf" in schema || "oneOf" in schema || "allOf" in schema

/** Merges the custom keywords into a schema. */
const withKeywords = (schema: Json): Json => {
  const { [KEYWORDS]: keywords, ...rest } = schema
  if (!isJson(keywords)) return rest
  return "type" in keywords || "$ref" in keywords ? { ...keywords, ...annotations(rest) } : { ...rest, ...keywords }
}

/** Moves a value's annotations next to its type. The framework nests them in an `allOf`. */
const flatten = (schema: Json): Json => {
  const { allOf, ...rest } = schema
  if (!Array.isArray(allOf)) return schema
  const parts = allOf.filter(isJson)
  const [choices, merged] = [parts.filter(isChoice), parts.filter((part) => !isChoice(part))]
  const keywords = Object.assign({}, ...[rest, ...merged].map((part) => part[KEYWORDS]))
  return {
    ...Object.assign({}, rest, ...merged),
    ...(Object.keys(keywords).length === 0 ? {} : { [KEYWORDS]: keywords }),
    ...(choices.length === 0 ? {} : { allOf: choices })
  }
}

const typesOf = ({ type }: Json): ReadonlyArray<string> => (Array.isArray(type) ? type : [String(type)])

/** Returns whether the parts are references to named schemas, and null. */
const isNullableObject = (parts: ReadonlyArray<Json>): boolean =>
  parts.length > 1 &&
  parts.filter(({ type }) => type === "null").length === 1 &&
  parts.every((part) => "$ref" in part || part["type"] === "null")

/**
 * Merges the types in an `anyOf` into one schema, if this doesn't change the meaning of any keyword. For a nullable object,
 * the types are listed next to the `anyOf` instead, because the reader at `/docs` would otherwise report the document as
 * invalid.
 */
const mergeTypes = (schema: Json): Json => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const parts = anyOf.filter(isJson)
  if (isNullableObject(parts)) return { ...schema, type: ["object", "null"] }
  if (parts.some((part) => !("type" in part))) return schema
  const types = parts.flatMap(typesOf)
  const constrained = parts.filter((part) => Object.keys(part).length > 1)
  const [only = {}, ...others] = constrained
  if (others.length > 0 || new Set(types).size < types.length) return schema
  const nullable = Array.isArray(only["enum"]) && types.includes("null") ? { enum: [...only["enum"], null] } : {}
  return { ...only, ...rest, ...nullable, type: types.length === 1 ? types[0] : types }
}

/** Members that don't contain schemas. */
const verbatim = [KEYWORDS, "enum", "default", "examples"]

/**
 * Rewrites a schema for the reference. The framework generates closed objects. The reference leaves them open, because
 * requests may contain members that are ignored, and new members may be added to responses (C8).
 */
export const jsonSchema = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(jsonSchema)
  if (!isJson(value)) return value
  const open = value["additionalProperties"] === false ? without(value, "additionalProperties") : value
  const inner = Object.fromEntries(
    Object.entries(flatten(open)).map(([key, part]) => [key, verbatim.includes(key) ? part : jsonSchema(part)])
  )
  return mergeTypes(withKeywords(inner))
}
