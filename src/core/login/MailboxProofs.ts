import { Context, DateTime, Effect, Layer } from "effect"
import { changedMembers } from "#domain/EventChanges"
import {
  type AccountState,
  decideMailboxProof,
  type MailboxProof,
  type Possession,
  type ProofDecision
} from "#domain/MailboxProof"
import { isEmailProved, isEmailVerified, withProvedEmail } from "#domain/ProvedEmail"
import type { User } from "#domain/User"
import { MailboxProofsRepo } from "#store/login/MailboxProofsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import type { NewEvent } from "../events/NewEvent.ts"
import { AccessEnds } from "../provisioning/AccessEnds.ts"

/** A user who has proved control of their mailbox. */
export interface ProvedMailbox {
  readonly user: User
  /** Whether the email was unverified before. */
  readonly isNew: boolean
  /** Whether the proof removed a profile, an authenticator app, a passkey or the pending email. */
  readonly hasRevokedAccess: boolean
  /** The members changed by the proof. */
  readonly changed: ReadonlyArray<string>
  /** The events of ended sessions and grants, which the caller must record. */
  readonly endEvents: ReadonlyArray<NewEvent>
}

/** Applies the effects of mailbox proofs to accounts (C49). */
export class MailboxProofs extends Context.Service<
  MailboxProofs,
  {
    /** The state of an account at the time of a proof. */
    accountState(user: User, possession: Possession): Effect.Effect<AccountState>
    /** Decides how a proof would change the account now. Changes nothing. */
    decide(proof: MailboxProof, user: User, possession: Possession): Effect.Effect<ProofDecision>
    /**
     * Applies a proof that needs no further evidence, inside the transaction that locks the user's row. If the email was never
     * verified, ends everything that could give someone else access (`AccessEnds`). The password is still listed, but can't be
     * used until it is set again.
     */
    apply(proof: "mailed_reset" | "mailed_code" | "verified_provider", before: User): Effect.Effect<ProvedMailbox>
  }
>()("sallyport/core/MailboxProofs") {
  static readonly layer = Layer.effect(
    MailboxProofs,
    Effect.gen(function* () {
      const repo = yield* MailboxProofsRepo
      const users = yield* UsersRepo
      const access = yield* AccessEnds

      const accountState = Effect.fnUntraced(function* (user: User, possession: Possession) {
        const found = yield* repo.accessMethods(user.realmId, user.id, yield* DateTime.now)
        return found === undefined
          ? yield* Effect.die(new Error("The user of a mailbox proof does not exist."))
          : { wasVerified: isEmailProved(user), accessMethods: found, possession }
      })

      const decide = (proof: MailboxProof, user: User, possession: Possession) =>
        Effect.map(accountState(user, possession), (found) => decideMailboxProof(proof, found))

      const takeOver = Effect.fnUntraced(function* (before: User) {
        const after: User = { ...withProvedEmail(before), emailPending: null }
        yield* users.update(after)
        const { hasLostCredential: hasRevokedAccess, events: endEvents } = yield* access.end(after, "taken_over")
        const changed = [...changedMembers(before, after), ...(hasRevokedAccess ? ["credentials"] : [])].toSorted()
        return {
          user: after,
          isNew: true,
          hasRevokedAccess: hasRevokedAccess || before.emailPending !== null,
          changed,
          endEvents: endEvents
        }
      })

      const apply = Effect.fn("MailboxProofs.apply")(function* (
        proof: "mailed_reset" | "mailed_code" | "verified_provider",
        before: User
      ): Effect.fn.Return<ProvedMailbox> {
        const { _tag } = yield* decide(proof, before, "none")
        if (_tag === "TakesOver") return yield* takeOver(before)
        const isNew = !isEmailVerified(before)
        const after = withProvedEmail(before)
        if (isNew) yield* users.update(after)
        return { user: after, isNew, hasRevokedAccess: false, changed: changedMembers(before, after), endEvents: [] }
      })

      return MailboxProofs.of({ accountState, decide, apply })
    })
  )
}
