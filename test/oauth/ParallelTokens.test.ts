import { expect, test } from "vitest"
import { oauthClient } from "../support/oauth.ts"
import { loggedIn, redeem, refresh, storedCode } from "../support/oauthTokens.ts"
import { service, workerSql } from "../support/sallyport.ts"

const started = async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  return { sql, realm: await given.realm() }
}

const inParallel = <A>(what: () => Promise<A>) => Promise.all(Array.from({ length: 200 }, what))

test("SEC-155: 200 concurrent redemptions of a code succeed only once and revoke the grant", async () => {
  const { sql, realm } = await started()
  const client = await oauthClient(realm)
  const user = await realm.user()
  const code = await storedCode(sql, realm, client, user.id)
  const { result: replies, events } = await realm.seen.during(() => inParallel(() => redeem(client, realm, code)))
  // Requests that don't fit into the transaction queue get 503.
  for (const { status } of replies) expect([200, 400, 503]).toContain(status)
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(events.map(({ event_type }) => event_type)).toEqual(["oauth.grant.created", "oauth.code.reused"])
})

test("SEC-157: 200 concurrent refreshes with one token all return the same new token", async () => {
  const { sql, realm } = await started()
  const { client, reply } = await loggedIn(sql, realm)
  const { result: replies, events } = await realm.seen.during(() =>
    inParallel(() => refresh(client, realm, reply.string("refresh_token")))
  )
  for (const { status } of replies) expect([200, 503]).toContain(status)
  const successors = new Set(replies.flatMap((one) => (one.status === 200 ? [one.string("refresh_token")] : [])))
  expect(successors.size).toBe(1)
  expect(events).toEqual([])
  const [successor = ""] = successors
  expect((await refresh(client, realm, successor)).status).toBe(200)
})
