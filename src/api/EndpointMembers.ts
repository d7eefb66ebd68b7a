import { Schema, type SchemaAST } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import { mergeShapes, type Shape, shapeOf } from "./BodyShape.ts"
import { requestAttributes } from "./Wire.ts"

const membersOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<SchemaAST.PropertySignature> =>
  ast?._tag === "Objects" ? ast.propertySignatures : ast?._tag === "Union" ? ast.types.flatMap(membersOf) : []

const namesOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<string> =>
  membersOf(ast).map(({ name }) => String(name))

/**
 * Returns the query parameters of an endpoint: the parameters declared in its schema, and `realm_id`, which every request
 * accepts (C4).
 */
export const queryParametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlySet<string> =>
  new Set([...namesOf(query?.ast), "realm_id"])

const request: Shape = shapeOf(Schema.Struct(requestAttributes).ast)

/** The shapes of an endpoint's request body and, for an update, of its response. */
export interface BodyShapes {
  readonly body: Shape
  /** The shape of the resource in the response to an update, or undefined if the request is not an update. */
  readonly response: Shape | undefined
}

/** Returns the shapes of an endpoint's bodies. The body of a DELETE accepts its query parameters (C7). */
export const bodyShapesOf = (endpoint: HttpApiEndpoint.Top): BodyShapes => {
  const { method, payload, query, success } = endpoint
  const sent = [...payload.values()].flatMap(({ schemas }) => schemas.map(({ ast }) => ast))
  const parameters = method === "DELETE" && query !== undefined ? [query.ast] : []
  return {
    body: mergeShapes([...(method === "DELETE" ? [request] : []), ...[...sent, ...parameters].map(shapeOf)]),
    response: method === "PUT" ? mergeShapes([...success].map(({ ast }) => shapeOf(ast))) : undefined
  }
}
