import type { FastifyRequest } from "fastify"
import { paramIn, type RequestParts } from "./Authenticate.ts"

/** The parts of a request that the decision depends on. */
export const partsOf = ({ method, headers, params }: FastifyRequest): RequestParts => ({
  method,
  header: (name) => headers[name]?.toString(),
  param: (name) => paramIn(params, name)
})
