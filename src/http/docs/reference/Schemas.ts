import { type Html, html } from "#platform/Html"
import { described, inline } from "../Markdown.ts"
import { nameOfRef, type OpenApi, type SchemaNode } from "./OpenApi.ts"

type Schemas = OpenApi["components"]["schemas"]

/** The ID of the section about a shared schema. */
export const schemaId = (name: string): string => `object-${name}`

const isNull = ({ type }: SchemaNode): boolean => type === "null"

/** The alternatives of a schema without null. */
const choicesOf = ({ anyOf }: SchemaNode): ReadonlyArray<SchemaNode> => anyOf?.filter((one) => !isNull(one)) ?? []

const isNullable = ({ type, anyOf = [] }: SchemaNode): boolean =>
  anyOf.some(isNull) || (Array.isArray(type) && type.includes("null"))

const words: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  array: "list"
}

const joined = (parts: ReadonlyArray<string>): string => [...new Set(parts)].join(" or ")

/** Describes the type of a schema in words. */
const typeOf = (node: SchemaNode): string => {
  const { $ref, type, items } = node
  const types = (typeof type === "string" ? [type] : (type ?? [])).filter((one) => one !== "null")
  const choices = choicesOf(node)
  const named =
    $ref !== undefined
      ? nameOfRef($ref)
      : choices.length > 0
        ? joined(choices.map(typeOf))
        : joined(
            types.map((one) =>
              one === "array" && items !== undefined ? `list of ${typeOf(items)}` : (words[one] ?? one)
            )
          )
  return isNullable(node) ? `${named || "any"} or null` : named || "any"
}

/** Describes the limits of a value. */
const limitsOf = ({ minimum, maximum, minLength, maxLength, maxItems }: SchemaNode): string => {
  const range = (least: number | undefined, most: number | undefined, unit: string) => {
    if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`]
    if (most !== undefined) return [`at most ${most}${unit}`]
    return least === undefined ? [] : [`at least ${least}${unit}`]
  }
  return [
    ...range(minimum, maximum, ""),
    ...range(minLength, maxLength, " characters"),
    ...range(undefined, maxItems, " items")
  ].join(", ")
}

/** The maximum number of values shown next to a member. Longer lists collapse. */
const SHORT_LIST = 8

const valuesOf = (node: SchemaNode): Html | undefined => {
  const values = node.enum?.filter((value) => value !== null)
  // The description of a type says what its only value is.
  if (values === undefined || values.length < 2) return undefined
  const about = node["x-enumDescriptions"] ?? {}
  if (values.length <= SHORT_LIST && Object.keys(about).length === 0) {
    return html`<p class="values">${values.map((value, at) => html`${at > 0 && ", "}<code>${String(value)}</code>`)}</p>`
  }
  const item = (value: unknown) => {
    const described = about[String(value)]
    return html`<li><code>${String(value)}</code>${described !== undefined && html` ${inline(described)}`}</li>`
  }
  return html`<details><summary>${values.length} values</summary><ul>${values.map(item)}</ul></details>`
}

/** Follows a schema to the object that it describes, directly, as the items of a list, or as the only choice. */
const objectIn = (node: SchemaNode): SchemaNode => {
  const [choice, ...others] = choicesOf(node)
  if (node.items !== undefined) return objectIn(node.items)
  return choice !== undefined && others.length === 0 ? objectIn(choice) : node
}

/** The names of the schemas that a schema refers to, directly or through others. */
export const reachable = (schemas: Schemas, node: SchemaNode, found = new Set<string>()): ReadonlySet<string> => {
  const { $ref, items, anyOf = [], properties = {} } = node
  if ($ref !== undefined && !found.has(nameOfRef($ref))) {
    found.add(nameOfRef($ref))
    reachable(schemas, schemas[nameOfRef($ref)] ?? {}, found)
  }
  for (const part of [...(items === undefined ? [] : [items]), ...anyOf, ...Object.values(properties)]) {
    reachable(schemas, part, found)
  }
  return found
}

/** How members are shown: the shared schemas, and which of them have a section of their own on the page. */
export interface MemberOptions {
  readonly schemas: Schemas
  readonly linked: ReadonlySet<string>
  /** Whether the object is sent by callers. Only then required members are marked. */
  readonly isInput: boolean
  /** The schemas around the members, which are not repeated inside. */
  readonly inside?: ReadonlyArray<string>
}

const member = (name: string, node: SchemaNode, isRequired: boolean, options: MemberOptions): Html => {
  const { linked, inside = [] } = options
  const { $ref, ...object } = objectIn(node)
  const ref = $ref === undefined ? undefined : nameOfRef($ref)
  const type = typeOf(node)
  const known = ref !== undefined && linked.has(ref)
  const target = ref === undefined ? object : (options.schemas[ref] ?? {})
  const nested =
    known || (ref !== undefined && inside.includes(ref)) || target.properties === undefined
      ? undefined
      : membersOf(target, { ...options, inside: ref === undefined ? inside : [...inside, ref] })
  const limits = limitsOf(node)
  // The object that a body wraps is the body's actual content.
  const isWrapper = isRequired && options.isInput && inside.length === 0
  const about = node.description ?? (ref === undefined ? undefined : target.description)
  return html`<li><p><code class="member">${name}</code> <span class="type">${known ? html`<a href="#${schemaId(ref)}">${type}</a>` : type}${
    limits !== "" && `, ${limits}`
  }</span>${isRequired && options.isInput && html` <span class="need">required</span>`}</p>
${about !== undefined && described(about)}${valuesOf(ref === undefined || known ? node : target)}${
  nested !== undefined &&
  html`<details${isWrapper && html` open`}><summary>Members of <code>${name}</code></summary>${nested}</details>`
}</li>
`
}

/** Lists the members of an object. */
export const membersOf = ({ properties = {}, required = [] }: SchemaNode, options: MemberOptions): Html =>
  html`<ul class="members">${Object.entries(properties).map(([name, node]) => member(name, node, required.includes(name), options))}</ul>`

/** Lists the members of the object behind a schema. The object may have a section of its own on the page. */
export const schemaMarkup = (node: SchemaNode, options: MemberOptions): Html => {
  const object = objectIn(node)
  const ref = object.$ref === undefined ? undefined : nameOfRef(object.$ref)
  const target = ref === undefined ? object : (options.schemas[ref] ?? {})
  return target.properties === undefined
    ? html`${target.description !== undefined && html`<p>${inline(target.description)}</p>`}${valuesOf(target)}`
    : membersOf(target, options)
}

/** Names the type of a response, with a link to its section if it has one. */
export const typeLink = (node: SchemaNode, linked: ReadonlySet<string>): Html => {
  const { $ref } = objectIn(node)
  const name = $ref === undefined ? undefined : nameOfRef($ref)
  return name !== undefined && linked.has(name)
    ? html`<a href="#${schemaId(name)}">${typeOf(node)}</a>`
    : html`${typeOf(node)}`
}
