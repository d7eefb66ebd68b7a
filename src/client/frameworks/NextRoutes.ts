import { paramIn, type RequestParts } from "./Authenticate.ts"
import type { Session } from "./Session.ts"

/** The path parameters of a route. */
export type RouteParams = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A handler's arguments, besides the request. */
export interface RouteContext<Params> {
  readonly session: Session
  readonly params: Params
}

/** A route handler in the form that Next.js calls. */
export type RouteHandler<Params> = (
  request: Request,
  context: { readonly params: Promise<Params> }
) => Promise<Response>

/** The parts of a request that the decision depends on. */
export const partsOf = (method: string, headers: Pick<Headers, "get">, params: object): RequestParts => ({
  method,
  header: (name) => headers.get(name) ?? undefined,
  param: (name) => paramIn(params, name)
})
