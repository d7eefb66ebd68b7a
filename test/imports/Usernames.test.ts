import { expect, test } from "vitest"
import { counts, importRows } from "../support/imports.ts"
import { PASSWORD } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

const row = (username: string) => ({ reference: "crm-1", email: "ada@example.test", username })

test("C91: imports and the API accept usernames with spaces, but signups don't", async () => {
  const realm = await (await service()).given.realm()
  await importRows(realm, [row("Ada Lovelace")])
  const path = "/v2/users/ada@example.test"
  expect((await realm.get(path)).member("username")).toBe("Ada Lovelace")
  await realm.put(path, { user: { password: PASSWORD } })
  const login = await realm.post("/v1/users/ada%20lovelace/authenticate", { password: PASSWORD })
  expect([login.status, login.member("email")]).toEqual([200, "ada@example.test"])
  const changed = await realm.put(path, { user: { username: " Ada  Byron " } })
  expect([changed.status, changed.member("username")]).toEqual([200, "Ada  Byron"])
  expect(counts(await importRows(realm, [row("Ada King")]))).toMatchObject({ updated: 1 })
  const other = { email: "other@example.test", username: "A B", credentials: [] }
  const created = await realm.post("/v2/users", { user: other })
  expect([created.status, created.member("username")]).toEqual([201, "A B"])
})
