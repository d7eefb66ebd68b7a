import { Effect } from "effect"
import { foldedColumns, UnfoldedEmailsRepo } from "#store/users/UnfoldedEmailsRepo"

/** The number of emails to read in one batch. */
const BATCH = 500

/**
 * Rewrites email domains to their ASCII form at startup, because an earlier version stored them as entered (C257). An email
 * stays unchanged if another user of the realm already has the ASCII form. Returns the number of unchanged emails.
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
