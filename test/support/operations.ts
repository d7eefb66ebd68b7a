import { Context, Option, SchemaAST } from "effect"
import { HttpApi, type HttpApiEndpoint } from "effect/http-api"
import { AllowsSupport, RequiredLevel, Streamed, Wrapper } from "#api/Access"
import { Api } from "#api/Api"
import { isContractGroup } from "#api/ContractGroups"
import type { Level } from "#domain/Level"

/** An operation of the management API, according to its definition. */
export interface Operation {
  /** For example `v2.users create`. */
  readonly name: string
  readonly version: string
  readonly resource: string
  readonly operation: string
  readonly method: string
  /** The path with its parameters as `:user_id`. */
  readonly template: string
  /** The names of the path parameters. */
  readonly params: ReadonlyArray<string>
  /** The names of the query parameters. */
  readonly query: ReadonlyArray<string>
  readonly level: Level | undefined
  /** Whether operators with the role `support` may call it, whatever its level. */
  readonly allowsSupport: boolean
  readonly wrapper: string | undefined
  /** The top-level members of the body. */
  readonly top: ReadonlyArray<string>
  /** The members inside the wrapper, or of the body itself if it has none. */
  readonly members: ReadonlyArray<string>
  /** The paths to all body members that take one text, number or flag. In lists, the first element represents all. */
  readonly scalars: ReadonlyArray<ReadonlyArray<string>>
  /** The paths to all lists in the body. In lists, the first element represents all. */
  readonly lists: ReadonlyArray<ReadonlyArray<string>>
  /** Whether the resource is part of the contract's documents. */
  readonly isContractResource: boolean
  /** Whether its request or response body is streamed as JSON lines. */
  readonly streamed: boolean
}

const membersOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  ast?._tag === "Objects" ? ast.propertySignatures : ast?._tag === "Union" ? ast.types.flatMap(membersOf) : []

const namesOf = (ast: SchemaAST.AST | undefined) => membersOf(ast).map(({ name }) => String(name))

const payloadOf = (endpoint: HttpApiEndpoint.Top): SchemaAST.AST | undefined =>
  [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)[0]?.ast

const unionOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> =>
  ast._tag === "Union" ? ast.types.flatMap(unionOf) : [ast]

/** The paths to the scalars in a request body. */
const scalarsIn = (given: SchemaAST.AST, way: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  const types = unionOf(SchemaAST.toEncoded(given))
  const objects = types.flatMap((ast) =>
    ast._tag === "Objects"
      ? ast.propertySignatures.flatMap(({ name, type }) => scalarsIn(type, [...way, String(name)]))
      : []
  )
  const lists = types.flatMap((ast) =>
    ast._tag === "Arrays" ? ast.rest.flatMap((type) => scalarsIn(type, [...way, "0"])) : []
  )
  const isScalar = types.every(({ _tag }) => !["Objects", "Arrays", "Declaration"].includes(_tag))
  return isScalar ? [way] : [...objects, ...lists]
}

/** The paths to the lists in a request body. */
const listsIn = (given: SchemaAST.AST, way: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => {
  const types = unionOf(SchemaAST.toEncoded(given))
  return types.flatMap((ast) => {
    if (ast._tag === "Arrays") return [way, ...ast.rest.flatMap((type) => listsIn(type, [...way, "0"]))]
    if (ast._tag !== "Objects") return []
    return ast.propertySignatures.flatMap(({ name, type }) => listsIn(type, [...way, String(name)]))
  })
}

/** The resource of a group's operations, if the group has a different name. */
const subjects: Readonly<Record<string, string>> = { logins: "users" }

const operationOf = (group: string, endpoint: HttpApiEndpoint.Top): Operation => {
  const [version = "", about = ""] = group.split(".")
  const wrapper = Option.getOrUndefined(Context.getOption(endpoint.annotations, Wrapper))
  const payload = payloadOf(endpoint)
  const wrapped = membersOf(payload).find(({ name }) => name === wrapper)
  return {
    name: `${group} ${endpoint.identifier}`,
    version,
    resource: subjects[about] ?? about,
    operation: endpoint.identifier,
    method: endpoint.method,
    template: endpoint.path,
    params: [...endpoint.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name),
    query: namesOf(endpoint.query?.ast),
    level: Option.getOrUndefined(Context.getOption(endpoint.annotations, RequiredLevel)),
    allowsSupport: Option.isSome(Context.getOption(endpoint.annotations, AllowsSupport)),
    wrapper,
    top: namesOf(payload),
    members: namesOf(wrapped === undefined ? payload : wrapped.type),
    scalars: payload === undefined ? [] : scalarsIn(payload),
    lists: payload === undefined ? [] : listsIn(payload),
    isContractResource: isContractGroup(group),
    streamed: Option.isSome(Context.getOption(endpoint.annotations, Streamed))
  }
}

const collect = (): ReadonlyArray<Operation> => {
  const found: Array<Operation> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ group, endpoint }) => found.push(operationOf(group.identifier, endpoint))
  })
  return found
}

/** Every operation of the management API, generated from its definition. */
export const everyOperation: ReadonlyArray<Operation> = collect()

/** The operations on the service's operators and its console. They concern no realm, and are tested in `test/operators`. */
const isOfService = ({ resource }: Operation): boolean => resource === "operators" || resource === "console"

/**
 * The operations on resources of realms that take and return a single JSON text: all except the streamed ones, which are
 * tested in `test/imports`.
 */
export const operations = everyOperation.filter((one) => !one.streamed && !isOfService(one))

/** The operations whose path names a resource. */
export const operationsOnResource = operations.filter(({ params }) => params.length > 0)

/** The operations that return a page of a list. */
export const lists = operations.filter(({ query }) => query.includes("after"))

/** The maximum number of items on a page (`v1.limit.max_results`). */
export const maxPageSize = ({ resource }: Operation): number =>
  ["login_policies", "client_apps", "jwt_keys"].includes(resource) ? 100 : 1_000

/** The path of an operation with its parameters filled in. */
export const pathOf = ({ template, params }: Operation, fill: (param: string) => string = () => "x"): string =>
  template.replaceAll(/:(\w+)/g, (_, param: string) => {
    // A nested resource is named by two ids.
    const ids = fill(param).split(" ")
    return ids[params.indexOf(param)] ?? ids[0] ?? ""
  })

/** The query parameters that an operation requires. */
export const requiredQuery = ({ query }: Operation): string =>
  query.includes("redirect_uri") ? "?redirect_uri=https%3A%2F%2Fapp.example.test%2Fback" : ""

/** The operation with this name, or undefined if it isn't built. */
export const operationNamed = (name: string): Operation | undefined =>
  everyOperation.find((operation) => operation.name === name)
