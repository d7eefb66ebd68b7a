import type { Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { type HeldLocks, holdLocks } from "./locks.ts"
import type { OwnService } from "./sallyport.ts"

type Own = Pick<OwnService, "otherSql">

/** The message for rejected requests. */
export const BUSY_MESSAGE = "The service is handling too many requests right now. Try again in a moment."

/** Blocks all writes to orgs until it is released. On the embedded database it blocks all statements. */
export const blockOrgWrites = (own: Own): Promise<HeldLocks> =>
  holdLocks(own, own.otherSql`lock table orgs in exclusive mode`)

/** Sends many requests concurrently. Returns the responses in the order of arrival. */
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

/** A body that creates an org. */
export const newOrg = () => ({ org: { name: uniqueText("Org") } })
