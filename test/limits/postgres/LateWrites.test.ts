import { expect, test } from "vitest"
import { BUSY_MESSAGE, blockOrgWrites, flood, newOrg } from "../../support/overload.ts"
import { isolatedService } from "../../support/sallyport.ts"

test("SEC-110: a write that waits too long for the database returns 503 and is never executed later", () =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    await using orgs = await blockOrgWrites(own)
    const rush = flood(8, () => realm.post("/v2/orgs", newOrg()))
    const rejected = await rush.refused
    expect([rejected.status, rejected.errors, rejected.headers.get("retry-after")]).toEqual([503, [BUSY_MESSAGE], "3"])
    await orgs.release()
    const answers = await rush.all
    const done = answers.filter(({ status }) => status === 201).map(({ id }) => id)
    const { items } = await realm.get("/v2/orgs")
    expect(items.map(({ id }) => id).toSorted()).toEqual(done.toSorted())
    expect(answers.length - done.length).toBeGreaterThan(0)
    expect((await realm.post("/v2/orgs", newOrg())).status).toBe(201)
  }))
