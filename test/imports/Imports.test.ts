import { describe, expect, test } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt } from "../support/credentials.ts"
import { BCRYPT, counts, importRows, OTP_SECRET, rejections } from "../support/imports.ts"
import { authenticate, complete, PASSWORD } from "../support/logins.ts"
import { newRealm } from "../support/sallyport.ts"

const password = { credential_type: "password", password_hash: BCRYPT }
const device = { credential_type: "totp", name: "Phone", otp_secret: OTP_SECRET }

const ada = {
  reference: "crm-1",
  email: "Ada@Example.test",
  email_verification: "verified",
  first_name: "Ada",
  last_name: "Lovelace",
  username: "Ada",
  locale: "es",
  custom: { plan: "gold" },
  created_at: 1_500_000_000.25,
  last_login_at: 1_600_000_000,
  credentials: [password, device],
  memberships: [{ org: { reference: "acme", name: "Acme", custom: { tier: 1 } }, permissions: ["ar:owner"] }]
}

describe("POST /v2/imports", () => {
  test("creates a user from each row, who can log in with the old password and authenticator app", async () => {
    const realm = await newRealm()
    const imported = await importRows(realm, [ada, { reference: "crm-2", email: "bob@example.test" }])
    expect(imported.refused).toEqual([])
    expect(imported.summary).toEqual({
      object: "import",
      realm_id: realm.id,
      complete: true,
      dry_run: false,
      rows: 2,
      created: 2,
      updated: 0,
      unchanged: 0,
      refused: 0,
      orgs_created: 1,
      errors: [],
      error_details: [],
      request_id: expect.any(String)
    })
    const user = await realm.get("/v2/users/ada@example.test?expand=memberships")
    expect(user.body).toMatchObject({
      reference: "crm-1",
      email: "ada@example.test",
      email_verification: "verified",
      name: "Ada Lovelace",
      username: "Ada",
      locale: "es",
      custom: { plan: "gold" },
      state: "active",
      created_at: 1_500_000_000.25,
      last_login_at: 1_600_000_000,
      credentials: [{ credential_type: "password" }, { credential_type: "totp" }],
      memberships: [{ permissions: ["ar:owner"], org: { reference: "acme", name: "Acme", custom: { tier: 1 } } }]
    })
    const pending = await authenticate(realm, user.id, PASSWORD)
    const login = await complete(realm, pending.string("token"), codeAt(OTP_SECRET, STARTS_AT))
    expect([login.status, login.member("user_id")]).toEqual([200, user.id])
  })

  test("records only realm.importing and realm.imported, or each change with events=true", async () => {
    const realm = await newRealm()
    const quiet = await realm.seen.caused(() => importRows(realm, [ada]))
    expect(quiet).toEqual([
      { event_type: "realm.importing" },
      {
        event_type: "realm.imported",
        import: { complete: true, rows: 1, created: 1, updated: 0, unchanged: 0, refused: 0, orgs_created: 1 }
      }
    ])
    const again = await realm.seen.caused(() => importRows(realm, [ada], "?events=true"))
    expect(again).toEqual([])
    const rows = [
      { ...ada, first_name: "Augusta", memberships: [{ org: { reference: "acme" }, permissions: ["ar:admin"] }] },
      { reference: "crm-2", email: "bob@example.test", email_verification: "requested" },
      { reference: "crm-3", email: "eve@example.test", email_verification: "verified" },
      {
        reference: "crm-4",
        email: "sam@example.test",
        memberships: [{ org: { reference: "umbrella", name: "Umbrella" } }]
      }
    ]
    const recorded = await realm.seen.caused(() => importRows(realm, rows, "?events=true"))
    expect(recorded.map(({ event_type }) => event_type)).toEqual([
      "realm.importing",
      "org.created",
      "user.created",
      "user.created",
      "user.email.verified",
      "user.created",
      "user.updated",
      "membership.updated",
      "membership.created",
      "realm.imported"
    ])
  })

  test("updates the user with the reference, and counts identical rows as unchanged", async () => {
    const realm = await newRealm()
    await importRows(realm, [ada])
    const { id } = await realm.get("/v2/users/ada@example.test")
    expect(counts(await importRows(realm, [ada]))).toEqual({ created: 0, updated: 0, unchanged: 1, refused: 0 })
    const session = await realm.session(id)
    const changed = await importRows(realm, [
      { reference: "crm-1", email: "countess@example.test", state: "inactive", custom: null }
    ])
    expect(counts(changed)).toEqual({ created: 0, updated: 1, unchanged: 0, refused: 0 })
    const user = await realm.get(`/v2/users/${id}`)
    expect(user.member("custom")).toEqual({})
    expect(user.body).toMatchObject({
      email: "countess@example.test",
      state: "inactive",
      first_name: "Ada",
      membership_count: 1,
      created_at: 1_500_000_000.25
    })
    expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(404)
    const { items } = await realm.get("/v2/users?state=inactive&sort=last_login")
    expect(items.map((item) => item["id"])).toEqual([id])
  })

  test("ends the sessions of users who become inactive or get another password", async () => {
    const realm = await newRealm()
    const other = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
    const bob = { reference: "crm-2", email: "bob@example.test", credentials: [password] }
    await importRows(realm, [ada, bob])
    const users = await Promise.all(["ada", "bob"].map((name) => realm.get(`/v2/users/${name}@example.test`)))
    for (const { id } of users) await realm.session(id)
    const rows = [
      { reference: "crm-1", state: "inactive" },
      { reference: "crm-2", credentials: [{ ...password, password_hash: other }] }
    ]
    expect(await realm.seen.caused(() => importRows(realm, rows, "?dry_run=true"))).toEqual([])
    const recorded = await realm.seen.caused(() => importRows(realm, rows))
    expect(recorded.map(({ event_type }) => event_type)).toEqual([
      "realm.importing",
      "session.deleted",
      "session.deleted",
      "realm.imported"
    ])
    expect((await realm.get("/v2/sessions")).items).toEqual([])
    expect(await realm.seen.caused(() => importRows(realm, rows))).toEqual([])
  })

  test("accepts a user's ID as reference without changing the user's own reference", async () => {
    const realm = await newRealm()
    const { id } = await realm.user({ reference: "old" })
    const imported = await importRows(realm, [{ reference: id, first_name: "Jo" }])
    expect(counts(imported)).toEqual({ created: 0, updated: 1, unchanged: 0, refused: 0 })
    expect((await realm.get(`/v2/users/${id}`)).body).toMatchObject({ reference: "old", first_name: "Jo" })
  })

  test("adds missing credentials and memberships to a user without removing any", async () => {
    const realm = await newRealm()
    const org = await realm.org()
    const user = await realm.user({ reference: "crm-1", org_ids: [(await realm.org()).id] })
    const row = { reference: "crm-1", credentials: [password, device], memberships: [{ org_id: org.id }] }
    expect(counts(await importRows(realm, [row]))["updated"]).toBe(1)
    expect(counts(await importRows(realm, [{ ...row, credentials: [], memberships: [] }]))["unchanged"]).toBe(1)
    const { body } = await realm.get(`/v2/users/${user.id}`)
    expect(body).toMatchObject({
      membership_count: 2,
      credentials: [{ credential_type: "password" }, { credential_type: "totp" }]
    })
  })

  test("replaces a password only if its user has not logged in yet", async () => {
    const realm = await newRealm()
    const other = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"
    const of = (hash: string) => [
      {
        reference: "crm-1",
        email: "ada@example.test",
        credentials: [{ credential_type: "password", password_hash: hash }]
      }
    ]
    await importRows(realm, of(other))
    expect(counts(await importRows(realm, of(BCRYPT)))["updated"]).toBe(1)
    const { id } = await realm.get("/v2/users/ada@example.test")
    expect((await authenticate(realm, id, PASSWORD)).status).toBe(200)
    expect(counts(await importRows(realm, of(other)))["unchanged"]).toBe(1)
    expect((await authenticate(realm, id, PASSWORD)).status).toBe(200)
  })

  test("reports in a dry run what an import would do, and writes no data", async () => {
    const realm = await newRealm()
    const rows = [
      ada,
      { ...ada, reference: "crm-2", username: "bob" },
      {
        reference: "crm-3",
        email: "eve@example.test",
        memberships: [{ org: { reference: "acme" } }]
      }
    ]
    const { result, events } = await realm.seen.during(() => importRows(realm, rows, "?dry_run=true"))
    expect(events).toEqual([])
    expect((await realm.get("/v2/users")).items).toEqual([])
    const real = await importRows(realm, rows)
    expect(result.summary).toEqual({ ...real.summary, dry_run: true, request_id: expect.any(String) })
    expect(result.refused).toEqual(real.refused)
    expect(rejections(real)).toEqual([[2, "email taken"]])
  })

  test("imports API users with their keys, and a membership without an org", async () => {
    const realm = await newRealm()
    const robot = {
      reference: "bot-1",
      user_type: "api",
      name: "Importer",
      credentials: [{ credential_type: "api_key", api_key: "an-api-key-of-many-characters" }],
      memberships: [{ org: null, permissions: "read" }]
    }
    const imported = await importRows(realm, [robot])
    expect(imported.refused).toEqual([])
    const login = await realm.post("/v1/users/authenticate_key", { api_key: "an-api-key-of-many-characters" })
    expect(login.status).toBe(200)
    expect(counts(await importRows(realm, [robot]))["unchanged"]).toBe(1)
  })

  test("matches the users of an earlier import, even if the rows are batched differently", async () => {
    const realm = await newRealm()
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      reference: `crm-${n}`,
      email: `user-${n}@example.test`,
      memberships: [{ org: { reference: `org-${n % 3}`, name: `Org ${n % 3}` } }]
    }))
    const first = await importRows(realm, rows)
    expect([counts(first), first.summary["orgs_created"]]).toEqual([
      { created: 1_000, updated: 0, unchanged: 0, refused: 0 },
      3
    ])
    const more = await importRows(realm, [...rows.slice(300), { reference: "crm-x", email: "x@example.test" }])
    expect(counts(more)).toEqual({ created: 1, updated: 0, unchanged: 700, refused: 0 })
    const { items } = await realm.get("/v2/orgs")
    expect(items.length).toBe(3)
  })
})

test("GET /v2/users lists credentials and custom attributes if expanded", async () => {
  const realm = await newRealm()
  await importRows(realm, [ada])
  for (const version of ["v1", "v2"]) {
    const [bare] = (await realm.get(`/${version}/users`)).items
    expect([bare?.["credentials"], bare?.["custom"]]).toEqual([undefined, undefined])
    const [full] = (await realm.get(`/${version}/users?expand=custom,credentials`)).items
    expect(full).toMatchObject({
      custom: { plan: "gold" },
      credentials: [
        { object: "credential", credential_type: "password", id: expect.stringMatching(/^crd_/) },
        { object: "credential", credential_type: "totp" }
      ]
    })
  }
})

test("imports and exports users of an inactive realm", async () => {
  const realm = await newRealm({ state: "inactive" })
  expect(counts(await importRows(realm, [{ reference: "r", email: "r@example.test" }]))["created"]).toBe(1)
  expect((await realm.get("/v2/exports")).text).toContain("r@example.test")
})
