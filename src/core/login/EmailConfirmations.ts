import { Context, Effect, Layer } from "effect"
import type { UserId } from "#domain/Ids"
import { type Blocked, TokenNotFound, type WrongPassword } from "#domain/Login"
import { decideMailboxProof, type PossessionOptions, PossessionUnproved, possessionOptions } from "#domain/MailboxProof"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import type { User } from "#domain/User"
import { AccountsRepo } from "#store/AccountsRepo"
import { PasswordChecks, requirePlausiblePassword } from "../credentials/PasswordChecks.ts"
import { PasswordHasher } from "../passwords/PasswordHasher.ts"
import { EmailVerifications, type LinkProof, type SeenProof } from "./EmailVerifications.ts"
import { MailboxProofs } from "./MailboxProofs.ts"
import { SelfServiceMails } from "./SelfServiceMails.ts"

/** A confirmation as it is before it is given. `offer`: what may be done first; undefined: nothing has to be. */
export interface SeenConfirmation extends SeenProof {
  readonly offer: PossessionOptions | undefined
}

/** What somebody who has opened the link has to show for the account. */
export interface Shown {
  /** The user whose session the browser holds, if it holds one. */
  readonly holder: UserId | undefined
  /** The account's password; undefined: none was typed. */
  readonly password: string | undefined
}

type Gone = TokenNotFound | Rejected | RealmNotFound

/** Confirmations of addresses by the links of mails, on the hosted pages (C49, SEC-85). */
export class EmailConfirmations extends Context.Service<
  EmailConfirmations,
  {
    /** Changes nothing. */
    look(token: string, holder: UserId | undefined): Effect.Effect<SeenConfirmation, TokenNotFound, CurrentRealm>
    /** `user.email.verified`. Wrong hasher count as everywhere: `user.blocked` where one blocks. */
    confirm(
      token: string,
      shown: Shown
    ): Effect.Effect<User, Gone | PossessionUnproved | WrongPassword | Blocked | HashingBusy, CurrentRealm>
    /** A mail with a link to set a new password, in place of the confirmation: `user.password_token.created`. */
    resetInstead(token: string): Effect.Effect<SeenProof, TokenNotFound, CurrentRealm>
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

      const look = Effect.fn("EmailConfirmations.look")(function* (token: string, holder: UserId | undefined) {
        const realm = yield* CurrentRealm
        const seen = yield* verifications.look(token)
        const found = yield* mailboxes.standing(seen.user, holder === seen.user.id ? "session" : "none")
        if (decideMailboxProof(seen.proof, found)._tag === "Verifies") return { ...seen, offer: undefined }
        const account = yield* accounts.find(realm.id, seen.user.id)
        const passwordsOn = realm.state === "active" && account?.passwordsEnabled === true
        return { ...seen, offer: possessionOptions(seen.proof, found, passwordsOn) }
      })

      /** The hash that a password was found to belong to. */
      const checked = Effect.fnUntraced(function* ({ id }: User, typed: string) {
        const realm = yield* CurrentRealm
        const password = yield* requirePlausiblePassword("password", typed)
        if (password === "") return yield* rejected("password", "blank")
        const account = yield* accounts.find(realm.id, id)
        if (account === undefined) return yield* new TokenNotFound()
        return yield* hasher
          .withHashing((hashing) => checks.check(hashing, account, password, []))
          .pipe(Effect.catchTag("UserNotFound", () => Effect.fail(new TokenNotFound())))
      })

      /** Inside the transaction: who lost this password while it was being checked has not shown it. */
      const possession = Effect.fnUntraced(function* (before: User, holder: UserId | undefined, hash?: string) {
        if (holder === before.id) return "session" as const
        const isHeld = hash !== undefined && (yield* accounts.findLocked(before.realmId, before.id, hash)) !== undefined
        return isHeld ? ("password" as const) : ("none" as const)
      })

      const confirm = Effect.fn("EmailConfirmations.confirm")(function* (token: string, { holder, password }: Shown) {
        const { user, offer } = yield* look(token, holder)
        const asked = offer?.password === true && password !== undefined
        const hash = asked ? yield* checked(user, password) : undefined
        const admits = Effect.fnUntraced(function* (before: User, proof: LinkProof) {
          const decision = yield* mailboxes.decide(proof, before, yield* possession(before, holder, hash))
          if (decision._tag !== "Verifies") return yield* new PossessionUnproved()
        })
        return yield* verifications.verify(token, undefined, admits)
      })

      const resetInstead = Effect.fn("EmailConfirmations.resetInstead")(function* (token: string) {
        const { offer, ...seen } = yield* look(token, undefined)
        if (offer?.reset !== true) return yield* new TokenNotFound()
        yield* mails.resetOf(seen.user)
        return seen
      })

      return EmailConfirmations.of({ look, confirm, resetInstead })
    })
  )
}
