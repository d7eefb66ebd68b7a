import { expect, test } from "vitest"
import { counts, importRows } from "../support/imports.ts"
import { PASSWORD } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

const row = (username: string) => ({ reference: "crm-1", email: "ada@example.test", username })

const human = { email: "other@example.test", password: PASSWORD }

test("C94: an import takes usernames with spaces, by which their users log in and which they keep; a new one has none", async () => {
  const realm = await (await service()).given.realm()
  await importRows(realm, [row("Ada Lovelace")])
  const path = "/v2/users/ada@example.test"
  expect((await realm.get(path)).member("username")).toBe("Ada Lovelace")
  await realm.put(path, { user: { password: PASSWORD } })
  const login = await realm.post("/v1/users/ada%20lovelace/authenticate", { password: PASSWORD })
  expect([login.status, login.member("email")]).toEqual([200, "ada@example.test"])
  const same = { user: { username: " ada LOVELACE", first_name: "Augusta" } }
  for (const update of [`${path}/profile`, path]) {
    const kept = await realm.put(update, same)
    expect([kept.status, kept.member("username"), kept.member("first_name")]).toEqual([200, "ada LOVELACE", "Augusta"])
    const { result, events } = await realm.seen.during(() => realm.put(update, { user: { username: "Ada Byron" } }))
    expect([result.status, result.member("errors"), events]).toEqual([422, ["Username can't contain spaces."], []])
  }
  expect(counts(await importRows(realm, [row("Ada Byron")]))).toMatchObject({ updated: 1 })
  expect((await realm.put(path, { user: { username: "Ada" } })).member("username")).toBe("Ada")
  const { result, events } = await realm.seen.during(() =>
    realm.post("/v2/users", { user: { ...human, username: "A B" } })
  )
  expect([result.status, result.member("errors"), events]).toEqual([422, ["Username can't contain spaces."], []])
})
