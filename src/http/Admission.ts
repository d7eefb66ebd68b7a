import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { WireError } from "#api/Errors"
import { ApiKeys } from "#core/access/ApiKeys"
import { Quotas } from "#core/limits/Quotas"
import { Realms } from "#core/realms/Realms"
import { allows, type Caller, type Level, LevelTooLow } from "#domain/Caller"
import type { Realm } from "#domain/Realm"
import { unauthorized, words } from "./Errors.ts"

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

/** Whose key a request carries, and whether it may call at all. */
export class Admission extends Context.Service<
  Admission,
  {
    /** Who calls, and their own realm, if their level allows it: settled before the body is read. */
    admit(
      request: Request,
      level: Level
    ): Effect.Effect<{ readonly caller: Caller["Service"]; readonly own: Realm | undefined }, WireError>
  }
>()("sallyport/http/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const realms = yield* Realms
      const headerNames = yield* HeaderNames
      const quotas = yield* Quotas

      const presentedKey = (headers: Readonly<Record<string, string>>) => {
        const bearer = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
        const named = headers[headerNames.apiKey] || undefined
        if (bearer !== undefined && named !== undefined && bearer !== named) return unauthorized("keys_differ")
        return bearer ?? named ?? unauthorized("key_missing")
      }

      return Admission.of({
        admit: Effect.fnUntraced(function* (request, level) {
          const key = presentedKey(request.headers)
          if (typeof key !== "string") return yield* key
          const caller = yield* Effect.mapError(apiKeys.authenticate(key), () => unauthorized("key_unknown"))
          // A key goes with the realm it is locked to, and at once.
          const own =
            caller.realmId === null
              ? undefined
              : yield* Effect.mapError(realms.find(caller.realmId), () => unauthorized("key_unknown"))
          const counted = request.method === "GET" || request.method === "HEAD" ? "reads" : "writes"
          yield* Effect.mapError(quotas.take(counted, caller.keyId, own?.limits), words.TooOften)
          if (!allows(caller.level, level)) return yield* words.LevelTooLow(new LevelTooLow({ required: level }))
          return { caller, own }
        })
      })
    })
  )
}
