import { expect, test } from "vitest"
import { Given, type GivenRealm } from "#testing/Given"
import { snapshotOf } from "../support/resources.ts"
import { clockedService, service } from "../support/sallyport.ts"

/** All rows of a realm with the varying parts replaced: ids (by kind and order), names, secrets and transactions. */
const shapeOf = async (realm: GivenRealm): Promise<string> => {
  const seen: Array<string> = []
  return JSON.stringify(await snapshotOf(realm), undefined, 1)
    .replaceAll(/([a-z]+)_[0-7][0-9a-hjkmnp-tv-z]{25}/g, (id, kind: string) => {
      if (!seen.includes(id)) seen.push(id)
      return `${kind} ${seen.indexOf(id)}`
    })
    .replaceAll(/realm-\d+/gi, "a name")
    .replaceAll(/"xid": "\d+"/g, "a transaction")
    .replaceAll(/v1\.[0-9a-f]{8}\.[\w-]+/g, "a secret")
}

/** The times at which a realm and its events were created. */
const timesOf = async (realm: GivenRealm) => {
  const { body } = await realm.get(`/v2/realms/${realm.id}`)
  const events = (await realm.seen.all()).map((event) => event["event_at"])
  return new Set([...events, Reflect.get(Object(body), "created_at")])
}

const realms = async () => {
  const { given, transport, key } = await service()
  return { made: await new Given(transport, key).realm(), copied: await given.realm(), another: await given.realm() }
}

const keyOf = async (realm: GivenRealm) => (await realm.get(`/v2/realms/${realm.id}`)).string("jwt_key")

test("test realms have the same rows as realms that the service creates", async () => {
  const { made, copied, another } = await realms()
  const shape = await shapeOf(made)
  expect(shape).toContain("auth_provider.created")
  expect(await shapeOf(copied)).toBe(shape)
  expect(await shapeOf(another)).toBe(shape)
  const names = await Promise.all(
    [made, copied, another].map(async (realm) => (await realm.get(`/v2/realms/${realm.id}`)).string("name"))
  )
  expect(new Set(names).size).toBe(3)
})

test("each test realm signs with its own key", async () => {
  const { copied, another } = await realms()
  expect(await keyOf(copied)).toMatch(/^jsk_/)
  expect(await keyOf(another)).not.toBe(await keyOf(copied))
  const token = (await copied.session((await copied.user()).id)).string("token")
  expect((await copied.get(`/v1/sessions/${token}`)).status).toBe(200)
  expect((await another.get(`/v1/sessions/${token}`)).status).toBe(404)
})

test("a test realm is created at the current time of the test's clock", async () => {
  const { given, advance, clock } = await clockedService()
  for (const by of ["0 seconds", "3 hours"] as const) {
    await advance(by)
    const realm = await given.realm()
    expect(await timesOf(realm)).toEqual(new Set([clock.currentTimeMillisUnsafe() / 1_000]))
    expect(await realm.seen.caused(() => realm.org())).toMatchObject([{ event_type: "org.created" }])
    expect((await realm.seen.all()).map((event) => event["event_type"]).slice(0, 2)).toEqual([
      "realm.created",
      "auth_provider.created"
    ])
  }
})
