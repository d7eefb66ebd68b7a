import { Context, Effect, Layer } from "effect"
import type { UserId } from "#domain/Ids"
import { type Blocked, TokenNotFound, type WrongPassword } from "#domain/Login"
import { decideMailboxProof, type PossessionOptions, PossessionUnproved, possessionOptions } from "#domain/MailboxProof"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import type { User } from "#domain/User"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { PasswordChecks, requirePlausiblePassword } from "../credentials/PasswordChecks.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import { EmailVerifications, type LinkProof, type PendingProof } from "./EmailVerifications.ts"
import { MailboxProofs } from "./MailboxProofs.ts"
import { SelfServiceMails } from "./SelfServiceMails.ts"

/**
 * A pending confirmation. `offer` lists the accepted proofs that the visitor owns the account. It is undefined if no proof is
 * required.
 */
export interface PendingConfirmation extends PendingProof {
  readonly offer: PossessionOptions | undefined
}

/** Evidence that the visitor who opened the link owns the account. */
export interface PossessionEvidence {
  /** The user logged in to the browser, if any. */
  readonly holder: UserId | undefined
  /** The password entered for the account, if any. */
  readonly password: string | undefined
}

type Failure = TokenNotFound | Rejected | RealmNotFound | PossessionUnproved | WrongPassword | Blocked | HashingBusy

/** Confirms email addresses with emailed links, on the hosted pages (C49, SEC-85). */
export class EmailConfirmations extends Context.Service<
  EmailConfirmations,
  {
    /** Finds the pending confirmation with this token. `holder` is the user logged in to the browser. Changes nothing. */
    preview(token: string, holder: UserId | undefined): Effect.Effect<PendingConfirmation, TokenNotFound, CurrentRealm>
    /** Verifies the address. Records `user.email.verified`, or `user.blocked` if a wrong password blocks the user. */
    confirm(token: string, evidence: PossessionEvidence): Effect.Effect<User, Failure, CurrentRealm>
    /** Emails a link to reset the password instead of confirming the address. Records `user.password_token.created`. */
    resetInstead(token: string): Effect.Effect<PendingProof, TokenNotFound, CurrentRealm>
  }
>()("sallyport/core/EmailConfirmations") {
  static readonly layer = Layer.effect(
    EmailConfirmations,
    Effect.gen(function* () {
      const verifications = yield* EmailVerifications
      const mailboxes = yield* MailboxProofs
      const accounts = yield* AccountsRepo
      const hasher = yield* PasswordHasher
      const checks = yield* PasswordChecks
      const mails = yield* SelfServiceMails

      const preview = Effect.fn("EmailConfirmations.preview")(function* (token: string, holder: UserId | undefined) {
        const realm = yield* CurrentRealm
        const seen = yield* verifications.preview(token)
        const found = yield* mailboxes.accountState(seen.user, holder === seen.user.id ? "session" : "none")
        if (decideMailboxProof(seen.proof, found)._tag === "Verifies") return { ...seen, offer: undefined }
        const account = yield* accounts.find(realm.id, seen.user.id)
        const passwordsOn = realm.state === "active" && account?.passwordsEnabled === true
        return { ...seen, offer: possessionOptions(seen.proof, found, passwordsOn) }
      })

      /** Checks the entered password, and returns the stored hash if it matches. */
      const checkPassword = Effect.fnUntraced(function* ({ id }: User, entered: string) {
        const realm = yield* CurrentRealm
        const password = yield* requirePlausiblePassword("password", entered)
        if (password === "") return yield* rejection("password", "blank")
        const account = yield* accounts.find(realm.id, id)
        if (account === undefined) return yield* new TokenNotFound()
        return yield* hasher
          .withHashing((hashing) => checks.check(hashing, account, password, () => []))
          .pipe(Effect.catchTag("UserNotFound", () => Effect.fail(new TokenNotFound())))
      })

      /** Evaluates the evidence inside the transaction. If the password was changed while it was checked, it doesn't count. */
      const possession = Effect.fnUntraced(function* (before: User, holder: UserId | undefined, hash?: string) {
        if (holder === before.id) return "session" as const
        const isCurrent =
          hash !== undefined && (yield* accounts.findLocked(before.realmId, before.id, hash)) !== undefined
        return isCurrent ? ("password" as const) : ("none" as const)
      })

      const confirm = Effect.fn("EmailConfirmations.confirm")(function* (
        token: string,
        { holder, password }: PossessionEvidence
      ) {
        const { user, offer } = yield* preview(token, holder)
        const usesPassword = offer?.password === true && password !== undefined
        const hash = usesPassword ? yield* checkPassword(user, password) : undefined
        const authorize = Effect.fnUntraced(function* (before: User, proof: LinkProof) {
          const decision = yield* mailboxes.decide(proof, before, yield* possession(before, holder, hash))
          if (decision._tag !== "Verifies") return yield* new PossessionUnproved()
        })
        return yield* verifications.verify(token, undefined, authorize)
      })

      const resetInstead = Effect.fn("EmailConfirmations.resetInstead")(function* (token: string) {
        const { offer, ...seen } = yield* preview(token, undefined)
        if (offer?.reset !== true) return yield* new TokenNotFound()
        yield* mails.resetOf(seen.user)
        return seen
      })

      return EmailConfirmations.of({ preview, confirm, resetInstead })
    })
  )
}
