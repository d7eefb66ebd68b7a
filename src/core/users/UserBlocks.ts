import { Context, DateTime, Effect, Layer } from "effect"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { User } from "#domain/User"
import type { UserBlock } from "#domain/UserBlock"
import { KnownBrowsersRepo } from "#store/login/KnownBrowsersRepo"
import { LoginAttemptsRepo } from "#store/login/LoginAttemptsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { AccountLocks } from "../limits/AccountLocks.ts"
import { attemptSubject } from "../limits/LoginAttempts.ts"
import { type LimitSubject, RateLimits, recipientSubject, userCodeSubject } from "../limits/RateLimits.ts"

/** A limit that counts a user, and what it blocks. */
interface LimitOfUser extends LimitSubject, Pick<UserBlock, "blocks" | "onlyInBrowser"> {}

/** The secrets whose wrong guesses block users. Wrong passkeys never do (SEC-145). */
const guessedSecrets = ["password", "code", "email_code"] as const

/** The limits that count a user, one of the user's known browsers, or one of the user's emails. */
const limitsOf = (user: User, browserIds: ReadonlyArray<string>): ReadonlyArray<LimitOfUser> => {
  const { id, realmId, email, emailPending } = user
  const addresses = [email, emailPending].filter((one) => one !== null)
  return [
    ...guessedSecrets.map((kind) => ({
      name: "attempts" as const,
      subject: attemptSubject(id, kind),
      blocks: kind,
      onlyInBrowser: false
    })),
    ...browserIds.map((browserId) => ({
      name: "attempts" as const,
      subject: attemptSubject(id, "password", browserId),
      blocks: "password" as const,
      onlyInBrowser: true
    })),
    { name: "email_codes", subject: attemptSubject(id, "email_code"), blocks: "email_code", onlyInBrowser: false },
    { name: "user_codes", subject: userCodeSubject(realmId, id), blocks: "device_code", onlyInBrowser: false },
    ...addresses.flatMap((address) =>
      (["mails", "mails_sustained"] as const).map((name) => ({
        name,
        subject: recipientSubject(realmId, address),
        blocks: "email" as const,
        onlyInBrowser: false
      }))
    )
  ]
}

/** Shows and ends the blocks of users (C290). */
export class UserBlocks extends Context.Service<
  UserBlocks,
  {
    /** Returns why a user is blocked. Failed attempts come before rate limits. */
    list(user: User): Effect.Effect<ReadonlyArray<UserBlock>, never, CurrentRealm>
    /**
     * Ends all blocks of a user as if their time had passed: counts restart, and a blocked browser is no longer known
     * (SEC-271). Counts that haven't led to a block continue. Records `user.unblocked` if there was a block.
     */
    end(user: User): Effect.Effect<void, RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/UserBlocks") {
  static readonly layer = Layer.effect(
    UserBlocks,
    Effect.gen(function* () {
      const attempts = yield* LoginAttemptsRepo
      const browsers = yield* KnownBrowsersRepo
      const users = yield* UsersRepo
      const rateLimits = yield* RateLimits
      const locks = yield* AccountLocks
      const journal = yield* Journal

      const find = Effect.fnUntraced(function* (user: User) {
        const now = yield* DateTime.now
        const known = yield* browsers.ofUser(user.realmId, user.id, now)
        const blockedKinds = (yield* attempts.blocksOf(user.realmId, user.id, now)).flatMap(({ kind, endsAt }) =>
          kind === "passkey" ? [] : [{ kind, endsAt }]
        )
        const limits = limitsOf(
          user,
          known.map(({ id }) => id)
        )
        const reached = new Map(
          (yield* rateLimits.findReached(limits)).map((one) => [`${one.name} ${one.subject}`, one.ends])
        )
        const failures = { reason: "failed_attempts", limit: null } as const
        const blocks: ReadonlyArray<UserBlock> = [
          ...blockedKinds.map(({ kind, endsAt }) => ({ ...failures, blocks: kind, onlyInBrowser: false, endsAt })),
          ...known.flatMap(({ blockedUntil }) =>
            blockedUntil === null
              ? []
              : [{ ...failures, blocks: "password" as const, onlyInBrowser: true, endsAt: blockedUntil }]
          ),
          ...limits.flatMap(({ name, subject, ...limited }) => {
            const endsAt = reached.get(`${name} ${subject}`)
            return endsAt === undefined ? [] : [{ ...limited, reason: "rate_limit" as const, limit: name, endsAt }]
          })
        ]
        const reachedLimits = limits.filter(({ name, subject }) => reached.has(`${name} ${subject}`))
        return { now, blocks, blockedKinds, reachedLimits }
      })

      const end = Effect.fn("UserBlocks.end")(function* ({ id, realmId }: User) {
        yield* locks.transact(
          id,
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realmId, id)
            if (user === undefined) return
            const { now, blocks, blockedKinds, reachedLimits } = yield* find(user)
            if (blocks.length === 0) return
            yield* attempts.reset(
              realmId,
              blockedKinds.map(({ kind }) => attempts.attemptReset(id, kind))
            )
            yield* browsers.deleteBlocked(realmId, id, now)
            yield* rateLimits.reset(reachedLimits)
            yield* journal.record([{ eventType: "user.unblocked", userId: id }])
          })
        )
      })

      return UserBlocks.of({ list: (user) => Effect.map(find(user), ({ blocks }) => blocks), end })
    })
  )
}
