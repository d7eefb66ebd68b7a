import { DateTime, Effect } from "effect"
import { Journal } from "#core/events/Journal"
import { membershipEvent } from "#core/provisioning/NewMemberships"
import { Transaction } from "#platform/Transaction"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { BATCH, type Job } from "./Actor.ts"
import { recordEach } from "./RecordEach.ts"

/** Deletes expired memberships and records `membership.deleted` for each. */
export const ExpireMemberships = Effect.gen(function* () {
  const repo = yield* MembershipsRepo
  const journal = yield* Journal
  const transaction = yield* Transaction

  const job: Job = {
    name: "ExpireMemberships",
    batch: Effect.flatMap(DateTime.now, (now) =>
      transaction.run(
        Effect.gen(function* () {
          const expired = yield* repo.claimExpired(now, BATCH)
          yield* recordEach(journal, expired, (membership) => membershipEvent("membership.deleted", membership))
          return expired.length
        })
      )
    ),
    nextDue: repo.nextExpiry
  }
  return job
})
