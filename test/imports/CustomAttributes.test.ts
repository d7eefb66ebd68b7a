import { expect, test } from "vitest"
import { counts, importRows, type Row, rejections } from "../support/imports.ts"
import { newRealm } from "../support/sallyport.ts"

test("an import adds and replaces keys of custom attributes without removing other keys", async () => {
  const realm = await newRealm()
  const of = (custom: unknown, permissions?: ReadonlyArray<string>) => ({
    reference: "crm-1",
    email: "ada@example.test",
    custom,
    memberships: [{ org: { reference: "acme", name: "Acme" }, custom, permissions }]
  })
  const shown = async () => {
    const user = await realm.get("/v2/users/ada@example.test?expand=memberships")
    const [membership] = (await realm.get(`/v1/memberships?user_id=${user.id}`)).items
    const { custom, permissions } = (await realm.get(`/v1/memberships/${String(membership?.["id"])}`)).body as Row
    return [user.member("custom"), custom, permissions]
  }
  await importRows(realm, [of({ plan: "gold", seats: 3, old: null }, ["ar:owner", "billing:read"])])
  for (const [custom, permissions, expected, permitted] of [
    [{ seats: 4, note: ["a"] }, ["billing:read"], { plan: "gold", seats: 4, old: null, note: ["a"] }, ["billing:read"]],
    [{ plan: null }, undefined, { plan: null, seats: 4, old: null, note: ["a"] }, ["billing:read"]],
    [null, [], {}, []]
  ] as const) {
    expect(counts(await importRows(realm, [of(custom, permissions)]))["updated"]).toBe(1)
    expect(await shown()).toEqual([expected, expected, permitted])
    expect(counts(await importRows(realm, [of(custom, permissions)]))["unchanged"]).toBe(1)
  }
  expect(counts(await importRows(realm, [of({})]))["unchanged"]).toBe(1)
})

test("an import rejects a row whose custom attributes are too large when combined with the existing attributes", async () => {
  const realm = await newRealm()
  const of = (key: string) => {
    const custom = { [key]: "x".repeat(9_000) }
    return {
      reference: "crm-1",
      email: "ada@example.test",
      custom,
      memberships: [{ org: { reference: "acme", name: "Acme" }, custom }]
    }
  }
  await importRows(realm, [of("a")])
  expect(rejections(await importRows(realm, [of("b")]))).toEqual([
    [1, "custom custom_too_large", "memberships[0].custom custom_too_large"]
  ])
  expect(Object.keys(Object((await realm.get("/v2/users/ada@example.test")).member("custom")))).toEqual(["a"])
})
