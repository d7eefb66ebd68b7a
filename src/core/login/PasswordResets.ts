import { Context, DateTime, Effect, Layer } from "effect"
import type { UserId } from "#domain/Ids"
import { type LoginOutcome, LoginsOff, TokenNotFound } from "#domain/Login"
import type { TokenKind } from "#domain/OneTimeToken"
import type { HashingBusy } from "#domain/Password"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { type User, UserInactive, UserNotFound, visibleUser } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AccountsRepo } from "#store/AccountsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"
import { MailboxProofs } from "./MailboxProofs.ts"

type ResetKind = Extract<TokenKind, "kpw_" | "tpw:">

/** A new password presented with a reset token. */
export interface PasswordReset {
  readonly kind: ResetKind
  readonly token: string
  readonly password: string
  /** The user that the call names beside the token. */
  readonly userId: UserId | undefined
  /** Whether the reset logs in: by which kind of token where a code is due. */
  readonly logsIn: PendingKind | undefined
}

/** A reset as it is before a new password is chosen. */
export interface SeenReset {
  readonly user: User
  readonly demands: PasswordRequirements
}

type Failure = Rejected | HashingBusy | LoginsOff | TokenNotFound | RealmNotFound

/** Forgotten passwords (C14, C15, C25, C27). */
export class PasswordResets extends Context.Service<
  PasswordResets,
  {
    /**
     * A token that sets a new password, for an active human. `user.password_token.created`, as v2 `user.password.resetting`.
     * `byUser`: it was the person who asked, and gets the mail (C27).
     */
    request(
      userId: UserId,
      kind: ResetKind,
      byUser?: boolean
    ): Effect.Effect<string, UserNotFound | UserInactive | Rejected | RealmNotFound, CurrentRealm>
    /** Whose password a token sets, for who asks before it is used. Changes and records nothing. */
    look(kind: ResetKind, token: string): Effect.Effect<SeenReset, TokenNotFound | LoginsOff, CurrentRealm>
    /**
     * Sets a new password. Checked before the token is used up. `user.password_token.consumed`, `session.deleted` each,
     * and those of the login where it logs in; `user.password_token.failed` of the user whose token it was that is
     * refused: whatever else is presented was nobody's, and is recorded nowhere. A token that went by mail alone proves
     * the mailbox: of one that was never proved `user.email.verified`, after `user.updated` where something that could
     * let anyone in went with it.
     */
    reset(asked: PasswordReset): Effect.Effect<User, Failure, CurrentRealm>
    resetAndLogIn(
      asked: PasswordReset & { readonly logsIn: PendingKind }
    ): Effect.Effect<LoginOutcome, Failure, CurrentRealm>
  }
>()("sallyport/core/PasswordResets") {
  static readonly layer = Layer.effect(
    PasswordResets,
    Effect.gen(function* () {
      const users = yield* UsersRepo
      const accounts = yield* AccountsRepo
      const mailboxes = yield* MailboxProofs
      const tokens = yield* OneTimeTokens
      const newPasswords = yield* NewPasswords
      const completion = yield* LoginCompletion
      const journal = yield* Journal
      const transaction = yield* Transaction

      const request = Effect.fn("PasswordResets.request")(function* (userId: UserId, kind: ResetKind, byUser = false) {
        const realm = yield* CurrentRealm
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, userId)
            if (user === undefined) return yield* new UserNotFound({ id: userId })
            if (user.userType === "api") return yield* rejected("password", "humans_only")
            if (user.state === "inactive") return yield* new UserInactive({ userId })
            const { token, id } = yield* tokens.issue(kind, user, byUser ? "mail" : "caller")
            yield* journal.record([
              { eventType: "user.password.resetting", userId, tokenId: id, requestedByUser: byUser }
            ])
            return token
          })
        )
      })

      const look = Effect.fn("PasswordResets.look")(function* (kind: ResetKind, text: string) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const token = yield* tokens.findLive([kind], text)
        const account = yield* accounts.find(realm.id, token.userId)
        if (account?.user.state !== "active") return yield* new TokenNotFound()
        if (!account.passwordsEnabled) return yield* new LoginsOff({ why: "provider_inactive" })
        return { user: visibleUser(realm, account.user), demands: yield* newPasswords.requirements(account.user) }
      })

      /** Refuses a token; the user it was issued to is told of in the journal. */
      const refused = Effect.fnUntraced(function* (userId: UserId | undefined) {
        if (userId !== undefined) yield* journal.record([{ eventType: "user.password_token.failed", userId }])
        return yield* new TokenNotFound()
      })

      const presented = Effect.fnUntraced(function* ({ kind, token, userId }: PasswordReset) {
        const found = yield* tokens.find([kind], token)
        const live = DateTime.isGreaterThan(found.expiresAt, yield* DateTime.now)
        const theirs = userId === undefined || userId === found.userId
        return live && theirs ? found : yield* refused(found.userId)
      })

      /** Whether a code is due, now that the password is set. */
      const hasSecondFactor = ({ realmId, id }: User) =>
        Effect.map(accounts.find(realmId, id), (account) => account?.secondFactor === true)

      const change = Effect.fnUntraced(function* (asked: PasswordReset) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const token = yield* presented(asked)
        const { userId } = token
        const account = yield* accounts.find(realm.id, userId)
        if (account?.user.state !== "active") return yield* refused(account?.user.id)
        if (!account.passwordsEnabled) return yield* new LoginsOff({ why: "provider_inactive" })
        const passwordHash = yield* newPasswords.draft({ password: asked.password }, account.user)

        const changed = transaction.run(
          Effect.gen(function* () {
            const before = yield* users.findForUpdate(realm.id, userId)
            if (before?.state !== "active") return yield* new TokenNotFound()
            yield* tokens.consume(token)
            const proved = token.mailed ? yield* mailboxes.take("mailed_reset", before) : undefined
            const others = yield* newPasswords.change(before, passwordHash, false)
            const user: User = { ...(proved?.user ?? before), emailPending: null }
            yield* journal.record([
              { eventType: "user.password_token.consumed", userId },
              ...(proved?.lost === true ? [{ eventType: "user.updated" as const, userId }] : []),
              ...(proved?.isNew === true ? [{ eventType: "user.email.verified" as const, userId }] : []),
              ...(proved?.ended ?? []),
              ...others
            ])
            if (asked.logsIn === undefined) return { user, grant: undefined }
            const grant = yield* (yield* hasSecondFactor(user))
              ? completion.requireMfa(user, asked.logsIn)
              : completion.startSession(user)
            return { user, grant }
          })
        )
        return yield* changed.pipe(
          Effect.catchTags({ TokenNotFound: () => refused(userId), UserInactive: () => refused(userId) })
        )
      })

      const scope = { memberships: false, orgId: undefined }

      return PasswordResets.of({
        request,
        look,
        reset: (asked) => Effect.map(change({ ...asked, logsIn: undefined }), ({ user }) => user),
        resetAndLogIn: Effect.fn("PasswordResets.resetAndLogIn")(function* (asked) {
          const { grant } = yield* change(asked)
          return grant === undefined
            ? yield* Effect.die(new Error("A reset that logs in granted nothing."))
            : yield* completion.complete(grant, scope)
        })
      })
    })
  )
}
