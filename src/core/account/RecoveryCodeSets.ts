import { Context, Effect, Layer } from "effect"
import type { CurrentRealm, RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { isSecondFactorDue } from "#domain/SecondFactor"
import type { User } from "#domain/User"
import { SecondFactorsRepo } from "#store/users/SecondFactorsRepo"
import { Credentials } from "../credentials/Credentials.ts"

/** Lets users view and create their own recovery codes (C51). */
export class RecoveryCodeSets extends Context.Service<
  RecoveryCodeSets,
  {
    /**
     * `needed` is true if the user has a second factor that could be lost. `left` is the number of unused codes, or undefined
     * if the user has no set.
     */
    status(user: User): Effect.Effect<{ readonly needed: boolean; readonly left: number | undefined }>
    /**
     * Creates a set that replaces the user's previous one, and returns its codes. Locks the user's row, then runs `guard`
     * before anything else. Records `user.updated`.
     */
    create<E, R>(
      user: User,
      guard: Effect.Effect<void, E, R>
    ): Effect.Effect<ReadonlyArray<string>, E | Rejected | RealmNotFound, R | CurrentRealm>
  }
>()("sallyport/core/RecoveryCodeSets") {
  static readonly layer = Layer.effect(
    RecoveryCodeSets,
    Effect.gen(function* () {
      const credentials = yield* Credentials
      const secondFactors = yield* SecondFactorsRepo

      const status = Effect.fn("RecoveryCodeSets.status")(function* ({ realmId, id }: User) {
        const needed = isSecondFactorDue(yield* secondFactors.of(realmId, id))
        return { needed, left: yield* secondFactors.recoveryCodesLeft(realmId, id) }
      })

      const create = Effect.fn("RecoveryCodeSets.create")(function* <E, R>(
        { id: userId }: User,
        guard: Effect.Effect<void, E, R>
      ) {
        const { recoveryCodes = [] } = yield* credentials
          .create({ userId, credentialType: "recovery_codes" }, guard)
          .pipe(Effect.catchTag("HashingBusy", Effect.die))
        return recoveryCodes
      })

      return RecoveryCodeSets.of({ status, create })
    })
  )
}
