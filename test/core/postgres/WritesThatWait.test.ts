import { expect, test } from "vitest"
import { awaitBlockedConnection, holdLocks } from "../../support/locks.ts"
import { clockedService } from "../../support/sallyport.ts"

test("creating a user waits while another transaction locks the realm, without delaying reads", async () => {
  const own = await clockedService()
  const realm = await own.given.realm()
  const known = await realm.user()
  let created = false
  const creation = async () => {
    const made = await realm.post("/v2/users", { user: { email: "ada@example.test", credentials: [] } })
    created = true
    return made
  }
  const held = await holdLocks(own, own.otherSql`select id from realms where id = ${realm.id} for update`)
  const pending = creation()
  await awaitBlockedConnection(own)
  const reads = await Promise.all(Array.from({ length: 50 }, () => realm.get(`/v2/users/${known.id}`)))
  expect(reads.filter(({ status }) => status !== 200)).toEqual([])
  expect(created).toBe(false)
  await held.release()
  expect((await pending).status).toBe(201)
})
