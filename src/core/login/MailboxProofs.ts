import { Context, DateTime, Effect, Layer } from "effect"
import {
  type AccountState,
  decideMailboxProof,
  type MailboxProof,
  type Possession,
  type ProofDecision
} from "#domain/MailboxProof"
import type { User } from "#domain/User"
import { KnownBrowsersRepo } from "#store/KnownBrowsersRepo"
import { MailboxProofsRepo } from "#store/MailboxProofsRepo"
import { UsersRepo } from "#store/UsersRepo"
import type { NewEvent } from "../events/Journal.ts"
import { NewPasswords } from "../provisioning/NewPasswords.ts"
import { OneTimeTokens } from "../tokens/OneTimeTokens.ts"

/** A user whose mailbox was proved. */
export interface ProvedMailbox {
  readonly user: User
  /** Whether the e-mail was unverified until now. */
  readonly isNew: boolean
  /** Whether the user lost a profile, an authenticator app or a pending e-mail by it. */
  readonly lost: boolean
  /** The `session.deleted` to record. */
  readonly ended: ReadonlyArray<NewEvent>
}

/** A mailbox proved for the first time: what that means for the account, whichever way it was shown (C49). */
export class MailboxProofs extends Context.Service<
  MailboxProofs,
  {
    /** An account as a proof finds it. */
    standing(user: User, possession: Possession): Effect.Effect<AccountState>
    /** What a proof would come to now. Changes nothing. */
    decide(proof: MailboxProof, user: User, possession: Possession): Effect.Effect<ProofDecision>
    /**
     * Takes a proof that stands alone, inside the transaction that holds the user's row. Of an account that was never
     * verified nothing stays by which anyone could get in: sessions, profiles elsewhere, authenticator apps, the pending
     * e-mail, one-time tokens, known browsers, and the password, which stays listed and is good for nothing until it is set anew.
     */
    take(proof: "mailed_reset" | "mailed_code" | "verified_provider", before: User): Effect.Effect<ProvedMailbox>
  }
>()("sallyport/core/MailboxProofs") {
  static readonly layer = Layer.effect(
    MailboxProofs,
    Effect.gen(function* () {
      const repo = yield* MailboxProofsRepo
      const users = yield* UsersRepo
      const browsers = yield* KnownBrowsersRepo
      const tokens = yield* OneTimeTokens
      const newPasswords = yield* NewPasswords

      const standing = Effect.fnUntraced(function* ({ realmId, id }: User, possession: Possession) {
        const found = yield* repo.standing(realmId, id, yield* DateTime.now)
        return found === undefined
          ? yield* Effect.die(new Error("A mailbox was proved of a user who is not there."))
          : { ...found, possession }
      })

      const decide = (proof: MailboxProof, user: User, possession: Possession) =>
        Effect.map(standing(user, possession), (found) => decideMailboxProof(proof, found))

      const verified = (user: User): User => ({ ...user, emailVerification: "verified" })

      const takeOver = Effect.fnUntraced(function* (before: User) {
        const after: User = { ...verified(before), emailPending: null }
        yield* users.update(after)
        const lost = yield* repo.shutOut(after.realmId, after.id, yield* DateTime.now)
        yield* tokens.revoke(after, ["login", "password_reset", "email_verification", "email_change"])
        yield* browsers.deleteOfUser(after.realmId, after.id)
        const ended = yield* newPasswords.endSessions(after)
        return { user: after, isNew: true, lost: lost || before.emailPending !== null, ended }
      })

      const take = Effect.fn("MailboxProofs.take")(function* (
        proof: "mailed_reset" | "mailed_code" | "verified_provider",
        before: User
      ): Effect.fn.Return<ProvedMailbox> {
        const { _tag } = yield* decide(proof, before, "none")
        if (_tag === "TakesOver") return yield* takeOver(before)
        const isNew = before.emailVerification !== "verified"
        if (isNew) yield* users.update(verified(before))
        return { user: verified(before), isNew, lost: false, ended: [] }
      })

      return MailboxProofs.of({ standing, decide, take })
    })
  )
}
