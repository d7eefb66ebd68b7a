import { describe, expect, test, vi } from "vitest"
import { STARTS_AT } from "#testing/TestSallyport"
import { BCRYPT, counts, importRows, OTP_SECRET, rejections } from "../support/imports.ts"
import { query } from "../support/query.ts"
import { newRealm, service, workerSql } from "../support/sallyport.ts"

const LATER = STARTS_AT / 1000 + 3_600

const row = (members: object) => ({ reference: "r", email: "r@example.test", ...members })

const withCredential = (credential: object, members: object = {}) => row({ credentials: [credential], ...members })

const withMembership = (membership: object) => row({ memberships: [membership] })

const app = { credential_type: "totp", name: "Phone", otp_secret: OTP_SECRET }

const invalidRows: ReadonlyArray<readonly [what: string, row: object | string, problems: ReadonlyArray<string>]> = [
  ["invalid JSON", "nonsense", ["null malformed_row"]],
  ["a list", "[1]", ["null rows_in_list"]],
  ["the start of a list", "[", ["null rows_in_list"]],
  ["an unfinished object", '{"reference": "r",', ["null unfinished_row"]],
  ["an object followed by a comma", '{"reference": "r"},', ["null malformed_row"]],
  ["all rows in a wrapper", { users: [{ reference: "r" }] }, ["null rows_in_list"]],
  ["no reference", { email: "r@example.test" }, ["reference blank"]],
  ["no email", { reference: "r" }, ["email blank"]],
  [
    "a malformed email and an invalid custom attribute",
    row({ email: "x", custom: { "a b": 1 } }),
    ["email email_form", "custom.a b custom_key"]
  ],
  ["a state that does not exist", row({ state: "gone" }), ["state inclusion"]],
  ["a creation time in the future", row({ created_at: LATER }), ["created_at in_future"]],
  ["a plain-text password", row({ password: "seven purple elephants" }), ["password hash_needed"]],
  [
    "a plain-text password in a credential",
    withCredential({ credential_type: "password", password: "seven purple elephants" }),
    ["credentials[0].password hash_needed"]
  ],
  [
    "a password without a hash",
    withCredential({ credential_type: "password" }),
    ["credentials[0].password_hash blank"]
  ],
  [
    "a hash in an unsupported format",
    withCredential({ credential_type: "password", password_hash: "5f4dcc3b5aa765d61d8327deb882cf99" }),
    ["credentials[0].password_hash unsupported_hash"]
  ],
  [
    "a hash that is too expensive",
    withCredential({ credential_type: "password", password_hash: BCRYPT.replace("$04$", "$31$") }),
    ["credentials[0].password_hash hash_parameters_out_of_range"]
  ],
  [
    "two passwords",
    row({
      credentials: [
        { credential_type: "password", password_hash: BCRYPT },
        { credential_type: "password", password_hash: BCRYPT }
      ]
    }),
    ["credentials one_password"]
  ],
  ["an app with a short secret", withCredential({ ...app, otp_secret: "JBSW" }), ["credentials[0].otp_secret invalid"]],
  [
    "a second credential that is an app without name and secret",
    row({ credentials: [app, { credential_type: "totp" }] }),
    ["credentials[1].name blank", "credentials[1].otp_secret blank"]
  ],
  [
    "a profile at an unknown provider",
    withCredential({ credential_type: "google", provider_user_id: "1" }),
    ["credentials[0].auth_provider_id unknown"]
  ],
  [
    "a person's API key",
    withCredential({ credential_type: "api_key" }),
    ["credentials[0].credential_type for_api_users"]
  ],
  [
    "an API key that is easy to guess",
    withCredential({ credential_type: "api_key", api_key: "aaaaaaaaaaaaaaaaaaaaaaaa" }, { user_type: "api" }),
    ["credentials[0].api_key too_simple"]
  ],
  ["a membership without an org", withMembership({}), ["memberships[0].org blank"]],
  [
    "an unknown org without a name",
    withMembership({ org: { reference: "none" } }),
    ["memberships[0].org.name unknown_org"]
  ],
  [
    "a new org that is closed",
    withMembership({ org: { reference: "n", name: "N", state: "closed" } }),
    ["memberships[0].org closed"]
  ],
  [
    "an org twice",
    row({ memberships: [{ org: { reference: "n", name: "N" } }, { org: { reference: "n", name: "N" } }] }),
    ["memberships repeated_org"]
  ],
  [
    "a reserved permission",
    withMembership({ org: null, permissions: ["ar:root"] }),
    ["memberships[0].permissions permission_reserved"]
  ],
  ["an expired membership", withMembership({ org: null, expires_at: 1 }), ["memberships[0].expires_at in_past"]],
  ["a creation time in milliseconds", row({ created_at: 1_590_000_000_000 }), ["created_at in_milliseconds"]],
  ["an invalid creation time", row({ created_at: "yesterday" }), ["created_at not_moment"]],
  [
    "wrong types at each level",
    row({ state: 1, credentials: ["secret"], memberships: [{ org: { reference: 1 } }, { org: null, custom: 1 }] }),
    [
      "state inclusion",
      "credentials[0] not_object",
      "memberships[0].org.reference not_text",
      "memberships[1].custom not_object"
    ]
  ]
]

describe("an invalid row", () => {
  test.each(invalidRows)("is rejected without writing any data: %s", async (_, bad, problems) => {
    const realm = await newRealm()
    const { result, events } = await realm.seen.during(() =>
      importRows(realm, [typeof bad === "string" ? bad : JSON.stringify(bad)])
    )
    expect(rejections(result)).toEqual([[1, ...problems]])
    expect(result.summary).toMatchObject({ complete: true, rows: 1, refused: 1 })
    expect(events).toEqual([])
    expect((await realm.get("/v2/users")).items).toEqual([])
    expect((await realm.get("/v2/orgs")).items).toEqual([])
  })
})

test("a rejected row is reported with its line, reference and problems, in the request's language", async () => {
  const realm = await newRealm()
  const reply = await realm.post(
    "/v2/imports",
    `{"reference":"ok","email":"ok@example.test"}\n\n{"reference":"bad","email":""}`,
    {
      "content-type": "application/x-ndjson",
      "accept-language": "es"
    }
  )
  expect(JSON.parse(reply.text.split("\n")[0] ?? "")).toEqual({
    object: "refused_row",
    line: 3,
    reference: "bad",
    errors: ["Correo: no puede estar en blanco."],
    error_details: [{ field: "email", code: "blank", message: "Correo: no puede estar en blanco." }]
  })
})

test("emails, usernames, profiles and API keys must be unique among rows and existing users", async () => {
  const realm = await newRealm()
  const provider = await realm.authProvider()
  const profile = { credential_type: "oauth2", auth_provider_id: provider.id, provider_user_id: "42" }
  const key = { credential_type: "api_key", api_key: "an-api-key-of-many-characters" }
  await realm.user({ email: "taken@example.test", username: "Taken" })
  const imported = await importRows(realm, [
    { reference: "1", email: "TAKEN@example.test" },
    { reference: "2", email: "two@example.test", username: "tAKEN" },
    { reference: "3", email: "three@example.test", username: "Three", credentials: [profile] },
    { reference: "4", email: "three@example.test", username: "THREE", credentials: [profile] },
    { reference: "5", user_type: "api", credentials: [key] },
    { reference: "6", user_type: "api", credentials: [key] },
    { reference: "3", email: "again@example.test" }
  ])
  expect(rejections(imported)).toEqual([
    [1, "email taken"],
    [2, "username taken"],
    [4, "email taken", "username taken", "credentials[0].provider_user_id taken"],
    [6, "credentials[0].api_key taken"],
    [7, "reference repeated_row"]
  ])
  expect(counts(imported)).toEqual({ created: 2, updated: 0, unchanged: 0, refused: 5 })
})

test("rows may share an email if the realm allows duplicate emails", async () => {
  const realm = await newRealm({ require_unique_emails: false })
  const rows = ["1", "2"].map((reference) => ({ reference, email: "both@example.test" }))
  expect(counts(await importRows(realm, rows))["created"]).toBe(2)
})

test("orgs and users of other realms are rejected as unknown, as are new members of a closed org", async () => {
  const { given } = await service()
  const [realm, other] = [await given.realm(), await given.realm()]
  const foreign = await other.org({ reference: "theirs" })
  const stranger = await other.user({ reference: "their-user" })
  const closed = await realm.org()
  await realm.delete(`/v2/orgs/${closed.id}`)
  const join = (reference: string, membership: object) => ({
    reference,
    email: `${reference}@example.test`,
    memberships: [membership]
  })
  const before = await other.seen.all()
  const imported = await importRows(realm, [
    join("1", { org_id: foreign.id }),
    join("2", { org: { reference: foreign.id } }),
    join("3", { org: { reference: "theirs" } }),
    join("4", { org_id: closed.id }),
    { reference: stranger.id, first_name: "Mallory" },
    { reference: "their-user", first_name: "Mallory" }
  ])
  expect(rejections(imported)).toEqual([
    [1, "memberships[0].org_id unknown"],
    [2, "memberships[0].org.name unknown_org"],
    [3, "memberships[0].org.name unknown_org"],
    [4, "memberships[0].org_id closed"],
    [5, "email blank"],
    [6, "email blank"]
  ])
  // An org of this realm may have the same reference as an org of another realm. Members join this realm's org.
  await importRows(realm, [join("7", { org: { reference: "theirs", name: "Ours" } })])
  expect((await other.get(`/v2/memberships?org_id=${foreign.id}`)).items).toEqual([])
  expect(await other.seen.all()).toEqual(before)
})

test("a reference shared by several users or orgs is rejected", async () => {
  const realm = await newRealm()
  for (const _ of [1, 2]) {
    await realm.user({ reference: "both" })
    await realm.org({ reference: "both" })
  }
  const imported = await importRows(realm, [
    { reference: "both", first_name: "Jo" },
    { reference: "one", email: "one@example.test", memberships: [{ org: { reference: "both", name: "Both" } }] }
  ])
  expect(rejections(imported)).toEqual([
    [1, "reference ambiguous"],
    [2, "memberships[0].org ambiguous"]
  ])
})

test("an import never changes a user's type, and allows at most one profile per provider and 20 apps", async () => {
  const realm = await newRealm()
  const provider = await realm.authProvider()
  const profile = (id: string) => ({ credential_type: "oauth2", provider_user_id: id, auth_provider_id: provider.id })
  const apps = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => ({ ...app, name: `Phone ${from + n}` }))
  await importRows(realm, [row({ credentials: [profile("1"), ...apps(0, 15)] })])
  expect(rejections(await importRows(realm, [{ reference: "r", user_type: "api" }]))).toEqual([
    [1, "user_type unchangeable"]
  ])
  const more = await importRows(realm, [{ reference: "r", credentials: [profile("2"), ...apps(10, 11)] }])
  expect(rejections(more)).toEqual([[1, "credentials too_many_credentials", "auth_provider_id already_linked"]])
})

test("media types other than NDJSON get 415 with an explanation", async () => {
  const realm = await newRealm()
  for (const type of ["application/json", "text/csv", "application/x-www-form-urlencoded"]) {
    const reply = await realm.post("/v2/imports", "{}", { "content-type": type })
    expect([reply.status, reply.member("error_details", 0, "code")]).toEqual([415, "unsupported_rows"])
  }
  const packed = { "content-type": "application/x-ndjson", "content-encoding": "gzip" }
  expect((await realm.post("/v2/imports", "{}", packed)).status).toBe(415)
})

test("a key locked to another realm can't import or export", async () => {
  const { given } = await service()
  const [realm, other] = [await given.realm(), await given.realm()]
  const stranger = await other.as("admin_realm")
  const headers = { "content-type": "application/x-ndjson", "x-service-realm": realm.id }
  const body = JSON.stringify({ reference: "1", email: "one@example.test" })
  const events = await realm.seen.caused(async () => {
    expect((await stranger.post("/v2/imports", body, headers)).status).toBe(404)
    expect((await stranger.get(`/v2/exports?realm_id=${realm.id}`)).status).toBe(404)
  })
  expect(events).toEqual([])
  expect((await realm.get("/v2/users")).items).toEqual([])
})

test("C36: an import whose event can't be recorded has no effect", async () => {
  const realm = await newRealm()
  const sql = await workerSql()
  const logged = vi.spyOn(console, "log").mockImplementation(() => undefined)
  await query(sql`alter table events add constraint full_up check (false) not valid`)
  try {
    for (const events of ["", "?events=true"]) {
      const { summary } = await importRows(
        realm,
        [row({ memberships: [{ org: { reference: "a", name: "A" } }] })],
        events
      )
      expect(summary).toMatchObject({ complete: false, created: 0, error_details: [{ code: "internal" }] })
    }
  } finally {
    await query(sql`alter table events drop constraint full_up`)
    logged.mockRestore()
  }
  expect((await realm.get("/v2/users")).items).toEqual([])
  expect((await realm.get("/v2/orgs")).items).toEqual([])
})
