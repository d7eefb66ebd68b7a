import { Context, DateTime, Effect, Layer } from "effect"
import { ApiKeyUnknown, LoginsOff } from "#domain/Login"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import type { Login } from "#domain/Session"
import { isStorable } from "#domain/Text"
import { Transaction } from "#platform/Transaction"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { Journal } from "../events/Journal.ts"
import { NewSessions, type TokenScope } from "../sessions/NewSessions.ts"
import { ApiKeyDigests } from "../tokens/ApiKeyDigests.ts"
import { LoginMetrics } from "./LoginMetrics.ts"

/** Logs API users in with an API key (`v1.users`). */
export class KeyLogins extends Context.Service<
  KeyLogins,
  {
    /** Issues a token without storing a session. The first login of each day (UTC) records `user.login.succeeded`. */
    authenticate(
      apiKey: string,
      scope: TokenScope
    ): Effect.Effect<Login, Rejected | LoginsOff | ApiKeyUnknown | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/KeyLogins") {
  static readonly layer = Layer.effect(
    KeyLogins,
    Effect.gen(function* () {
      const accounts = yield* AccountsRepo
      const digests = yield* ApiKeyDigests
      const newSessions = yield* NewSessions
      const journal = yield* Journal
      const transaction = yield* Transaction
      const countOutcome = (yield* LoginMetrics).count("api_key")

      const authenticate = Effect.fn("KeyLogins.authenticate")(function* (apiKey: string, scope: TokenScope) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        if (apiKey === "") return yield* rejection("api_key", "blank")
        const digest = isStorable(apiKey) ? yield* digests.digest(realm.id, apiKey) : undefined
        const account = digest === undefined ? undefined : yield* accounts.findByKey(realm.id, digest)
        if (account?.user.userType !== "api" || account.user.state !== "active") return yield* new ApiKeyUnknown()

        const { user, keyLoginAt } = account
        const now = yield* DateTime.now
        const dayBegan = DateTime.startOf(now, "day")
        const dayAgo = DateTime.subtract(now, { hours: 24 })
        const isBefore = (at: DateTime.Utc | null, limit: DateTime.Utc) => at === null || DateTime.isLessThan(at, limit)
        const isStale = user.lastLoginAt === null || DateTime.isLessThanOrEqualTo(user.lastLoginAt, dayAgo)
        if (isBefore(keyLoginAt, dayBegan) || isStale) {
          yield* transaction.run(
            Effect.gen(function* () {
              const isFirst = yield* accounts.touchByKey(user, now, dayBegan)
              if (!isFirst) return
              const details = { methods: ["api_key"] as const }
              yield* journal.record([{ eventType: "user.login.succeeded", userId: user.id, details }])
            })
          )
        }
        const session = yield* newSessions.forApiKey(realm, user)
        return yield* newSessions.login(realm, session, isStale ? { ...user, lastLoginAt: now } : user, scope)
      })

      return KeyLogins.of({ authenticate: (apiKey, scope) => countOutcome(authenticate(apiKey, scope)) })
    })
  )
}
