import { docComment } from "./Comments.ts"
import { isJson, type Json, openApi, part, referenced, text, texts } from "./Document.ts"
import type { Operation, Parameter } from "./Operations.ts"
import { Renderer } from "./Types.ts"

/** The schema that a reference names; any other schema is itself. */
export const schemaOf = (schema: Json): Json => {
  const ref = text(schema, "$ref")
  return ref === "" ? schema : part(part(part(openApi, "components"), "schemas"), referenced(ref))
}

/** The members of a body that tell who acts; every body may have them. */
const ACTOR = "request"

/** How the parameters of an operation are written, and where they go. */
export interface Parameters {
  /** The schema whose members are those of the parameters, by its name. */
  readonly extends: string | undefined
  readonly members: ReadonlyArray<Parameter>
  readonly isRequired: boolean
  /** The member of the body that holds the parameters. */
  readonly wrapper: string | undefined
  /** The parameters that go into the query although there is a body. */
  readonly query: ReadonlyArray<string>
  /** Whether `realm_id` is a member of what is sent, not a parameter of the query. */
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
    // Beside rows that are streamed, all of them.
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
  // A member that only wraps others, which may also be beside it, says nothing more.
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

/** The parameters of an operation besides those of its path; undefined where it has none of its own. */
export const parametersOf = (operation: Operation): Parameters | undefined =>
  operation.body === undefined || operation.isStreamed ? inQuery(operation) : inBody(operation, operation.body)

const aboutMember = (name: string, schema: Json, description: string): string =>
  name === "realm_id" && description.includes("request's realm")
    ? aboutRealm
    : description || text(schemaOf(schema), "description")

/** What parameters say of their realm: the client can name it for all calls. */
const aboutRealm = "The ID of the realm. Default: the realm of the options, of the client, or of the key."

/** The declaration of a type of parameters, and the schemas that it refers to. */
export const declarationOf = (name: string, parameters: Parameters, about: string) => {
  const renderer = new Renderer("sent")
  const heritage = parameters.extends === undefined ? "" : ` extends ${renderer.named(parameters.extends)}`
  const members = parameters.members.map(({ name, schema, isRequired, description }) =>
    renderer.member(name, { ...schema, description: aboutMember(name, schema, description) }, isRequired, 2)
  )
  return {
    text: `${docComment(about, 0)}export interface ${name}${heritage} {\n${members.join("")}}\n`,
    used: renderer.used
  }
}
