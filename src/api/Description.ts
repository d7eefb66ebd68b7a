import { Schema } from "effect"

/**
 * What the API reference says about a value where its schema can't: bounds that the core checks, a default, or a simpler type
 * than the one that is accepted. With `type` or `$ref` it stands in place of what the schema says.
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

/** The annotation that holds keywords. `docs/JsonSchema.ts` puts them where they belong. */
export const KEYWORDS = "x-schema"

/** Says what a member holds, in one sentence with its unit, default and bounds. */
export const describe = <S extends Schema.Top>(schema: S, description: string, keywords?: Keywords): S["Rebuild"] =>
  schema.annotateKey({ description, ...(keywords === undefined ? {} : { [KEYWORDS]: keywords }) })

/** Refers to a schema that says itself what it holds. */
export const refer = <S extends Schema.Top>(schema: S, name: string): S["Rebuild"] =>
  schema.annotateKey({ [KEYWORDS]: { $ref: `#/components/schemas/${name}` } })

/** The member that names the type of an object. */
export const objectType = <const Name extends string>(name: Name) =>
  describe(Schema.Literal(name), `The type of the object: always \`${name}\`.`)

/** Refers to the schema of custom attributes. */
export const customKeywords: Keywords = { $ref: "#/components/schemas/Custom" }

/** What callers have to know who set custom attributes. */
export const customInput = "Your own attributes. Send all of them: those left out are removed. Default, and null: none."

/** What the references of resources are for. */
export const reference =
  "Your own ID of the resource, by which lists can be filtered. Need not be unique; null if none."

/** The member that says when a resource was created. */
export const createdAt = describe(
  Schema.Finite,
  "Unix time in seconds, with up to three decimals, at which the resource was created."
)
