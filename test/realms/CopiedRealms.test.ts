import { expect, test } from "vitest"
import { Given, type GivenRealm } from "#testing/Given"
import { snapshotOf } from "../support/resources.ts"
import { service } from "../support/sallyport.ts"

/** All rows of a realm, without what is different in each: ids by their kind and their order, names, secrets, transactions. */
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

const realms = async () => {
  const { given, transport, key } = await service()
  return { made: await new Given(transport, key).realm(), copied: await given.realm(), another: await given.realm() }
}

const keyOf = async (realm: GivenRealm) => (await realm.get(`/v2/realms/${realm.id}`)).string("jwt_key")

test("the realms of tests have the rows of realms that the service makes, with ids and names of their own", async () => {
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

test("each has a signing key of its own, which signs", async () => {
  const { copied, another } = await realms()
  expect(await keyOf(copied)).toMatch(/^jsk_/)
  expect(await keyOf(another)).not.toBe(await keyOf(copied))
  const token = (await copied.session((await copied.user()).id)).string("token")
  expect((await copied.get(`/v1/sessions/${token}`)).status).toBe(200)
  expect((await another.get(`/v1/sessions/${token}`)).status).toBe(404)
})
