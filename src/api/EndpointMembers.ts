import { Context, Option, type SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { Wrapper } from "./Access.ts"

const membersOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  ast?._tag === "Objects" ? ast.propertySignatures : ast?._tag === "Union" ? ast.types.flatMap(membersOf) : []

const namesOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<string> =>
  membersOf(ast).map(({ name }) => String(name))

/** The query parameters of an endpoint: those that its schema declares, and `realm_id`, which is read of every request (C4). */
export const queryParametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlySet<string> =>
  new Set([...namesOf(query?.ast), "realm_id"])

/** The names of the members of an endpoint's body, as its schema declares them. */
export interface BodyMembers {
  /** Those at the top: the wrapper, if there is one, and what stands beside it. */
  readonly top: ReadonlySet<string>
  /** Those inside the wrapper that the body must have. */
  readonly wrapped: ReadonlySet<string>
}

export const bodyMembersOf = ({ payload, annotations }: HttpApiEndpoint.Top): BodyMembers => {
  const wrapper = Option.getOrUndefined(Context.getOption(annotations, Wrapper))
  const top = [...payload.values()].flatMap(({ schemas }) => schemas.flatMap(({ ast }) => membersOf(ast)))
  const wrapped = top.filter(({ name }) => name === wrapper)
  return {
    top: new Set(top.map(({ name }) => String(name))),
    wrapped: new Set(wrapped.flatMap(({ type }) => namesOf(type)))
  }
}
