import type { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, test } from "vitest"
import { Api } from "#api/Api"
import { openApiDocument } from "#api/docs/Document"
import { profileFields } from "#api/login/V2"
import { userFieldsV2 as userFields, userFieldsV1 } from "#api/provisioning/Fields"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { authenticate, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { ownService, service } from "../support/sallyport.ts"
import { emailToken, latestEventToken, passwordToken } from "../support/tokens.ts"

/** The names of all members in any request or response body of either version. */
const namesIn = (value: unknown): ReadonlyArray<string> =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        key === "properties"
          ? [...Object.keys(Object(inner)), ...Object.values(Object(inner)).flatMap(namesIn)]
          : namesIn(inner)
      )

const document = openApiDocument(Api, {
  version: "0",
  headers: { apiKey: "X-Api-Key", realm: "X-Realm", ignored: "X-Ignored" },
  loginUrl: "https://{subdomain}.id.example.com"
})

const members = [...new Set(namesIn(JSON.parse(JSON.stringify(document))))].toSorted()

const attackAttributes = {
  email_verification: "verified",
  state: "inactive",
  first_name: "Evil",
  email: "evil@example.test"
}

/** A value for each member that would benefit an attacker. The default is another user's id. */
const attackValues = (other: Reply, orgId: string, realmId: string): Readonly<Record<string, unknown>> => ({
  ...attackAttributes,
  ...Object.fromEntries(["created_at", "last_login_at", "expires_at"].map((name) => [name, 1])),
  email_pending: "evil@example.test",
  realm_id: realmId,
  user_type: "api",
  name: "Evil",
  custom: { admin: true },
  permissions: ["ar:owner"],
  org_id: orgId,
  org_ids: [orgId],
  org: { name: "Evil" },
  memberships: [{ org_id: orgId, permissions: ["ar:owner"] }],
  membership_count: 7,
  credentials: [{ credential_type: "password", password: OTHER_PASSWORD }],
  current_password: PASSWORD,
  password: OTHER_PASSWORD,
  new_record: true,
  user: { ...attackAttributes, id: other.id },
  ["__proto__"]: attackAttributes,
  constructor: { prototype: attackAttributes },
  prototype: attackAttributes
})

const rowsOf = async (sql: SqlClient, id: string): Promise<unknown> =>
  query(
    sql`select u::text as "user", (select json_agg(c::text) from credentials c where c.user_id = u.id) as credentials,
      (select json_agg(m::text) from memberships m where m.user_id = u.id) as memberships from users u where u.id = ${id}`
  )

const surfaces: ReadonlyArray<readonly [path: string, (id: string) => string, writable: object]> = [
  ["PUT /v2/users/{id}", (id) => `/v2/users/${id}`, userFields],
  ["PUT /v1/users/{id}", (id) => `/v1/users/${id}`, userFieldsV1],
  ["PUT /v2/users/{id}/profile", (id) => `/v2/users/${id}/profile`, profileFields]
]

describe("SEC-27, CVE-2026-27946, CVE-2026-54693: read-only members have no effect", () => {
  test(surfaces.map(([surface]) => surface).join(", "), () =>
    ownService(async ({ given, sql }) => {
      for (const [surface, pathOf, writable] of surfaces) {
        const [realm, elsewhere] = [await given.realm(), await given.realm()]
        const [user, other, org] = [await realm.user({ password: PASSWORD }), await realm.user(), await realm.org()]
        const session = await realm.session(user.id)
        const names = [...members, "__proto__", "constructor", "prototype"]
        // A `request` inside the wrapper is rejected as misplaced (C68).
        const readOnly = names.filter((name) => name !== "request" && !Object.hasOwn(writable, name))
        expect(readOnly.length).toBeGreaterThan(60)
        const values = attackValues(other, org.id, elsewhere.id)
        const before = await rowsOf(sql, user.id)
        const events = await realm.seen.caused(async () => {
          const unchanged = await realm.put(pathOf(user.id), { user: {} })
          for (const name of readOnly) {
            const value = Object.hasOwn(values, name) ? values[name] : other.id
            // Inside the wrapper, and outside it if the member has no other meaning there.
            const inside = { user: Object.fromEntries([[name, value]]) }
            const extra = ["user", "request"].includes(name) ? {} : Object.fromEntries([[name, value]])
            const { status, body } = await realm.put(pathOf(user.id), { ...extra, ...inside })
            expect([surface, name, status, body]).toEqual([surface, name, 200, unchanged.body])
          }
        })
        expect([surface, events, await rowsOf(sql, user.id)]).toEqual([surface, [], before])
        expect((await realm.get(`/v2/sessions/${session.id}`)).status).toBe(200)
      }
      expect(Reflect.ownKeys(Object.prototype)).not.toContain("state")
    })
  )

  test("a profile update leaves verification and state unchanged, but applies its other changes", async () => {
    const realm = await (await service()).given.realm()
    const user = await realm.user()
    const asked = {
      ...attackAttributes,
      reference: "r",
      custom: { admin: true },
      email_pending: "worse@example.test",
      user_type: "api"
    }
    const { result, events } = await realm.seen.during(() => realm.put(`/v2/users/${user.id}/profile`, { user: asked }))
    const { memberships: _, new_record: __, ...read } = Object(user.body)
    expect([result.status, result.body]).toEqual([
      200,
      { ...read, first_name: "Evil", name: "Evil", email_pending: "evil@example.test" }
    ])
    expect(events).toEqual([event(user, "profile.updated"), event(user, "email.updating")])
  })
})

describe("CVE-2024-37905: the caller can't choose the owner", () => {
  const claims = (other: Reply) => ({
    id: other.id,
    user_id: other.id,
    email: other.string("email"),
    username: other.member("username"),
    purpose: "login",
    kind: "tpw:"
  })

  const prepared = async () => {
    const realm: GivenRealm = await (await service()).given.realm()
    const user = await realm.user({ password: PASSWORD })
    const other = await realm.user({ password: PASSWORD, username: "boss", email_pending: "boss@example.test" })
    const read = async () => (await realm.get(`/v2/users/${other.id}`)).body
    return { realm, user, other, read, before: await read() }
  }

  test("of a password token", async () => {
    const { realm, user, other, read, before } = await prepared()
    const asked = { ...claims(other), user: claims(other) }
    const reply = await realm.post(`/v2/users/${user.id}/generate_password_token`, asked)
    const body = {
      user: { ...claims(other), token: reply.string("token"), password: OTHER_PASSWORD },
      ...claims(other)
    }
    const done = await realm.post("/v2/users/reset_password_with_token", body)
    expect([done.status, done.member("user", "id")]).toEqual([200, user.id])
    expect(await read()).toEqual(before)
    expect((await authenticate(realm, other.id, PASSWORD)).status).toBe(200)
    expect((await authenticate(realm, user.id, OTHER_PASSWORD)).status).toBe(200)
    expect(
      (await realm.post("/v2/users/reset_password_with_token", { user: { ...claims(other), password: PASSWORD } }))
        .status
    ).toBe(422)
    expect(await passwordToken(realm, user.id)).not.toBe(reply.string("token"))
  })

  test("of an email verification", async () => {
    const { realm, user, other, read, before } = await prepared()
    const token = await emailToken(realm, user.id)
    const asked = { ...claims(other), email_pending: "boss@example.test", token }
    const done = await realm.post("/v2/users/verify_email", { user: asked, ...claims(other) })
    expect([done.status, done.id, done.member("email")]).toEqual([200, user.id, user.string("email")])
    expect(await read()).toEqual(before)
    expect(await latestEventToken(realm, "user.email.updating")).not.toBeNull()
  })

  test("of a credential", async () => {
    const { realm, user, other, read, before } = await prepared()
    const id = user.string("credentials", 0, "id")
    const asked = { credential: { ...claims(other), credential_type: "api_key" }, user_id: other.id }
    for (const [path, status, owner] of [
      [`/v1/credentials/${id}`, 200, user.id],
      [`/v2/credentials/${id}`, 422, undefined]
    ] as const) {
      const { result, events } = await realm.seen.during(() => realm.put(path, asked))
      expect([path, result.status, result.member("user_id"), events]).toEqual([path, status, owner, []])
    }
    expect((await realm.get(`/v2/credentials/${id}`)).member("credential_type")).toBe("password")
    expect(await read()).toEqual(before)
  })
})
