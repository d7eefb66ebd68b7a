import { DateTime, Effect } from "effect"
import { Journal } from "#core/events/Journal"
import { invitationEvent } from "#core/invitations/Invitations"
import { Transaction } from "#platform/Transaction"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { BATCH, type Job } from "./Actor.ts"
import { recordEach } from "./RecordEach.ts"

/** Deletes expired invitations and records `invitation.<type>.expired` for each. */
export const ExpireInvitations = Effect.gen(function* () {
  const repo = yield* InvitationsRepo
  const journal = yield* Journal
  const transaction = yield* Transaction

  const job: Job = {
    name: "ExpireInvitations",
    batch: Effect.flatMap(DateTime.now, (now) =>
      transaction.run(
        Effect.gen(function* () {
          const expired = yield* repo.claimExpired(now, BATCH)
          yield* recordEach(journal, expired, (invitation) => invitationEvent("expired", invitation))
          return expired.length
        })
      )
    ),
    nextDue: repo.nextExpiry
  }
  return job
})
