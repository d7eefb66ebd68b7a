import { Effect } from "effect"
import { foldedColumns, UnfoldedEmailsRepo } from "#store/users/UnfoldedEmailsRepo"

/** How many addresses are read per batch. */
const BATCH = 500

/**
 * Rewrites, at startup, the email domains that an earlier version stored as typed into their ASCII form (C257). Returns how
 * many users keep their address as typed because another user of the realm has the ASCII form.
 */
export const foldEmails = Effect.gen(function* () {
  const repo = yield* UnfoldedEmailsRepo
  const users: Array<string> = []
  for (const column of foldedColumns) {
    let { taken, last } = yield* repo.foldSome(column, undefined, BATCH)
    users.push(...taken)
    while (last !== undefined) {
      ;({ taken, last } = yield* repo.foldSome(column, last, BATCH))
      users.push(...taken)
    }
  }
  if (users.length > 0)
    yield* Effect.logWarning(
      "Some users have the same mailbox as another user, with the email address spelled differently."
    ).pipe(Effect.annotateLogs({ count: users.length, user_ids: users.slice(0, 20).join(", ") }))
  return users.length
})
