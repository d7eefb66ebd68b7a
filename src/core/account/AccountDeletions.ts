import { Context, DateTime, Effect, Layer } from "effect"
import { AccountDeletionOff, OrgsNeedOwner } from "#domain/AccountDeletion"
import { identifyUser } from "#domain/EventActor"
import type { UserId } from "#domain/Ids"
import { TokenNotFound } from "#domain/Login"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { SessionNotFound } from "#domain/Session"
import { type User, UserNotFound } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AccountDeletionsRepo } from "#store/users/AccountDeletionsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { BrowserSessions, type LoggedInVisitor } from "../sessions/BrowserSessions.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { Users } from "../users/Users.ts"

/** Whether a user can delete their account, and when the deletion would happen. */
export interface DeletionOffer {
  /** When the account would be deleted if the user asked for it now. */
  readonly at: DateTime.Utc
  /** Whether the account would be deleted at once. */
  readonly isImmediate: boolean
  /** The orgs that must have another owner first. */
  readonly orgs: ReadonlyArray<string>
}

/** An account that will be deleted unless its user keeps it. */
export interface ScheduledDeletion {
  readonly user: User
  readonly at: DateTime.Utc
}

/** Lets users delete their own accounts, at once or after the delay of the realm (C307, SEC-288). */
export class AccountDeletions extends Context.Service<
  AccountDeletions,
  {
    /** Returns undefined if users can't delete their accounts in this realm, or if the deletion is already scheduled. */
    offer(user: User): Effect.Effect<DeletionOffer | undefined, never, CurrentRealm>
    /**
     * Schedules the deletion of the account, and emails a link to keep it. Records `user.deletion.scheduled`. Returns the time
     * of the deletion. Without a delay, deletes the account at once, with the events of `Users.delete`, and returns undefined.
     * The browser must still be logged in. The caller must have checked a proof of identity.
     */
    request(
      visitor: LoggedInVisitor
    ): Effect.Effect<
      DateTime.Utc | undefined,
      AccountDeletionOff | OrgsNeedOwner | SessionNotFound | RealmNotFound,
      CurrentRealm
    >
    /** Cancels the deletion of a user's account. Records `user.deletion.canceled` if one was scheduled. */
    cancel(userId: UserId): Effect.Effect<void, UserNotFound | RealmNotFound, CurrentRealm>
    /** Finds the deletion that an emailed link can cancel. Changes nothing. */
    preview(token: string): Effect.Effect<ScheduledDeletion, TokenNotFound, CurrentRealm>
    /** Cancels a deletion with an emailed link, with the user as the actor. */
    cancelWith(token: string): Effect.Effect<ScheduledDeletion, TokenNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/AccountDeletions") {
  static readonly layer = Layer.effect(
    AccountDeletions,
    Effect.gen(function* () {
      const repo = yield* AccountDeletionsRepo
      const users = yield* UsersRepo
      const browsers = yield* BrowserSessions
      const tokens = yield* OneTimeTokens
      const accounts = yield* Users
      const journal = yield* Journal
      const transaction = yield* Transaction

      const offer = Effect.fn("AccountDeletions.offer")(function* ({ id, realmId, deletionAt }: User) {
        const { accountDeletionDays: days } = yield* CurrentRealm
        if (days === null || deletionAt !== null) return undefined
        const now = yield* DateTime.now
        const orgs = yield* repo.orgsNeedingOwner(realmId, id, now)
        return { at: DateTime.add(now, { days }), isImmediate: days === 0, orgs }
      })

      const request = Effect.fn("AccountDeletions.request")(function* ({ user: { id }, login }: LoggedInVisitor) {
        const realm = yield* CurrentRealm
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, id)
            if (user?.state !== "active") return yield* new SessionNotFound({ id: "" })
            yield* browsers.requireLogin(login)
            if (user.deletionAt !== null) return user.deletionAt
            const found = yield* offer(user)
            if (found === undefined) return yield* new AccountDeletionOff()
            if (found.orgs.length > 0) return yield* new OrgsNeedOwner({ names: found.orgs })
            if (found.isImmediate) {
              yield* accounts.delete(id).pipe(Effect.catchTag("UserNotFound", Effect.die))
              return undefined
            }
            yield* repo.set(realm.id, id, found.at)
            const { id: tokenId } = yield* tokens.issue("tad:", user, "mail")
            yield* journal.record([{ eventType: "user.deletion.scheduled", userId: id, tokenId }])
            return found.at
          })
        )
      })

      /** Cancels the deletion of a user whose row is locked. */
      const cancelLocked = Effect.fnUntraced(function* (user: User) {
        if (user.deletionAt === null) return
        yield* repo.set(user.realmId, user.id, null)
        yield* tokens.revoke(user, ["account_deletion"])
        yield* journal.record([{ eventType: "user.deletion.canceled", userId: user.id }])
      })

      const cancel = Effect.fn("AccountDeletions.cancel")(function* (id: UserId) {
        const realm = yield* CurrentRealm
        yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, id)
            if (user === undefined) return yield* new UserNotFound({ id })
            yield* cancelLocked(user)
          })
        )
      })

      const scheduledOf = Effect.fnUntraced(function* (user: User | undefined) {
        const { pendingReset } = yield* CurrentRealm
        const isGone = user === undefined || isBeingReset(pendingReset, "user", user.id)
        if (isGone || user.deletionAt === null) return yield* new TokenNotFound()
        return { user, at: user.deletionAt }
      })

      const preview = Effect.fn("AccountDeletions.preview")(function* (text: string) {
        const { realmId, userId } = yield* tokens.findLive(["tad:"], text)
        return yield* scheduledOf(yield* users.find(realmId, userId))
      })

      const cancelWith = Effect.fn("AccountDeletions.cancelWith")(function* (text: string) {
        const token = yield* tokens.findLive(["tad:"], text)
        return yield* transaction.run(
          Effect.gen(function* () {
            const found = yield* scheduledOf(yield* users.findForUpdate(token.realmId, token.userId))
            yield* tokens.consume(token)
            yield* identifyUser(token.userId)
            yield* cancelLocked(found.user)
            return found
          })
        )
      })

      return AccountDeletions.of({ offer, request, cancel, preview, cancelWith })
    })
  )
}
