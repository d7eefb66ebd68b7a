import type { Reply } from "#testing/Api"
import { unique } from "#testing/Given"
import { type HeldLocks, holdLocks } from "./locks.ts"
import type { OwnService } from "./sallyport.ts"

type Own = Pick<OwnService, "besideSql">

/** What is said to those who are turned away. */
export const busy = "The service is handling too many requests right now. Try again in a moment."

/** Keeps anyone from writing orgs until it is released. Embedded: from using the database at all. */
export const withholding = (own: Own): Promise<HeldLocks> =>
  holdLocks(own, own.besideSql`lock table orgs in exclusive mode`)

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
