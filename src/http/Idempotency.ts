import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Idempotency, LongRunning } from "#api/Access"
import { KeyReused, RequestInProgress, ResponseUnreadable, type StoredResponse } from "#core/access/IdempotentRequest"
import { IdempotentRequests } from "#core/access/IdempotentRequests"
import { Caller } from "#domain/Caller"
import { problem } from "#domain/Rejected"
import { HeaderNames } from "./Authentication.ts"
import { withErrorResponses } from "./ErrorResponses.ts"
import { invalid, wireErrors } from "./Errors.ts"

const KEY = /^[\x21-\x7e]{1,255}$/

/**
 * Returns whether a response is stored. Responses that ask the caller to retry later or with another API key are not stored.
 */
const isStorable = ({ status }: StoredResponse) => status < 500 && ![401, 403, 409, 429].includes(status)

const textOf = (response: HttpServerResponse.HttpServerResponse): string =>
  response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""

const respond = ({ status, body }: StoredResponse, repeated: boolean) =>
  HttpServerResponse.text(body, {
    status,
    contentType: "application/json",
    headers: repeated ? { "idempotency-replayed": "true" } : {}
  })

/** Returns the stored response to a POST that repeats an `Idempotency-Key` (C12). */
export const IdempotencyLayer = Layer.effect(
  Idempotency,
  Effect.gen(function* () {
    const requests = yield* IdempotentRequests
    const headerNames = yield* HeaderNames

    return (handler, { endpoint }) => {
      if (endpoint.method !== "POST") return handler
      const longRunning = Option.isSome(Context.getOption(endpoint.annotations, LongRunning))
      const once = longRunning ? requests.onceWithLease : requests.once
      return Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = request.headers["idempotency-key"]
        if (key === undefined) return yield* handler
        if (!KEY.test(key)) return yield* invalid([problem(null, "idempotency_key_form")])
        const { by } = yield* Caller
        const body = yield* Effect.orDie(request.text)
        // Error responses are also stored, because the operation may already have written data.
        const response = Effect.map(
          withErrorResponses(handler),
          (sent): StoredResponse => ({ status: sent.status, body: textOf(sent) })
        )
        const [path = "", query = ""] = request.url.split("?", 2)
        // The same body for another realm is a different request.
        const asked = JSON.stringify([query, request.headers[headerNames.realm] ?? "", body])
        const done = yield* once({ callerId: by.id, path, key, content: asked }, response, isStorable).pipe(
          Effect.mapError((error) => {
            if (error instanceof KeyReused) return wireErrors.KeyReused()
            if (error instanceof ResponseUnreadable) return wireErrors.ResponseUnreadable()
            return error instanceof RequestInProgress ? wireErrors.RequestInProgress(error) : error
          })
        )
        return respond(done.response, done.replayed)
      })
    }
  })
)
