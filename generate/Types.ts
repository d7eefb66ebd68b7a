import { docComment } from "./Comments.ts"
import { isJson, type Json, part, parts, referenced, text, texts } from "./Document.ts"

/**
 * The direction of a value. A sent member may be omitted or `undefined`. A received member may have values from later
 * releases.
 */
export type Direction = "sent" | "answered"

/** New names for schemas whose own names would hide a well-known global. */
const renamed: Readonly<Record<string, string>> = { Error: "ErrorAnswer", Request: "RequestAttributes" }

/** The type name of a schema. */
export const typeName = (schema: string): string => renamed[schema] ?? schema

/** Members that later releases may add values to, besides those whose description says so. */
const growing: ReadonlySet<string> = new Set(["credential_type", "provider_type"])

const grows = (name: string, schema: Json): boolean =>
  growing.has(name) || text(schema, "description").includes("Later releases may add")

const quoted = (value: unknown): string => (value === null ? "null" : JSON.stringify(value))

const primitives: Readonly<Record<string, string>> = {
  string: "string",
  number: "number",
  integer: "number",
  boolean: "boolean",
  null: "null"
}

/** Renders schemas as types and records the names they refer to. */
export class Renderer {
  readonly direction: Direction
  readonly used = new Set<string>()

  constructor(direction: Direction) {
    this.direction = direction
  }

  /** Returns the type of a schema. `name`: the member with this type. `indent`: the number of leading spaces of its line. */
  type(schema: Json, name = "", indent = 0): string {
    const ref = text(schema, "$ref")
    if (ref !== "") return this.named(referenced(ref))
    const choices = parts(schema, "anyOf")
    if (choices.length > 0) return union(choices.map((choice) => this.type(choice, name, indent)))
    if (Array.isArray(schema["enum"])) return this.choice(schema["enum"], name, schema)
    const listed = texts(schema, "type")
    const types = listed.length > 0 ? listed : [text(schema, "type")]
    return union(types.map((type) => this.single(type, schema, name, indent)))
  }

  /** The type of a schema by name. */
  named(schema: string): string {
    const name = typeName(schema)
    this.used.add(name)
    return name
  }

  /** The members of an object, with their descriptions. */
  members(schema: Json, indent: number): string {
    const required = texts(schema, "required")
    return Object.entries(part(schema, "properties"))
      .map(([name, member]) => (isJson(member) ? this.member(name, member, required.includes(name), indent) : ""))
      .join("")
  }

  /** A member with its description. */
  member(name: string, schema: Json, isRequired: boolean, indent: number): string {
    const type = this.type(schema, name, indent)
    const optional = this.direction === "sent" ? `?: ${type} | undefined` : `?: ${type}`
    const declared = `${" ".repeat(indent)}readonly ${name}${isRequired ? `: ${type}` : optional}\n`
    return docComment(text(schema, "description"), indent) + declared
  }

  private choice(values: ReadonlyArray<unknown>, name: string, schema: Json): string {
    const known = values.map(quoted)
    const isOpen = values.length > 1 && grows(name, schema) && (this.direction === "answered" || name === "")
    return union(isOpen ? [...known, "(string & {})"] : known)
  }

  private single(type: string, schema: Json, name: string, indent: number): string {
    if (type === "array") return `ReadonlyArray<${this.type(part(schema, "items"), name, indent)}>`
    if (type === "object") return this.object(schema, indent)
    // A value that may be a list or a single value. The single value has the type of the list's elements.
    const items = part(schema, "items")
    if (type === "string" && "enum" in items) return this.type(items, name, indent)
    return primitives[type] ?? "unknown"
  }

  private object(schema: Json, indent: number): string {
    if ("properties" in schema) return `{\n${this.members(schema, indent + 2)}${" ".repeat(indent)}}`
    const values = schema["additionalProperties"]
    return `{ readonly [name: string]: ${isJson(values) ? this.type(values) : "unknown"} }`
  }
}

const union = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ")
