import { Effect } from "effect"
import type { Reply } from "#testing/Api"
import { unique } from "#testing/Given"
import type { OwnService } from "./sallyport.ts"

type Own = Pick<OwnService, "besideSql">

/** What is said to those who are turned away. */
export const busy = "The service is handling too many requests right now. Try again in a moment."

/** Keeps anyone from writing orgs until it is told to let go. Embedded: from using the database at all. */
export const withholding = async ({ besideSql: sql }: Own) => {
  const held = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const holding = sql.withTransaction(
    Effect.andThen(
      sql`lock table orgs in exclusive mode`,
      Effect.promise(() => {
        held.resolve()
        return letGo.promise
      })
    )
  )
  const done = Effect.runPromise(holding)
  await held.promise
  const release = async () => {
    letGo.resolve()
    await done
  }
  return { letGo: release, [Symbol.asyncDispose]: release }
}

/** Orgs are asked for, all at once: the answers, in the order that they come. */
export const flood = (count: number, ask: () => Promise<Reply>) => {
  const answered: Array<Reply> = []
  const first503 = Promise.withResolvers<Reply>()
  const all = Array.from({ length: count }, async () => {
    const reply = await ask()
    answered.push(reply)
    if (reply.status === 503) first503.resolve(reply)
    return reply
  })
  return { answered, refused: first503.promise, all: Promise.all(all) }
}

/** A body that makes an org. */
export const newOrg = () => ({ org: { name: unique("Org") } })
