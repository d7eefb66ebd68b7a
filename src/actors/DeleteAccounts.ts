import { DateTime, Effect } from "effect"
import { Users } from "#core/users/Users"
import { CurrentRealm } from "#domain/Realm"
import { isBeingReset } from "#domain/RealmReset"
import { Transaction } from "#platform/Transaction"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { AccountDeletionsRepo } from "#store/users/AccountDeletionsRepo"
import type { Job } from "./Actor.ts"

/** The number of accounts to delete in one transaction. */
const ACCOUNTS_AT_ONCE = 50

/** Deletes the accounts whose users asked for it, on the scheduled date, with the same events as the API (C307). */
export const DeleteAccounts = Effect.gen(function* () {
  const repo = yield* AccountDeletionsRepo
  const realms = yield* RealmsRepo
  const users = yield* Users
  const transaction = yield* Transaction

  const batch = Effect.gen(function* () {
    const due = yield* repo.claimDue(yield* DateTime.now, ACCOUNTS_AT_ONCE)
    let deleted = 0
    for (const [realmId, some] of Map.groupBy(due, ({ realmId }) => realmId)) {
      const realm = yield* realms.find(realmId)
      if (realm === undefined) continue
      for (const { userId } of some) {
        // A reset of the realm deletes the user anyway.
        if (isBeingReset(realm.pendingReset, "user", userId)) continue
        // The rows are locked. If the realm has been deleted since the claim, the batch is rolled back.
        yield* users.delete(userId).pipe(Effect.provideService(CurrentRealm, realm), Effect.orDie)
        deleted += 1
      }
    }
    return deleted
  })

  const job: Job = { name: "DeleteAccounts", batch: transaction.run(batch), nextDue: repo.nextDue }
  return job
})
