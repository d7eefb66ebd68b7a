import { DateTime, Effect } from "effect"
import { Journal } from "#core/events/Journal"
import { Transaction } from "#platform/Transaction"
import { OAuthRegistrationsRepo } from "#store/oauth/OAuthRegistrationsRepo"
import { BATCH, type Job } from "./Actor.ts"
import { recordEach } from "./RecordEach.ts"

/** Deletes self-registered OAuth clients that received no token in time. Records `login_policy.deleted` for each. */
export const DeleteUnusedClients = Effect.gen(function* () {
  const repo = yield* OAuthRegistrationsRepo
  const journal = yield* Journal
  const transaction = yield* Transaction

  const job: Job = {
    name: "DeleteUnusedClients",
    batch: Effect.flatMap(DateTime.now, (now) =>
      transaction.run(
        Effect.gen(function* () {
          const unused = yield* repo.claimUnused(now, BATCH)
          yield* recordEach(journal, unused, ({ id }) => ({ eventType: "login_policy.deleted", appId: id }))
          return unused.length
        })
      )
    ),
    nextDue: repo.nextUnused
  }
  return job
})
