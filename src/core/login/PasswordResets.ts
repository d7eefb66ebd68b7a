import { Context, Effect, Layer, Option } from "effect"
import { isSameEmail } from "#domain/Email"
import { identifyUser } from "#domain/EventActor"
import type { UserId } from "#domain/Ids"
import { KnownProblems, rejectIfAny } from "#domain/KnownProblems"
import { type LoginOutcome, LoginsOff, TokenNotFound } from "#domain/Login"
import type { OneTimeTokenKind } from "#domain/OneTimeToken"
import type { HashingBusy } from "#domain/Password"
import type { PasswordRequirements } from "#domain/PasswordPolicy"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { type User, UserInactive, UserNotFound, visibleUser } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"
import { LoginCompletion, type PendingKind } from "./LoginCompletion.ts"
import { MailboxProofs } from "./MailboxProofs.ts"

/** The tokens that set a password. `top:` accepts the invitation of an operator. */
export type ResetKind = Extract<OneTimeTokenKind, "kpw_" | "tpw:" | "top:">

/** A new password with its reset token. */
export interface PasswordReset {
  readonly kind: ResetKind
  readonly token: string
  readonly password: string
  /** The user that the caller named in addition to the token, if any. */
  readonly userId: UserId | undefined
  /** If the reset also logs in, the kind of token that waits for a second factor. Undefined if it doesn't log in. */
  readonly logsIn: PendingKind | undefined
}

/** A pending reset. `demands` are the requirements for the new password. */
export interface PendingReset {
  readonly user: User
  readonly passwordRequirements: PasswordRequirements
}

type Failure = Rejected | HashingBusy | LoginsOff | TokenNotFound | RealmNotFound

/** Resets forgotten passwords (C14, C15, C25, C27). */
export class PasswordResets extends Context.Service<
  PasswordResets,
  {
    /**
     * Issues a token to set a new password, for an active human. Records `user.password_token.created`, which v2 calls
     * `user.password.resetting`. `to` is the receiver of the token: only the user's mailbox, or the caller (C27).
     */
    request(
      userId: UserId,
      kind: ResetKind,
      to: "mail" | "caller"
    ): Effect.Effect<string, UserNotFound | UserInactive | Rejected | RealmNotFound, CurrentRealm>
    /** Finds the user whose password a token can set. Changes and records nothing. */
    preview(kind: ResetKind, token: string): Effect.Effect<PendingReset, TokenNotFound | LoginsOff, CurrentRealm>
    /** Like `preview`, but for a visitor who opens the link. A used or expired token records `user.password_token.failed`. */
    open(
      kind: ResetKind,
      token: string
    ): Effect.Effect<PendingReset, TokenNotFound | LoginsOff | RealmNotFound, CurrentRealm>
    /**
     * Validates a new password, then uses up the token and sets the password. Records `user.password_token.consumed`,
     * `session.deleted` for each ended session, and the events of the login, if any.
     *
     * A rejected token records `user.password_token.failed` for its user, even if it was used before (C265). An unknown
     * token records nothing.
     *
     * A token that was only sent by email also proves the mailbox. The first proof records `user.email.verified`. If it
     * removes something that could give someone else access, `user.updated` is recorded first.
     */
    reset(reset: PasswordReset): Effect.Effect<User, Failure, CurrentRealm>
    resetAndLogIn(
      reset: PasswordReset & { readonly logsIn: PendingKind }
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

      const request = Effect.fn("PasswordResets.request")(function* (
        userId: UserId,
        kind: ResetKind,
        to: "mail" | "caller"
      ) {
        const realm = yield* CurrentRealm
        return yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* users.findForUpdate(realm.id, userId)
            if (user === undefined) return yield* new UserNotFound({ id: userId })
            if (user.userType === "api") return yield* rejection("password", "humans_only")
            if (user.state === "inactive") return yield* new UserInactive({ userId })
            const { token, id } = yield* tokens.issue(kind, user, to)
            yield* journal.record([
              { eventType: "user.password.resetting", userId, tokenId: id, isMailed: to === "mail" }
            ])
            return token
          })
        )
      })

      const preview = Effect.fn("PasswordResets.preview")(function* (kind: ResetKind, text: string) {
        const realm = yield* CurrentRealm
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const token = yield* tokens.findLive([kind], text)
        const account = yield* accounts.find(realm.id, token.userId)
        if (account?.user.state !== "active") return yield* new TokenNotFound()
        if (!account.passwordsEnabled) return yield* new LoginsOff({ why: "provider_inactive" })
        return {
          user: visibleUser(realm, account.user),
          passwordRequirements: yield* newPasswords.requirements(account.user)
        }
      })

      /** Rejects a token, and records the failure for its user if the user is known. */
      const rejectToken = Effect.fnUntraced(function* (userId: UserId | undefined) {
        if (userId !== undefined) yield* journal.record([{ eventType: "user.password_token.failed", userId }])
        return yield* new TokenNotFound()
      })

      const rejectDeadToken = (kind: ResetKind, token: string) =>
        Effect.flatMap(tokens.findFormerOwner(kind, token), rejectToken)

      const open = (kind: ResetKind, token: string) =>
        Effect.catchTag(preview(kind, token), "TokenNotFound", () => rejectDeadToken(kind, token))

      const findToken = Effect.fnUntraced(function* ({ kind, token, userId }: PasswordReset) {
        const found = yield* Effect.catchTag(tokens.findLive([kind], token), "TokenNotFound", () =>
          rejectDeadToken(kind, token)
        )
        return userId === undefined || userId === found.userId ? found : yield* rejectToken(found.userId)
      })

      /** Returns whether a second factor is required, now that the password is set. */
      const hasSecondFactor = ({ realmId, id }: User) =>
        Effect.map(accounts.find(realmId, id), (account) => account?.secondFactor === true)

      /** Fails if the token is invalid. The error contains only the problems known so far, and nothing is recorded. */
      const rejectInvalidToken = Effect.fnUntraced(function* ({ kind, token, userId }: PasswordReset) {
        const owner = yield* Effect.option(preview(kind, token))
        if (Option.isNone(owner) || (userId !== undefined && userId !== owner.value.user.id)) yield* rejectIfAny([])
      })

      const change = Effect.fnUntraced(function* (reset: PasswordReset) {
        const realm = yield* CurrentRealm
        if ((yield* KnownProblems).length > 0) yield* rejectInvalidToken(reset)
        if (realm.state === "inactive") return yield* new LoginsOff({ why: "realm_inactive" })
        const token = yield* findToken(reset)
        const { userId } = token
        const account = yield* accounts.find(realm.id, userId)
        if (account?.user.state !== "active") return yield* rejectToken(account?.user.id)
        if (!account.passwordsEnabled) return yield* new LoginsOff({ why: "provider_inactive" })
        const passwordHash = yield* newPasswords.draft({ password: reset.password }, account.user)

        const setPassword = transaction.run(
          Effect.gen(function* () {
            const before = yield* users.findForUpdate(realm.id, userId)
            if (before?.state !== "active") return yield* new TokenNotFound()
            yield* tokens.consume(token)
            yield* identifyUser(userId)
            // Tokens issued before migration 0025 name no email. They prove the user's current email, because a change of
            // email would have revoked them.
            const isProof = token.mailed && (token.email === null || isSameEmail(token.email, before.email))
            const proved = isProof ? yield* mailboxes.apply("mailed_reset", before) : undefined
            const others = yield* newPasswords.change(before, passwordHash, undefined, "password_reset")
            const user: User = { ...(proved?.user ?? before), emailPending: null }
            yield* journal.record([
              // The first password of an operator replaces nothing.
              {
                eventType: "user.password_token.consumed",
                userId,
                ...(reset.kind === "top:" ? {} : { notice: "password_reset" as const })
              },
              ...(proved?.hasRevokedAccess === true
                ? [{ eventType: "user.updated" as const, userId, changed: proved.changed }]
                : []),
              ...(proved?.isNew === true ? [{ eventType: "user.email.verified" as const, userId }] : []),
              ...(proved?.endEvents ?? []),
              ...others
            ])
            if (reset.logsIn === undefined) return { user, grant: undefined }
            const shown = { methods: ["email"] as const, hasSecondFactor: yield* hasSecondFactor(user) }
            return { user, grant: yield* completion.takeNextStep(user, { ...shown, pendingKind: reset.logsIn }) }
          })
        )
        return yield* setPassword.pipe(
          Effect.catchTags({ TokenNotFound: () => rejectToken(userId), UserInactive: () => rejectToken(userId) })
        )
      })

      const scope = { memberships: false, orgId: undefined }

      return PasswordResets.of({
        request,
        preview,
        open,
        reset: (reset) => Effect.map(change({ ...reset, logsIn: undefined }), ({ user }) => user),
        resetAndLogIn: Effect.fn("PasswordResets.resetAndLogIn")(function* (reset) {
          const { grant } = yield* change(reset)
          return grant === undefined
            ? yield* Effect.die(new Error("A password reset with a login returned no grant."))
            : yield* completion.complete(grant, scope)
        })
      })
    })
  )
}
