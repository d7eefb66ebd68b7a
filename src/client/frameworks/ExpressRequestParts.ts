import { paramIn, type RequestParts } from "./Authenticate.ts"
import type { ExpressRequest, ExpressResponse } from "./ExpressHandler.ts"
import type { Refusal } from "./Refusal.ts"

/** The parts of a request that the decision depends on. */
export const partsOf = (request: ExpressRequest): RequestParts => ({
  method: request.method ?? "GET",
  header: (name) => request.headers[name]?.toString(),
  // `params` is not a member of `ExpressRequest`, so that route handlers keep their typed parameters.
  param: (name) => paramIn(Reflect.get(request, "params"), name)
})

/** Rejects a request. */
export const refuse = (response: ExpressResponse, { status, headers, body }: Refusal): void => {
  response.statusCode = status
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.end(JSON.stringify(body))
}
