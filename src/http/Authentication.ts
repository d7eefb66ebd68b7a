import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { WireError } from "#api/Errors"
import { ApiKeys } from "#core/access/ApiKeys"
import { RateLimits } from "#core/limits/RateLimits"
import { Realms } from "#core/realms/Realms"
import { allows, type Caller, type Level, LevelTooLow } from "#domain/Caller"
import type { Realm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { unauthorized, words } from "./Errors.ts"
import { isRead, shedding } from "./LoadShedding.ts"

/** What an operator may rename so that an existing SDK can be pointed here (decision 5). */
export class HeaderNames extends Context.Service<HeaderNames, { readonly apiKey: string; readonly realm: string }>()(
  "sallyport/http/HeaderNames"
) {
  /** `prefix`: `X-Service` unless configured. */
  static readonly layer = (prefix: string) =>
    Layer.succeed(HeaderNames, {
      apiKey: `${prefix.toLowerCase()}-api-key`,
      realm: `${prefix.toLowerCase()}-realm`
    })
}

type Request = HttpServerRequest.HttpServerRequest

/** Who calls, and their own realm, which a locked key has. */
export interface Authenticated {
  readonly caller: Caller["Service"]
  readonly own: Realm | undefined
}

/** How many keys are looked up at once: more calls than that are told to come back. */
const ARRIVALS = 1_024

/** Whose key a request carries, and whether it may call at all. */
export class Authentication extends Context.Service<
  Authentication,
  {
    /** Who calls, and their own realm, if their level allows it: settled before the body is read. */
    authenticate(request: Request, level: Level): Effect.Effect<Authenticated, WireError>
  }
>()("sallyport/http/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const realms = yield* Realms
      const headerNames = yield* HeaderNames
      const rateLimits = yield* RateLimits
      const arrivals = makeAdmission({ name: "arrivals", atOnce: ARRIVALS, places: 0 })

      const presentedKey = (headers: Readonly<Record<string, string>>) => {
        const bearer = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
        const named = headers[headerNames.apiKey] || undefined
        if (bearer !== undefined && named !== undefined && bearer !== named) return unauthorized("keys_differ")
        return bearer ?? named ?? unauthorized("key_missing")
      }

      return Authentication.of({
        authenticate: Effect.fnUntraced(function* (request, level) {
          const key = presentedKey(request.headers)
          if (typeof key !== "string") return yield* key
          const known = Effect.mapError(apiKeys.authenticate(key), () => unauthorized("key_unknown"))
          const caller = yield* shedding(arrivals.run(key, known))
          // A key goes with the realm it is locked to, and at once.
          const own =
            caller.realmId === null
              ? undefined
              : yield* Effect.mapError(realms.find(caller.realmId), () => unauthorized("key_unknown"))
          const limit = isRead(request) ? "reads" : "writes"
          yield* Effect.mapError(rateLimits.take(limit, caller.keyId, own?.limits), words.RateLimited)
          if (!allows(caller.level, level)) return yield* words.LevelTooLow(new LevelTooLow({ required: level }))
          return { caller, own }
        })
      })
    })
  )
}
