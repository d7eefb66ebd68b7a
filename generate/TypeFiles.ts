import { docComment } from "./Comments.ts"
import { isJson, type Json, openApi, part, referenced, text } from "./Document.ts"
import { operations } from "./Operations.ts"
import { Renderer, typeName } from "./Types.ts"

/** The first lines of every generated file. */
export const HEADING =
  "// Generated from the API's description by `npm run generate`. To change it, change `src/api`.\n\n"

const schemas = part(part(openApi, "components"), "schemas")

const schemaNamed = (name: string): Json => part(schemas, name)

const refsIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(refsIn)
  if (!isJson(value)) return []
  const ref = text(value, "$ref")
  return [...(ref === "" ? [] : [referenced(ref)]), ...Object.values(value).flatMap(refsIn)]
}

/** Returns the schemas that these values refer to, directly or indirectly. */
const reachable = (values: ReadonlyArray<unknown>): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (value: unknown) => {
    for (const name of refsIn(value)) {
      if (found.has(name)) continue
      found.add(name)
      visit(schemaNamed(name))
    }
  }
  for (const value of values) visit(value)
  return found
}

const sent = reachable(operations.flatMap(({ body, query }) => [body, ...query.map(({ schema }) => schema)]))

/** The required schemas: those of requests, responses, webhooks and errors. */
const needed = new Set([
  ...sent,
  ...reachable(operations.flatMap(({ answers }) => answers)),
  "ErrorCode",
  "ExternalRefusal",
  "Error",
  ...reachable([schemaNamed("Error"), schemaNamed("ExternalRefusal")])
])

/** The type imports, each from the file with the type's name. */
export const typeImports = (names: Iterable<string>, folder: string): string =>
  [...names]
    .toSorted()
    .map((name) => `import type { ${name} } from "${folder}/${name}.ts"\n`)
    .join("")

const declaration = (schema: Json, name: string, renderer: Renderer): string =>
  text(schema, "type") === "object" && "properties" in schema
    ? `export interface ${name} {\n${renderer.members(schema, 2)}}\n`
    : `export type ${name} = ${renderer.type({ ...schema, description: text(schema, "description") })}\n`

const typeFile = (schemaName: string): readonly [string, string] => {
  const schema = schemaNamed(schemaName)
  const name = typeName(schemaName)
  const renderer = new Renderer(sent.has(schemaName) ? "sent" : "answered")
  const about = text(schema, "description") || aboutType(name, schema)
  const text_ = docComment(about, 0) + declaration(schema, name, renderer)
  return [`types/${name}.ts`, `${HEADING}${typeImports(renderer.used, ".")}\n${text_}`]
}

const isV1 = (name: string) => name.endsWith("V1")

/** Describes a type whose schema has no description, using its resource and version. */
const aboutType = (name: string, { properties }: Json): string => {
  const words = name
    .replace(/V1$/, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
  const within = isV1(name) ? ", as version 1 of the API shows it" : ""
  if (words.endsWith(" item")) return `${article(words.slice(0, -5))} in a list or within another resource${within}.`
  if (words.endsWith(" input")) return `The settings of ${article(words.slice(0, -6)).toLowerCase()}${within}.`
  return properties === undefined && words === "" ? "" : `${article(words)}${within}.`
}

const article = (words: string): string =>
  `${/^[aeiou]/.test(words) && !words.startsWith("us") ? "An" : "A"} ${words.replace("api", "API").replace("jwt", "JWT")}`

/** Generates a file for each schema, and one that lists all of them. */
export const typeFiles = (): ReadonlyArray<readonly [string, string]> => [...needed].toSorted().map(typeFile)
