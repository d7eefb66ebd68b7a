import type { SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"

const membersOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  ast?._tag === "Objects" ? ast.propertySignatures : ast?._tag === "Union" ? ast.types.flatMap(membersOf) : []

const namesOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<string> =>
  membersOf(ast).map(({ name }) => String(name))

/** The query parameters of an endpoint: those that its schema declares, and `realm_id`, which is read of every request (C4). */
export const queryParametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlySet<string> =>
  new Set([...namesOf(query?.ast), "realm_id"])
