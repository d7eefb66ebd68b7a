import { Schema } from "effect"

/**
 * JSON Schema keywords for the API reference that the Effect schema doesn't contain: bounds checked by the core, a default, or
 * a type simpler than the accepted one. `type` and `$ref` replace the generated type.
 */
export interface Keywords {
  readonly type?: string | ReadonlyArray<string>
  readonly $ref?: string
  readonly items?: Keywords
  readonly enum?: ReadonlyArray<string>
  readonly format?: "uri" | "email"
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly default?: string | number | boolean | null | ReadonlyArray<string>
}

/** The annotation that contains these keywords. `docs/JsonSchema.ts` merges them into the generated schema. */
export const KEYWORDS = "x-schema"

/** Adds a one-sentence description to a member, including its unit, default and bounds. */
export const describe = <S extends Schema.Top>(schema: S, description: string, keywords?: Keywords): S["Rebuild"] =>
  schema.annotateKey({ description, ...(keywords === undefined ? {} : { [KEYWORDS]: keywords }) })

/** Replaces a schema with a reference to a named schema, which has its own description. */
export const refer = <S extends Schema.Top>(schema: S, name: string): S["Rebuild"] =>
  schema.annotateKey({ [KEYWORDS]: { $ref: `#/components/schemas/${name}` } })

/** The `object` member, which contains the type of an object. */
export const objectType = <const Name extends string>(name: Name) =>
  describe(Schema.Literal(name), `The type of the object: always \`${name}\`.`)

/** A reference to the schema of custom attributes. */
export const customKeywords: Keywords = { $ref: "#/components/schemas/Custom" }

/** The description of custom attributes in requests. */
export const customInput =
  "Your own attributes. Replaces all existing attributes, so send all of them. Null removes them. Default: none."

/** The description of a resource's `reference`. */
export const reference =
  "Your own ID for the resource, which lists can be filtered by. It does not have to be unique. Null if none."

/** The `created_at` member of a resource. */
export const createdAt = describe(
  Schema.Finite,
  "Unix time in seconds, with up to three decimals, at which the resource was created."
)
