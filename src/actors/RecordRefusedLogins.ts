import { Effect } from "effect"
import { Journal } from "#core/events/Journal"
import { RejectedLogins } from "#core/limits/RejectedLogins"
import type { Job } from "./Actor.ts"

/** Records `user.login.failed` with the number of rejected logins, for those that were only counted so far (C260, C278). */
export const RecordRefusedLogins = Effect.gen(function* () {
  const refused = yield* RejectedLogins
  const journal = yield* Journal

  const job: Job = {
    name: "RecordRefusedLogins",
    batch: Effect.gen(function* () {
      const due = yield* refused.takeDue
      for (const { realmId, userId, reason, attempts, names } of due) {
        const details = { reason, attempts, ...(names.length === 0 ? {} : { names }) }
        const event = { eventType: "user.login.failed" as const, ...(userId === null ? {} : { userId }), details }
        // The realm may have been deleted together with its events.
        yield* journal.recordIn(realmId, [event]).pipe(Effect.catchTag("RealmNotFound", () => Effect.void))
      }
      return due.length
    }),
    nextDue: refused.nextDue
  }
  return job
})
