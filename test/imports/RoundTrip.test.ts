import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { appleCredentials } from "../external/WellKnownProviders.ts"
import { codeAt } from "../support/credentials.ts"
import {
  BCRYPT,
  counts,
  exportedRows,
  exportOf,
  type Imported,
  importRows,
  linesOf,
  OTP_SECRET,
  rejections
} from "../support/imports.ts"
import { authenticate, complete, enrolled, PASSWORD } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { service, workerSql } from "../support/sallyport.ts"

const settings = { api_key_policy: "encrypt" }

const providersOf = async (realm: GivenRealm) => ({
  google: await realm.authProvider({
    provider_type: "google",
    authorization_url: undefined,
    token_url: undefined,
    profile_url: undefined
  }),
  work: await realm.authProvider({ name: "Work" }),
  club: await realm.authProvider({ name: "Club" }),
  apple: await realm.authProvider({ provider_type: "apple", ...appleCredentials }),
  microsoft: await realm.authProvider({ provider_type: "microsoft" }),
  okta: await realm.authProvider({ provider_type: "oidc", name: "Okta", issuer: "https://okta.example.test" }),
  ping: await realm.authProvider({ provider_type: "oidc", name: "Ping", issuer: "https://ping.example.test" })
})

/** A realm with users of every kind, created through the API and an import. */
const fullRealm = async (realm: GivenRealm) => {
  const { google, work, club, okta, ping } = await providersOf(realm)
  const [acme, quiet] = [await realm.org({ custom: { tier: 1 } }), await realm.org({ state: "inactive" })]
  const [closed, twin, other] = [
    await realm.org(),
    await realm.org({ reference: "twin" }),
    await realm.org({ reference: "twin" })
  ]
  const ada = await realm.user({ password: PASSWORD, first_name: "Ada", custom: { list: [1, "a", null, true] } })
  await enrolled(realm, ada.id)
  await realm.membership(ada.id, acme.id, { permissions: ["ar:owner", "b:c"], expires_at: STARTS_AT / 1000 + 86_400.5 })
  for (const org of [quiet, closed, twin]) await realm.membership(ada.id, org.id)
  await realm.delete(`/v2/orgs/${closed.id}`)
  const bob = await realm.user({
    state: "inactive",
    username: "Bob",
    locale: "es",
    reference: "same",
    credentials: [
      { credential_type: "google", provider_user_id: "g-1", access_token: "token", token_expires_at: 1_900_000_000 },
      { credential_type: "oauth2", auth_provider_id: work.id, provider_user_id: "1" },
      { credential_type: "oauth2", auth_provider_id: club.id, provider_user_id: "1" },
      { credential_type: "apple", provider_user_id: "001.a.1" },
      { credential_type: "microsoft", provider_user_id: "m-1" },
      { credential_type: "oidc", auth_provider_id: okta.id, provider_user_id: "1" },
      { credential_type: "oidc", auth_provider_id: ping.id, provider_user_id: "1" }
    ]
  })
  await realm.membership(bob.id, other.id)
  await realm.user({ reference: "same", email_pending: "new@example.test" })
  const robot = await realm.apiUser({ name: "Robot", permissions: ["read"] })
  await realm.post("/v2/credentials", { credential: { user_id: robot.id, credential_type: "api_key" } })
  await importRows(realm, [
    {
      reference: "crm-1",
      email: "eve@example.test",
      email_verification: "requested",
      created_at: 1_400_000_000.123,
      last_login_at: 1_500_000_000.5,
      credentials: [
        { credential_type: "password", password_hash: BCRYPT, locked_at: 1_450_000_000, created_at: 1_400_000_000 },
        { credential_type: "totp", name: "Old", otp_secret: OTP_SECRET, state: "new" },
        { credential_type: "google", provider_user_id: "g-2" }
      ],
      memberships: [{ org: { reference: "twin-of-none", name: "Lone", created_at: 1_300_000_000 }, custom: { a: 1 } }]
    }
  ])
  return { ada, google }
}

test("an export imported into an empty realm exports identically, and its users can log in as before", async () => {
  const { given } = await service()
  const [source, copy] = [await given.realm(settings), await given.realm(settings)]
  const { ada } = await fullRealm(source)
  await providersOf(copy)
  const first = await exportOf(source)
  expect(exportedRows(first).length).toBe(5)
  const imported = await importRows(copy, first)
  expect([imported.refused, counts(imported)]).toEqual([[], { created: 5, updated: 0, unchanged: 0, refused: 0 }])
  expect(await exportOf(copy)).toBe(first)

  // Importing again into the copy or into the source changes nothing.
  for (const realm of [copy, source]) {
    expect(counts(await importRows(realm, first))).toEqual({ created: 0, updated: 0, unchanged: 5, refused: 0 })
    expect(await exportOf(realm)).toBe(first)
  }

  const [known] = (await copy.get(`/v2/users?reference=${ada.id}`)).items
  const pending = await authenticate(copy, String(known?.["id"]), PASSWORD)
  const [row] = exportedRows(first)
  const secret = JSON.stringify(row).match(/"otp_secret":"(\w+)"/)?.[1] ?? ""
  const login = await complete(copy, pending.string("token"), codeAt(secret, STARTS_AT))
  expect(login.status).toBe(200)
  // Eve's email was verified by somebody else, so the locked password stays locked.
  expect((await authenticate(copy, "eve@example.test", PASSWORD)).status).toBe(422)
})

test("an export and import keep two orgs with the same reference separate", async () => {
  const { given } = await service()
  const [source, copy] = [await given.realm(), await given.realm()]
  for (const _ of [1, 2]) {
    const org = await source.org({ reference: "twin" })
    await source.membership((await source.user()).id, org.id)
  }
  await importRows(copy, await exportOf(source))
  const { items } = await copy.get("/v2/orgs")
  expect(items.length).toBe(2)
  for (const { id } of items) expect((await copy.get(`/v2/memberships?org_id=${id}`)).items.length).toBe(1)
})

test("an export contains hashes and secrets only with admin_all_realms", async () => {
  const { given } = await service()
  const realm = await given.realm(settings)
  await fullRealm(realm)
  const all = await exportOf(realm)
  const some = await exportOf(await realm.as("admin_realm"))
  for (const secret of [BCRYPT, OTP_SECRET, "password_hash", "otp_secret", "access_token", '"api_key":', "locked_at"]) {
    expect([all.includes(secret), some.includes(secret)], secret).toEqual([true, false])
  }
  const without = exportedRows(all).map((row) => {
    const credentials = row["credentials"]
    const profiles = Array.isArray(credentials) ? credentials.filter((one) => "provider_user_id" in one) : []
    return { ...row, credentials: profiles.map(({ access_token: _, ...rest }) => rest) }
  })
  expect(exportedRows(some)).toEqual(without)
  expect(linesOf(all)[0]).toEqual({ object: "export", secrets: true })
  expect(linesOf(some)[0]).toEqual({ object: "export", secrets: false })
  expect((await (await realm.as("write")).get("/v2/exports")).status).toBe(403)
})

describe("the marker lines of an export", () => {
  /** The lines of an export of three users. */
  const exported = async () => {
    const { given } = await service()
    const realm = await given.realm()
    for (const name of ["ada", "bob", "eve"]) await realm.user({ email: `${name}@example.test` })
    const lines = (await exportOf(realm)).trimEnd().split("\n")
    expect([lines.length, lines.at(-1)]).toEqual([5, '{"object":"export_end","users":3}'])
    return { copy: await given.realm(), lines }
  }

  const summaryOf = ({ summary }: Imported) => {
    const { complete, created, error_details } = summary
    return [complete, created, error_details]
  }

  test("confirm a complete import and don't count as rows", async () => {
    const { copy, lines } = await exported()
    expect(summaryOf(await importRows(copy, lines, "?dry_run=true"))).toEqual([true, 3, []])
    expect(summaryOf(await importRows(copy, lines))).toEqual([true, 3, []])
  })

  test("reveal a truncated export after the received rows are imported", async () => {
    const { copy, lines } = await exported()
    const { result, events } = await copy.seen.during(() => importRows(copy, lines.slice(0, 3)))
    expect(summaryOf(result)).toMatchObject([false, 2, [{ code: "export_cut_off", params: { found: 2 } }]])
    expect(events).toMatchObject([{ event_type: "realm.importing" }, { import: { complete: false, created: 2 } }])
    expect(summaryOf(await importRows(copy, lines))).toEqual([true, 1, []])
  })

  test("reveal missing or added rows, even without the first line", async () => {
    const { copy, lines } = await exported()
    const missing = { code: "export_incomplete", params: { expected: 3, found: 2 } }
    const without = lines.toSpliced(2, 1)
    expect(summaryOf(await importRows(copy, without))).toMatchObject([false, 2, [missing]])
    expect(summaryOf(await importRows(copy, without.slice(1)))).toMatchObject([false, 0, [missing]])
    const more = lines.toSpliced(2, 0, '{"reference":"crm-1","email":"sam@example.test"}')
    expect(summaryOf(await importRows(copy, more))).toMatchObject([
      false,
      2,
      [{ code: "export_incomplete", params: { expected: 3, found: 4 } }]
    ])
  })

  test("are checked for each of two concatenated exports", async () => {
    const { copy, lines } = await exported()
    expect(
      summaryOf(
        await importRows(copy, ['{"object":"export","secrets":true}', '{"object":"export_end","users":0}', ...lines])
      )
    ).toEqual([true, 3, []])
    const cut = { code: "export_cut_off" }
    expect(summaryOf(await importRows(copy, [...lines.slice(0, 2), ...lines]))).toMatchObject([false, 0, [cut]])
    expect(summaryOf(await importRows(copy, [...lines.slice(0, -1), '{"object":"export_end"}']))).toMatchObject([
      false,
      0,
      [cut]
    ])
  })

  test("are optional for rows that don't come from an export", async () => {
    const { copy, lines } = await exported()
    expect(summaryOf(await importRows(copy, lines.slice(1, -1)))).toEqual([true, 3, []])
    const strange = await importRows(copy, ['{"object":"user","reference":"crm-1","email":"sam@example.test"}'])
    expect(rejections(strange)).toEqual([[1, "object unknown_member"]])
  })
})

test("an export is recorded as an event of the realm, with or without secrets", async () => {
  const { given } = await service()
  const realm = await given.realm()
  expect(await realm.seen.caused(() => exportOf(realm))).toEqual([{ event_type: "realm.exported" }])
})

test("an export omits an API key that is stored only as a digest", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const robot = await realm.apiUser()
  await realm.post("/v2/credentials", { credential: { user_id: robot.id, credential_type: "api_key" } })
  const [row] = exportedRows(await exportOf(realm))
  expect(row).toMatchObject({ user_type: "api", reference: robot.id, credentials: [] })
})

test("an export contains each user once, in order of creation, across several reads", async () => {
  const { given } = await service()
  const realm = await given.realm()
  const rows = Array.from({ length: 450 }, (_, n) => ({ reference: `${n}`, email: `user-${n}@example.test` }))
  await importRows(realm, rows)
  const sql = await workerSql()
  expect(exportedRows(await exportOf(realm)).map(({ reference }) => reference)).toEqual(
    rows.map((row) => row.reference)
  )
  expect(await query(sql`select count(*)::int as count from last_logins where realm_id = ${realm.id}`)).toEqual([
    { count: 450 }
  ])
})
