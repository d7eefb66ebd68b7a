import { Context, Effect, Layer } from "effect"
import type { UserId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import type { SecondFactor } from "#domain/SecondFactor"
import { PasskeysRepo } from "#store/users/PasskeysRepo"
import { SecondFactorsRepo } from "#store/users/SecondFactorsRepo"
import { RelyingParties } from "../apps/RelyingParties.ts"

/** Finds the second factors of users. */
export class SecondFactors extends Context.Service<
  SecondFactors,
  {
    /**
     * The user's second factors that the realm accepts, in the order in which they are offered. Omits passkeys registered for
     * a domain that the realm no longer uses (C129).
     */
    ofUser(userId: UserId): Effect.Effect<ReadonlyArray<SecondFactor>, never, CurrentRealm>
  }
>()("sallyport/core/SecondFactors") {
  static readonly layer = Layer.effect(
    SecondFactors,
    Effect.gen(function* () {
      const repo = yield* SecondFactorsRepo
      const passkeys = yield* PasskeysRepo
      const relyingParties = yield* RelyingParties

      const ofUser = Effect.fnUntraced(function* (userId: UserId) {
        const { id: realmId } = yield* CurrentRealm
        const factors = yield* repo.of(realmId, userId)
        if (!factors.includes("passkey")) return factors
        const current = yield* relyingParties.rpId
        const own = yield* passkeys.ofUser(realmId, userId)
        return own.some(({ rpId }) => rpId === current) ? factors : factors.filter((factor) => factor !== "passkey")
      })

      return SecondFactors.of({ ofUser })
    })
  )
}
