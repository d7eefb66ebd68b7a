import { expect, test } from "vitest"
import { awaitBlockedConnection, blockedConnections, holdLocks } from "../../support/locks.ts"
import { authenticate, authenticateV1, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { isolatedService } from "../../support/sallyport.ts"

test("SEC-111: of many concurrent logins to one account, only one waits in the database", () =>
  isolatedService(async (own) => {
    const [realm, other] = [await own.given.realm(), await own.given.realm()]
    const user = await quickUser(realm)
    const org = await other.org()
    const locks = await holdLocks(own, own.otherSql`select 1 from users where id = ${user.id} for update`)
    const entryPoints = [
      () => authenticate(realm, user.id),
      () => authenticateV1(realm, user.id),
      () =>
        realm.put(`/v2/users/${user.id}/update_password`, {
          user: { current_password: "not this one", password: OTHER_PASSWORD }
        })
    ]
    const tries = Promise.all(Array.from({ length: 30 }, (_, n) => entryPoints[n % entryPoints.length]?.()))
    await awaitBlockedConnection(own)
    const reads = await Promise.all(Array.from({ length: 20 }, () => other.get(`/v2/orgs/${org.id}`)))
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200))
    expect((await other.post("/v2/orgs", { org: { name: "Acme" } })).status).toBe(201)
    expect(await blockedConnections(own)).toBe(1)
    await locks.release()
    const statuses = new Set((await tries).map((reply) => reply?.status))
    expect([...statuses].filter((status) => ![200, 201, 422, 429].includes(status ?? 0))).toEqual([])
    expect((await authenticate(realm, user.id, PASSWORD)).status).not.toBe(503)
  }))
