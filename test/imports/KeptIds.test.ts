import { describe, expect, test } from "vitest"
import { earliestId } from "#domain/Ids"
import { STARTS_AT } from "#testing/TestSallyport"
import { BCRYPT, counts, exportedRows, exportOf, importRows, rejections } from "../support/imports.ts"
import { authenticate, PASSWORD } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

const row = (id: string, reference: string, members: object = {}) => ({
  id,
  reference,
  email: `${reference}@example.test`,
  ...members
})

let numbers = 0

/** IDs that no other test uses, because IDs are unique across realms. */
const newId = (prefix: "usr_" | "org_" = "usr_") => `${prefix}Kept-${numbers++}x${STARTS_AT}`

const newRealm = async () => (await service()).given.realm()

describe("C285: IDs in rows", () => {
  test("keeps the IDs of users and orgs in an empty realm", async () => {
    const realm = await newRealm()
    const [ada, bob, acme] = [newId(), newId(), newId("org_")]
    const memberships = [{ org: { id: acme, reference: "acme", name: "Acme" }, permissions: ["ar:owner"] }]
    const credentials = [{ credential_type: "password", password_hash: BCRYPT }]
    const rows = [row(ada, "ada", { memberships, credentials }), row(bob, "bob", { memberships })]
    const { result: imported, events } = await realm.seen.during(() => importRows(realm, rows, "?events=true"))
    expect([counts(imported), imported.summary["orgs_created"]]).toEqual([
      { created: 2, updated: 0, unchanged: 0, refused: 0 },
      1
    ])
    expect(events.map(({ event_type }) => event_type)).toEqual([
      "realm.importing",
      "org.created",
      "user.created",
      "user.created",
      "membership.created",
      "membership.created",
      "realm.imported"
    ])
    const user = await realm.get(`/v2/users/${ada}?expand=memberships`)
    expect(user.body).toMatchObject({ id: ada, reference: "ada", memberships: [{ org: { id: acme, name: "Acme" } }] })
    expect((await realm.get(`/v2/orgs/${acme}`)).member("name")).toBe("Acme")
    expect((await realm.get(`/v1/users/${ada}`)).status).toBe(200)
    const login = await authenticate(realm, ada, PASSWORD)
    expect(login.status).toBe(200)
    expect((await realm.get(`/v2/users?sort=id&after=${ada}`)).body).toMatchObject({ collection: [{ id: bob }] })
  })

  test("finds the realm of a kept ID for a key that is not locked to a realm", async () => {
    const { given } = await service()
    const realm = await given.realm()
    const id = newId()
    await importRows(realm, [row(id, "ada")])
    expect((await given.root.get(`/v2/users/${id}`)).body).toMatchObject({ id, realm_id: realm.id })
  })

  test("resumes: imports the rest of the rows, and reports existing rows as unchanged or updated", async () => {
    const realm = await newRealm()
    const [ada, bob] = [newId(), newId()]
    await importRows(realm, [row(ada, "ada")])
    const again = await importRows(realm, [row(ada, "ada"), row(bob, "bob")])
    expect(counts(again)).toEqual({ created: 1, updated: 0, unchanged: 1, refused: 0 })
    const changed = await importRows(realm, [row(ada, "ada", { first_name: "Ada" }), row(bob, "bob")])
    expect(counts(changed)).toEqual({ created: 0, updated: 1, unchanged: 1, refused: 0 })
  })

  test("keeps accepting IDs in the realm after users signed up", async () => {
    const realm = await newRealm()
    await importRows(realm, [row(newId(), "ada")])
    await realm.user()
    expect(counts(await importRows(realm, [row(newId(), "bob")]))).toMatchObject({ created: 1 })
  })

  test("gives users without an ID in their row a new ID", async () => {
    const realm = await newRealm()
    const { id: _, ...ada } = row("", "ada")
    const rows = [ada, row("", "bob"), { ...row("", "carol"), id: null }, row(newId(), "dan")]
    expect(counts(await importRows(realm, rows))).toMatchObject({ created: 4, refused: 0 })
  })

  test("rejects IDs with a key below admin_all_realms, but updates the user who has the ID", async () => {
    const realm = await newRealm()
    const admin = await realm.as("admin_realm")
    const id = newId()
    const refused = await importRows(admin, [row(id, "ada", { memberships: [] })])
    expect(rejections(refused)).toEqual([[1, "id id_level"]])
    const org = { id: newId("org_"), reference: "acme", name: "Acme" }
    const { id: _, ...bob } = row("", "bob", { memberships: [{ org }] })
    expect(rejections(await importRows(admin, [bob]))).toEqual([[1, "memberships[0].org.id id_level"]])
    await importRows(realm, [row(id, "ada")])
    const updated = await importRows(admin, [row(id, "ada", { first_name: "Ada" })])
    expect(counts(updated)).toMatchObject({ updated: 1, refused: 0 })
  })

  test("rejects IDs in a realm whose users were created otherwise", async () => {
    const realm = await newRealm()
    await realm.user()
    const imported = await importRows(realm, [row(newId(), "ada")])
    expect(rejections(imported)).toEqual([[1, "id id_realm_not_empty"]])
    expect(imported.refused[0]?.["errors"]).toEqual([
      "Id can only be kept in a realm without users. This realm has users that were not imported with IDs."
    ])
  })

  test("SEC-270: rejects IDs that exist in another realm, in this realm or earlier in the file", async () => {
    const [one, other] = [await newRealm(), await newRealm()]
    const [ada, acme] = [newId(), newId("org_")]
    const memberships = [{ org: { id: acme, reference: "acme", name: "Acme" } }]
    await importRows(one, [row(ada, "ada", { memberships })])
    const elsewhere = await importRows(other, [row(ada, "ada"), row(newId(), "bob", { memberships })])
    expect(rejections(elsewhere)).toEqual([
      [1, "id id_elsewhere"],
      [2, "memberships[0].org.id id_elsewhere"]
    ])
    const twice = newId()
    const here = await importRows(one, [
      row(ada, "eve"),
      row(newId(), "ada"),
      row(twice, "carol"),
      row(twice, "dan"),
      row(newId(), "fay", { memberships: [{ org: { id: acme, reference: "other", name: "Other" } }] }),
      row(newId(), "gil", { memberships: [{ org: { id: newId("org_"), reference: "acme" } }] })
    ])
    expect(rejections(here)).toEqual([
      [1, "id taken"],
      [2, "id unchangeable"],
      [4, "id taken"],
      [5, "memberships[0].org.id taken"],
      [6, "memberships[0].org.id unchangeable"]
    ])
    expect(here.refused.find(({ line }) => line === 4)?.["error_details"]).toMatchObject([{ params: { line: 3 } }])
  })

  test.each([
    ["another prefix", "org_1"],
    ["no prefix", "4711"],
    ["only the prefix", "usr_"],
    ["an underscore", "usr_a_b"],
    ["a space", "usr_a b"],
    ["a letter outside ASCII", "usr_ä"],
    ["61 characters", `usr_${"x".repeat(61)}`]
  ])("rejects an ID with %s", async (_, id) => {
    expect(rejections(await importRows(await newRealm(), [row(id, "ada")]))).toEqual([[1, "id user_id_form"]])
  })

  test("rejects an org ID with another prefix, and an ID that is not text", async () => {
    const realm = await newRealm()
    const memberships = [{ org: { id: "usr_1", reference: "acme", name: "Acme" } }]
    const imported = await importRows(realm, [row(newId(), "ada", { memberships }), { ...row("", "bob"), id: 7 }])
    expect(rejections(imported)).toEqual([
      [1, "memberships[0].org.id org_id_form"],
      [2, "id not_text"]
    ])
  })

  test("keeps an ID in this service's own form unless its time is in the future", async () => {
    const realm = await newRealm()
    const past = earliestId("user", STARTS_AT - 86_400_000 - numbers++)
    const future = earliestId("user", STARTS_AT + 86_400_000)
    const imported = await importRows(realm, [row(past, "ada"), row(future, "bob")])
    expect([counts(imported).created, rejections(imported)]).toEqual([1, [[2, "id in_future"]]])
  })

  test("a dry run reports the same problems and writes nothing", async () => {
    const realm = await newRealm()
    const [ada, acme] = [newId(), newId("org_")]
    const memberships = [{ org: { id: acme, reference: "acme", name: "Acme" } }]
    const rows = [row(ada, "ada", { memberships }), row(ada, "bob"), row(newId(), "carol", { memberships })]
    const dry = await importRows(realm, rows, "?dry_run=true")
    expect([counts(dry).created, rejections(dry)]).toEqual([2, [[2, "id taken"]]])
    expect(counts(await importRows(realm, rows)).created).toBe(2)
  })

  test("an export contains no IDs, so a copy in the same service gets new ones", async () => {
    const [realm, copy] = [await newRealm(), await newRealm()]
    await importRows(realm, [row(newId(), "ada")])
    const exported = await exportOf(realm)
    expect(exportedRows(exported)[0]).not.toHaveProperty("id")
    expect(counts(await importRows(copy, exported))).toMatchObject({ created: 1, refused: 0 })
  })
})

describe("C285: a reset of a realm with kept IDs", () => {
  test("hides and deletes the users and orgs, and rejects IDs until it has finished", async () => {
    const realm = await newRealm()
    const [ada, acme] = [newId(), newId("org_")]
    const rows = [row(ada, "ada", { memberships: [{ org: { id: acme, reference: "acme", name: "Acme" } }] })]
    await importRows(realm, rows)
    await realm.post(`/v2/realms/${realm.id}/reset`, {})
    expect((await realm.get(`/v2/users/${ada}`)).status).toBe(404)
    expect((await realm.get(`/v2/orgs/${acme}`)).status).toBe(404)
    for (const list of ["users?sort=id", "users", "users?reference=ada", "orgs"]) {
      expect((await realm.get(`/v2/${list}`)).body).toMatchObject({ collection: [] })
    }
  })
})

describe("C285: a username that looks like a kept ID", () => {
  test("logs its user in, except where another user has the ID", async () => {
    const realm = await (await service()).given.realm()
    const id = newId()
    await importRows(realm, [row(id, "ada")])
    await realm.user({ email: "eve@example.test", username: id })
    await realm.user({ email: "fay@example.test", username: "usr_fay" })
    expect((await realm.get(`/v1/users/${id}`)).member("email")).toBe("ada@example.test")
    expect((await realm.get("/v1/users/usr_fay")).member("email")).toBe("fay@example.test")
  })
})
