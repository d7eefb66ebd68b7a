import { docComment } from "./Comments.ts"
import { isJson, type Json, openApi, part, referenced, text, texts } from "./Document.ts"
import type { Operation, Parameter } from "./Operations.ts"
import { Renderer } from "./Types.ts"

/** Returns the schema that a reference points to. Other schemas are returned unchanged. */
export const schemaOf = (schema: Json): Json => {
  const ref = text(schema, "$ref")
  return ref === "" ? schema : part(part(part(openApi, "components"), "schemas"), referenced(ref))
}

/** The member of a body that names the actor. Every body may have it. */
const ACTOR = "request"

/** An operation's parameters: their type and where they are sent. */
export interface Parameters {
  /** The name of the schema that the parameters extend. */
  readonly extends: string | undefined
  readonly members: ReadonlyArray<Parameter>
  readonly isRequired: boolean
  /** The member of the body that contains the parameters. */
  readonly wrapper: string | undefined
  /** The parameters that are sent in the query although there is a body. */
  readonly query: ReadonlyArray<string>
  /** Whether `realm_id` is a member of the body rather than a query parameter. */
  readonly hasRealmInBody: boolean
}

const membersOf = (schema: Json): ReadonlyArray<Parameter> => {
  const required = texts(schema, "required")
  return Object.entries(part(schema, "properties")).flatMap(([name, member]) =>
    isJson(member)
      ? [{ name, schema: member, isRequired: required.includes(name), description: text(member, "description") }]
      : []
  )
}

const isObject = (schema: Json): boolean => "properties" in schemaOf(schema)

const inQuery = (operation: Operation): Parameters | undefined => {
  const own = operation.query.filter(({ name }) => name !== "realm_id")
  if (own.length === 0 && operation.name !== "list" && !operation.isStreamed) return undefined
  return {
    extends: undefined,
    members: operation.query,
    isRequired: operation.query.some(({ isRequired }) => isRequired),
    wrapper: undefined,
    // With a streamed body, all parameters are in the query.
    query: operation.body === undefined ? [] : own.map(({ name }) => name),
    hasRealmInBody: false
  }
}

const inBody = (operation: Operation, body: Json): Parameters => {
  const members = membersOf(body)
  const wrapper = members.find(({ isRequired, schema }) => isRequired && isObject(schema))
  const inner = wrapper === undefined ? [] : membersOf(schemaOf(wrapper.schema))
  const has = (name: string) => inner.some((one) => one.name === name)
  const actor = members.filter(({ name }) => name === ACTOR)
  const beside = members.filter((one) => one !== wrapper && one.name !== ACTOR && !has(one.name))
  const query = operation.query.filter(({ name }) => !has(name))
  // A wrapper is redundant if its members may also be outside of it.
  const plain = beside.filter(
    ({ name, schema }) =>
      !query.some((one) => one.name === name) &&
      !(isObject(schema) && membersOf(schemaOf(schema)).every((one) => members.some((two) => two.name === one.name)))
  )
  if (wrapper !== undefined && plain.length > 0)
    throw new Error(`${operation.id} has members beside its wrapper: ${plain.map(({ name }) => name).join(", ")}`)
  const ref = wrapper === undefined ? "" : text(wrapper.schema, "$ref")
  const own = ref === "" ? inner : []
  const all = [...own, ...plain, ...query, ...actor]
  return {
    extends: ref === "" ? undefined : referenced(ref),
    members: all,
    isRequired: wrapper !== undefined || all.some(({ isRequired }) => isRequired),
    wrapper: wrapper?.name,
    query: query.map(({ name }) => name).filter((name) => name !== "realm_id"),
    hasRealmInBody: has("realm_id")
  }
}

/** Returns the parameters of an operation, besides those in its path. Undefined if it has none. */
export const parametersOf = (operation: Operation): Parameters | undefined =>
  operation.body === undefined || operation.isStreamed ? inQuery(operation) : inBody(operation, operation.body)

const aboutMember = (name: string, schema: Json, description: string): string =>
  name === "realm_id" && description.includes("request's realm")
    ? aboutRealm
    : description || text(schemaOf(schema), "description")

/** The documentation of the realm parameter, which a client can set for all calls. */
const aboutRealm = "The ID of the realm. Default: the realm of the options, of the client, or of the key."

/** Returns the declaration of a parameter type, and the schemas that it refers to. */
export const declarationOf = (name: string, parameters: Parameters, about: string) => {
  const renderer = new Renderer("sent")
  const extendsClause = parameters.extends === undefined ? "" : ` extends ${renderer.named(parameters.extends)}`
  const members = parameters.members.map(({ name, schema, isRequired, description }) =>
    renderer.member(name, { ...schema, description: aboutMember(name, schema, description) }, isRequired, 2)
  )
  return {
    text: `${docComment(about, 0)}export interface ${name}${extendsClause} {\n${members.join("")}}\n`,
    used: renderer.used
  }
}
