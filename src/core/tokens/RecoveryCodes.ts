import { Context, Effect, Layer } from "effect"
import type { RealmId, UserId } from "#domain/Ids"
import { CODES_PER_SET, parseRecoveryCode, RECOVERY_CODE_BYTES, recoveryCodeOf } from "#domain/RecoveryCode"
import { Entropy } from "#platform/Entropy"
import { SecondFactorsRepo } from "#store/users/SecondFactorsRepo"
import { ApiKeyDigests } from "./ApiKeyDigests.ts"

/** A new set of recovery codes, as shown to the user and as stored. */
export interface RecoveryCodeSet {
  readonly codes: ReadonlyArray<string>
  readonly digests: ReadonlyArray<string>
}

/** Manages recovery codes, for users who have lost their second factor (C51). */
export class RecoveryCodes extends Context.Service<
  RecoveryCodes,
  {
    /** Generates a set. Dies with `SecretUnavailable` if the realm's pepper can't be decrypted. */
    make(realmId: RealmId): Effect.Effect<RecoveryCodeSet>
    /**
     * Uses up an entered code. Call it inside the transaction of the change that the code authorizes. Returns false if the
     * code is not in the user's set or was already used.
     */
    use(realmId: RealmId, userId: UserId, typed: string): Effect.Effect<boolean>
  }
>()("sallyport/core/RecoveryCodes") {
  static readonly layer = Layer.effect(
    RecoveryCodes,
    Effect.gen(function* () {
      const entropy = yield* Entropy
      const digests = yield* ApiKeyDigests
      const repo = yield* SecondFactorsRepo

      const digest = (realmId: RealmId, code: string) =>
        Effect.map(digests.digest(realmId, `recovery code\0${code}`), (bytes) => Buffer.from(bytes).toString("base64"))

      const make = Effect.fnUntraced(function* (realmId: RealmId) {
        const codes = Array.from({ length: CODES_PER_SET }, () => recoveryCodeOf(entropy.bytes(RECOVERY_CODE_BYTES)))
        const stored = yield* Effect.forEach(codes, (code) => digest(realmId, parseRecoveryCode(code) ?? code))
        return { codes, digests: stored }
      })

      const use = Effect.fnUntraced(function* (realmId: RealmId, userId: UserId, typed: string) {
        const code = parseRecoveryCode(typed)
        if (code === undefined) return false
        return (yield* repo.useRecoveryCode(realmId, userId, yield* digest(realmId, code))) !== undefined
      })

      return RecoveryCodes.of({ make, use })
    })
  )
}
