import { Context, Effect, Layer } from "effect"
import { foldedColumns, UnfoldedEmailsRepo } from "#store/users/UnfoldedEmailsRepo"

/** How many addresses are read at once. */
const BATCH = 500

/** Folds, at the start of a node, the addresses that an earlier version has stored as they were given (C257). */
export class UnfoldedEmails extends Context.Service<
  UnfoldedEmails,
  {
    /** Returns how many users keep their address because another user of the realm has the folded one. */
    readonly fold: Effect.Effect<number>
  }
>()("sallyport/core/UnfoldedEmails") {
  static readonly layer = Layer.effect(
    UnfoldedEmails,
    Effect.map(UnfoldedEmailsRepo, (repo) =>
      UnfoldedEmails.of({
        fold: Effect.gen(function* () {
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
            yield* Effect.logWarning("Users have the mailbox of another user, written in another form.").pipe(
              Effect.annotateLogs({ count: users.length, user_ids: users.slice(0, 20).join(", ") })
            )
          return users.length
        })
      })
    )
  )
}
