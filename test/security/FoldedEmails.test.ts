import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { logIn, oauth2StandIn, profile } from "../support/external.ts"
import { hostedAt } from "../support/hostedApi.ts"
import { importRows, rejections } from "../support/imports.ts"
import { authenticate, PASSWORD } from "../support/logins.ts"
import { claimsIn, loggedIn, userinfo } from "../support/oauthTokens.ts"
import { quickHash } from "../support/passwordEntryPoints.ts"
import { newRealm, workerSql } from "../support/sallyport.ts"

/** Mailboxes, each with its spellings. The first spelling is canonical. */
const mailboxes: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  [
    "jo@müller.example",
    "JO@MÜLLER.example",
    "jo@mu\u0308ller。example",
    "jo@xn--mller-kva.example",
    "jo@mü\ufe0fller.example"
  ],
  ["c@example.com", "c@example。com", "c@example｡com", "C@EXAMPLE．COM"],
  ["jo@xn--mller-kva.example", "jo@Müller.Example", "jo@XN--MLLER-KVA.example"],
  ["é@straße.example", "É@xn--strae-oqa.example"]
]

const createUser = (realm: GivenRealm, email: string, attributes: object = {}) =>
  realm.post("/v2/users", {
    user: { email, credentials: [{ credential_type: "password", password_hash: quickHash() }], ...attributes }
  })

const ids = (items: ReadonlyArray<Readonly<Record<string, unknown>>>) => items.map((item) => item["id"])

const cases = mailboxes.map((spellings) => ({ given: spellings[0], spellings }))

describe.each(cases)("SEC-239: the spellings of $given, all of which name one mailbox", ({ given, spellings }) => {
  test("find the same user, and prevent a second user with another spelling", async () => {
    for (const own of spellings) {
      const realm = await newRealm()
      const user = await createUser(realm, own)
      expect(user.status).toBe(201)
      for (const other of spellings) {
        const typed = encodeURIComponent(other)
        const rejected = await createUser(realm, other)
        expect([own, other, rejected.status, rejected.member("error_details", 0, "code")]).toEqual([
          own,
          other,
          422,
          "taken"
        ])
        expect((await realm.get(`/v2/users/${typed}`)).id).toBe(user.id)
        expect(ids((await realm.get(`/v2/users?email=${typed}`)).items)).toEqual([user.id])
        expect(ids((await realm.get(`/v2/users?search=${typed}`)).items)).toEqual([user.id])
        expect((await authenticate(realm, typed)).member("user_id")).toBe(user.id)
      }
    }
  })

  test("are displayed as entered, even after updates", async () => {
    const realm = await newRealm()
    const user = await createUser(realm, given)
    expect(user.member("email")).toBe(given)
    const renamed = await realm.put(`/v2/users/${user.id}`, { user: { first_name: "Jo" } })
    expect(renamed.member("email")).toBe(given)
  })

  test("find a pending email", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_pending: given })
    expect(user.member("email_pending")).toBe(given)
    for (const other of spellings)
      expect(ids((await realm.get(`/v2/users?email=${encodeURIComponent(other)}`)).items)).toEqual([user.id])
  })

  test("find an invitation, which is removed when another spelling's invitation is accepted", async () => {
    for (const other of spellings.slice(1)) {
      const realm = await newRealm()
      const org = await realm.org()
      const first = await realm.invitation({ email: given, org_id: org.id })
      const second = await realm.invitation({ email: other, org_id: org.id })
      const listed = await realm.get(`/v2/invitations?email=${encodeURIComponent(other)}`)
      expect(ids(listed.items).toSorted()).toEqual([first.id, second.id].toSorted())
      expect(first.member("email")).toBe(given)
      const user = await createUser(realm, other)
      const accepted = await realm.post(`/v2/users/${user.id}/accept_invitation`, {
        user: { token: first.string("token") }
      })
      expect(accepted.status).toBe(200)
      expect((await realm.get("/v2/invitations")).items).toEqual([])
    }
  })

  test("link a provider's verified email to the user with another spelling", async () => {
    for (const other of spellings.slice(1)) {
      const realm = await newRealm()
      const user = await createUser(realm, given, { email_verification: "verified" })
      const { provider } = await oauth2StandIn(realm, profile({ email: other }))
      const login = await logIn(realm, provider.id)
      expect([login.status, login.member("user_id")]).toEqual([201, user.id])
      expect((await realm.get("/v2/users")).items).toHaveLength(1)
    }
  })

  test("make an import reject a second row with the same mailbox", async () => {
    for (const other of spellings.slice(1)) {
      const realm = await newRealm()
      const both = await importRows(realm, [
        { reference: "1", email: given },
        { reference: "2", email: other }
      ])
      expect(rejections(both)).toEqual([[2, "email taken"]])
      expect(rejections(await importRows(realm, [{ reference: "3", email: other }]))).toEqual([[1, "email taken"]])
    }
  })

  test("prevent a second account at signup", async () => {
    const realm = await newRealm({ username_validation_human: "email" })
    const user = await createUser(realm, given)
    const at = await hostedAt(realm)
    for (const other of spellings) {
      const signup = await at.post("signup", { email: other, password: PASSWORD })
      expect(signup.text).toContain("taken")
    }
    expect(ids((await realm.get("/v2/users")).items)).toEqual([user.id])
  })
})

test("SEC-239: wrong passwords for all spellings of an unknown email are counted together", async () => {
  const realm = await newRealm()
  const [spellings = []] = mailboxes
  const statuses: Array<number> = []
  for (let n = 0; n < 12; n += 1) {
    const typed = encodeURIComponent(spellings[n % spellings.length] ?? "")
    statuses.push((await authenticate(realm, typed, "wrong one here")).status)
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429, 429])
})

test("a search finds a user by the start of the email as entered", async () => {
  const realm = await newRealm()
  const user = await createUser(realm, "jo@müller.example")
  for (const text of ["jo@mü", "jo@xn--ml", "JO@MÜLLER.ex"])
    expect(ids((await realm.get(`/v2/users?search=${encodeURIComponent(text)}`)).items)).toEqual([user.id])
})

test.each(["/v2/users", "/v2/invitations"])("C257: %s sorted by email includes everyone on its pages", async (path) => {
  const realm = await newRealm()
  const emails = ["a@z.example", "b@müller.example", "b@yy.example", "b@zz.example"]
  for (const email of emails) await (path === "/v2/users" ? realm.user({ email }) : realm.invitation({ email }))
  const seen: Array<unknown> = []
  for (let query: string | undefined = "?sort=email&max_results=1"; query !== undefined; ) {
    const page = await realm.get(`${path}${query}`)
    seen.push(...page.items.map((item) => item["email"]))
    query = /^<(\?[^<>]+)>; rel="next"$/.exec(page.headers.get("link") ?? "")?.[1]
  }
  expect(seen).toEqual(emails)
})

test("C257: a verification applies to every spelling of an email and to no other email", async () => {
  const realm = await newRealm()
  const user = await createUser(realm, "jo@müller.example", { email_verification: "verified" })
  const claims = async () => {
    const session = await authenticate(realm, user.id)
    return JSON.parse(atob(session.string("token").split(".")[1] ?? ""))["email_verified"]
  }
  await realm.put(`/v2/users/${user.id}`, { user: { email: "jo@xn--mller-kva.example" } })
  expect(await claims()).toBe(true)
  await realm.put(`/v2/users/${user.id}`, { user: { email: "jo@muller.example" } })
  expect(await claims()).toBe(false)
})

test("C257: tokens and claims contain the email with its domain in ASCII", async () => {
  const [realm, sql] = [await newRealm(), await workerSql()]
  const user = await createUser(realm, "jo@müller.example")
  const asked = { code: { scopes: ["openid", "email"], claims: { id_token: { email: null } } } }
  const { accessToken, reply } = await loggedIn(sql, realm, { user: user.id, ...asked })
  expect((await userinfo(realm, accessToken)).member("email")).toBe("jo@xn--mller-kva.example")
  expect(claimsIn(reply, "id_token")["email"]).toBe("jo@xn--mller-kva.example")
  const session = await authenticate(realm, user.id)
  expect(session.member("user", "email")).toBe("jo@müller.example")
  expect(JSON.parse(atob(session.string("token").split(".")[1] ?? ""))).toMatchObject({
    email: "jo@xn--mller-kva.example"
  })
})

test("SEC-239: rejects a domain that no mail server can have", async () => {
  const realm = await newRealm()
  for (const email of [
    "jo@a℀b.ü",
    "jo@ü/x",
    "jo@ü%2ex",
    "jo@ü?x",
    "jo@ü#x",
    "jo@ü。",
    "jo@ü.xn--zz",
    "jo@\ufe0f",
    "a@..example",
    "a@foo%2e.example",
    "a@xn--a.example",
    "a@℀.example"
  ]) {
    const rejected = await createUser(realm, email)
    expect([email, rejected.status, rejected.member("error_details", 0, "code")]).toEqual([email, 422, "email_form"])
  }
})
