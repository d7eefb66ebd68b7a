import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type { WireError } from "#api/Errors"
import { Authentication } from "../Authentication.ts"
import { isFromOwnMachine } from "../LocalRequest.ts"

/** Who may see how the service itself fares, which is nobody else's business (SEC-99). */
export class Operators extends Context.Service<
  Operators,
  {
    /** Lets the request at hand go on if it is an operator's. */
    readonly admit: Effect.Effect<void, WireError, HttpServerRequest.HttpServerRequest>
  }
>()("sallyport/http/Operators") {
  /** On the port for everyone: whoever calls from the service's own machine, else a key of the highest level. */
  static readonly layer = Layer.effect(
    Operators,
    Effect.map(Authentication, ({ authenticate }) =>
      Operators.of({
        admit: Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          isFromOwnMachine(Option.getOrUndefined(request.peerAddress), request.headers)
            ? Effect.void
            : Effect.asVoid(authenticate(request, "admin_all_realms"))
        )
      })
    )
  ).pipe(Layer.provide(Authentication.layer))

  /** On the port for operators: whoever reaches it. */
  static readonly layerAnyone = Layer.succeed(Operators, { admit: Effect.void })
}
