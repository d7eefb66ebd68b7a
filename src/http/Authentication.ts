import { Context, Effect, Exit, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { WireError } from "#api/Errors"
import { ApiKeys } from "#core/access/ApiKeys"
import { ConsoleSessions } from "#core/access/ConsoleSessions"
import { RateLimits } from "#core/limits/RateLimits"
import { Realms } from "#core/realms/Realms"
import { type Caller, levelTooLow } from "#domain/Caller"
import { allows, type Level } from "#domain/Level"
import { totalLimits } from "#domain/Limit"
import { permits } from "#domain/OperatorRole"
import type { Realm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { shareOf, WorkerCount } from "#platform/WorkerCount"
import type { ConsoleCredential } from "./ConsoleRequest.ts"
import { unauthorized, wireErrors } from "./Errors.ts"
import { catchOverload, isRead } from "./LoadShedding.ts"

/** The names of the service's own headers. Operators can change them to support existing SDKs (C5). */
export class HeaderNames extends Context.Service<
  HeaderNames,
  {
    readonly apiKey: string
    readonly realm: string
    /** The realm header as spelled in messages. */
    readonly realmForMessages: string
    readonly ignored: string
  }
>()("sallyport/http/HeaderNames") {
  /** `prefix` is `X-Service` by default. */
  static readonly layer = (prefix: string) =>
    Layer.succeed(HeaderNames, {
      apiKey: `${prefix.toLowerCase()}-api-key`,
      realm: `${prefix.toLowerCase()}-realm`,
      realmForMessages: `${prefix}-Realm`,
      ignored: `${prefix.toLowerCase()}-ignored`
    })
}

type Request = HttpServerRequest.HttpServerRequest

/** The caller of a request. `own` is the realm that the API key is locked to, if any. */
export interface Authenticated {
  readonly caller: Caller["Service"]
  readonly own: Realm | undefined
}

/** The permission that an endpoint requires: a level, or for operators also a role that helps users. */
export interface RequiredPermission {
  readonly level: Level
  readonly allowsSupport: boolean
}

const isPermitted = ({ by, level }: Caller["Service"], required: RequiredPermission): boolean =>
  by.type === "operator" ? permits(by.role, required.level, required.allowsSupport) : allows(level, required.level)

/** The maximum number of concurrent key lookups across all workers. Requests beyond it are rejected with a `Retry-After`. */
const MAX_LOOK_UPS = 1_024

/** Authenticates requests by their API key, or by their console session. */
export class Authentication extends Context.Service<
  Authentication,
  {
    /**
     * Returns the caller if it has the required permission. Does not read the body. `console` is set if the request came
     * through the console; the session then identifies the caller, and an API key in a header is ignored.
     */
    authenticate(
      request: Request,
      required: RequiredPermission,
      console: ConsoleCredential | undefined
    ): Effect.Effect<Authenticated, WireError>
    /** Like `authenticate`, but doesn't count against rate limits. For repeated checks during a long request. */
    verify(
      request: Request,
      required: RequiredPermission,
      console: ConsoleCredential | undefined
    ): Effect.Effect<void, WireError>
  }
>()("sallyport/http/Authentication") {
  static readonly layer = Layer.effect(
    Authentication,
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const consoleSessions = yield* ConsoleSessions
      const realms = yield* Realms
      const headerNames = yield* HeaderNames
      const rateLimits = yield* RateLimits
      const concurrency = shareOf(MAX_LOOK_UPS, yield* WorkerCount)
      const lookUps = makeAdmission({ name: "arrivals", concurrency, queueLimit: 0 })

      const presentedKey = (headers: Readonly<Record<string, string>>) => {
        const bearer = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1]
        const named = headers[headerNames.apiKey] || undefined
        if (bearer !== undefined && named !== undefined && bearer !== named) return unauthorized("keys_differ")
        return bearer ?? named ?? unauthorized("key_missing")
      }

      const unknownKey = () => unauthorized("key_unknown")
      const sessionOver = () => unauthorized("console_session_over")

      /** Returns the owner of an API key, from the cache if possible. */
      const callerOf = (key: string) => {
        const lookUp = Effect.mapErrorEager(apiKeys.authenticate(key), unknownKey)
        return Exit.isExit(lookUp) ? lookUp : catchOverload(lookUps.run(key, lookUp))
      }

      /** Returns the caller of a console session. Not cached, so that an ended session stops working immediately. */
      const callerOfSession = ({ secret }: ConsoleCredential) =>
        catchOverload(lookUps.run(secret ?? "", Effect.mapError(consoleSessions.authenticate(secret), sessionOver)))

      /** Returns the caller of a request, whatever its permissions. */
      const identify = Effect.fnUntracedEager(function* (request: Request, console: ConsoleCredential | undefined) {
        const key = console === undefined ? presentedKey(request.headers) : ""
        if (typeof key !== "string") return yield* key
        const caller = yield* console === undefined ? callerOf(key) : callerOfSession(console)
        // A key stops working as soon as its realm is deleted.
        const gone = console === undefined ? unknownKey : sessionOver
        const own = caller.realmId === null ? undefined : yield* Effect.mapErrorEager(realms.find(caller.realmId), gone)
        return { caller, own }
      })

      return Authentication.of({
        verify: Effect.fnUntraced(function* (request, required, console) {
          const { caller } = yield* identify(request, console)
          if (!isPermitted(caller, required)) return yield* wireErrors.LevelTooLow(levelTooLow(caller, required))
        }),
        authenticate: Effect.fnUntracedEager(function* (request, required, console) {
          const { caller, own } = yield* identify(request, console)
          const limit = isRead(request) ? "reads" : "writes"
          yield* Effect.mapErrorEager(rateLimits.take(limit, caller.by.id, own?.limits), wireErrors.RateLimited)
          if (own !== undefined)
            yield* Effect.mapErrorEager(rateLimits.take(totalLimits[limit], own.id, own.limits), wireErrors.RateLimited)
          if (!isPermitted(caller, required)) return yield* wireErrors.LevelTooLow(levelTooLow(caller, required))
          return { caller, own }
        })
      })
    })
  )
}
