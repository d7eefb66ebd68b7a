import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RealmId, UserId } from "#domain/Ids"
import { type SecondFactor, secondFactors } from "#domain/SecondFactor"

/**
 * An SQL condition: whether a user `u` must use a second factor to log in. They must if they have one that is not just a
 * fallback (C140).
 */
export const secondFactorDue = `exists (select from credentials c join auth_providers p on p.realm_id = c.realm_id
    and p.provider_type = c.credential_type and p.state = 'active'
  where c.realm_id = u.realm_id and c.user_id = u.id and c.credential_type = 'totp' and c.state = 'active')`

/** An SQL condition: whether the email of a user `u` is verified (`ProvedEmail.ts`). */
const emailVerifiedCondition = `u.email_verification = 'verified'
  and (u.proved_email = u.email or u.proved_email is null and u.ever_verified)`

/** Reads users' second factors and consumes their recovery codes. */
export class SecondFactorsRepo extends Context.Service<
  SecondFactorsRepo,
  {
    /** Returns the user's second factors that the realm accepts, in the order to offer them. */
    of(realmId: RealmId, userId: UserId): Effect.Effect<ReadonlyArray<SecondFactor>>
    /**
     * Consumes a user's recovery code, given its digest. Returns the number of codes left, or undefined if the user has no
     * such code. Succeeds for only one caller (SEC-124).
     */
    useRecoveryCode(realmId: RealmId, userId: UserId, digest: string): Effect.Effect<number | undefined>
    /** Returns the number of recovery codes a user has left, or undefined if the user has no set of codes. */
    recoveryCodesLeft(realmId: RealmId, userId: UserId): Effect.Effect<number | undefined>
  }
>()("sallyport/store/SecondFactorsRepo") {
  static readonly layer = Layer.effect(
    SecondFactorsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const emailVerified = sql.literal(emailVerifiedCondition)
      const left = Effect.map(([row]: ReadonlyArray<{ readonly left: number }>) => row?.left)

      return SecondFactorsRepo.of({
        of: (realmId, userId) =>
          sql<{ readonly factor: SecondFactor }>`
            select c.credential_type as factor from credentials c join auth_providers p on p.realm_id = c.realm_id
                and p.provider_type = c.credential_type and p.state = 'active'
              where c.realm_id = ${realmId} and c.user_id = ${userId}
                and (c.credential_type = 'totp' and c.state = 'active' or c.credential_type = 'passkey')
            union select credential_type from credentials
              where realm_id = ${realmId} and user_id = ${userId} and credential_type = 'recovery_codes'
                and cardinality(code_digests) > 0
            union select p.provider_type from users u join auth_providers p on p.realm_id = u.realm_id
                and p.provider_type = 'email_code' and p.state = 'active' and p.second_factor
              where u.realm_id = ${realmId} and u.id = ${userId} and ${emailVerified}`.pipe(
            Effect.map((rows) => {
              const found = new Set(rows.map(({ factor }) => factor))
              return secondFactors.filter((factor) => found.has(factor))
            }),
            Effect.orDie
          ),
        useRecoveryCode: (realmId, userId, digest) =>
          sql<{ readonly left: number }>`update credentials set code_digests = array_remove(code_digests, ${digest})
            where realm_id = ${realmId} and user_id = ${userId} and credential_type = 'recovery_codes'
              and ${digest} = any(code_digests)
            returning cardinality(code_digests) as left`.pipe(left, Effect.orDie),
        recoveryCodesLeft: (realmId, userId) =>
          sql<{ readonly left: number }>`select cardinality(code_digests) as left from credentials
            where realm_id = ${realmId} and user_id = ${userId} and credential_type = 'recovery_codes'`.pipe(
            left,
            Effect.orDie
          )
      })
    })
  )
}
