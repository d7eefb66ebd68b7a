import type { Context } from "hono"
import type { RequestParts } from "./Authenticate.ts"

/** The parts of a request that the decision depends on. */
export const partsOf = (context: Context): RequestParts => ({
  method: context.req.method,
  header: (name) => context.req.header(name),
  param: (name) => context.req.param(name)
})
