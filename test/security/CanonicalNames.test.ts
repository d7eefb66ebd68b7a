import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { authenticate, authenticateV1, PASSWORD } from "../support/logins.ts"
import { quickHash } from "../support/passwordEntryPoints.ts"
import { newRealm } from "../support/sallyport.ts"

/** Spellings of the same name. Each row starts with the canonical spelling. */
const alike: ReadonlyArray<ReadonlyArray<string>> = [
  ["éva", "E\u0301va", "ÉVA", " \u00e9va\u3000"],
  ["jo", "ＪＯ", "𝓳𝓸", "Jo\t"],
  ["straße-ﬁ".normalize("NFKC"), "STRAßE-ﬁ", "straße-ﬁ"]
]

/** Pairs of names that look alike but are different. */
const differentNames: ReadonlyArray<readonly [string, string]> = [
  ["ibo", "\u0131bo"],
  ["pay", "р\u0430y"],
  ["a.b", "ab"],
  ["a+b", "a"]
]

const createUser = (realm: GivenRealm, attributes: object) =>
  realm.post("/v2/users", {
    user: { credentials: [{ credential_type: "password", password_hash: quickHash() }], ...attributes }
  })

describe("SEC-59 (CVE-2026-47203): canonical names", () => {
  test.each(
    alike
  )("treat all spellings of %s as the same email and the same username", async (canonical, ...spellings) => {
    const realm = await newRealm()
    const user = await createUser(realm, { email: `${canonical}@example.test`, username: `user-${canonical}` })
    expect(user.status).toBe(201)
    for (const spelling of spellings) {
      const [email, username] = [`${spelling.trim()}@EXAMPLE.test`, ` USER-${spelling.trim()}\u3000`]
      for (const taken of [{ email }, { email: "x@example.test", username }]) {
        const rejected = await createUser(realm, taken)
        expect([taken, rejected.status, rejected.member("error_details", 0, "code")]).toEqual([taken, 422, "taken"])
      }
      expect((await realm.get(`/v2/users/${encodeURIComponent(email)}`)).id).toBe(user.id)
      expect((await realm.get(`/v1/users/${encodeURIComponent(username)}`)).id).toBe(user.id)
      expect((await realm.get(`/v2/users?email=${encodeURIComponent(email)}`)).items.map(({ id }) => id)).toEqual([
        user.id
      ])
      expect((await authenticate(realm, encodeURIComponent(email))).status).toBe(200)
    }
  })

  test("count wrong passwords together for all spellings and identifiers", async () => {
    const realm = await newRealm()
    const user = await createUser(realm, { email: "éva@example.test", username: "éva" })
    const entryPoints = [
      () => authenticate(realm, encodeURIComponent("ÉVA@example.test"), "wrong one here"),
      () => authenticate(realm, encodeURIComponent("e\u0301va@EXAMPLE.test"), "wrong one here"),
      () => authenticateV1(realm, encodeURIComponent("E\u0301VA"), "wrong one here"),
      () => authenticateV1(realm, user.id, "wrong one here")
    ]
    const statuses: Array<number> = []
    for (let n = 0; n < 12; n++) statuses.push((await entryPoints[n % entryPoints.length]?.())?.status ?? 0)
    expect(statuses.slice(0, 10)).not.toContain(429)
    expect(statuses.slice(10)).toEqual([429, 429])
    expect((await authenticate(realm, user.id)).status).toBe(429)
  })

  test.each(differentNames)("treat %s and %s as different names", async (one, two) => {
    const realm = await newRealm()
    const first = await createUser(realm, { email: `${one}@example.test`, username: one })
    const second = await createUser(realm, { email: `${two}@example.test`, username: two })
    expect([first.status, second.status]).toEqual([201, 201])
    expect((await realm.get(`/v1/users/${encodeURIComponent(two)}`)).id).toBe(second.id)
  })
})

test("SEC-59 (CVE-2026-40574): an email must have exactly one @, no trailing dot and no second address", async () => {
  const realm = await newRealm()
  const forms = ["jo@evil.test@example.test", "jo＠evil.test@example.test", "jo@example.test.", "jo@example.test．"]
  const { result, events } = await realm.seen.during(async () => {
    const rejected = []
    for (const email of [...forms, "jo@evil.test,al@example.test", "jo@evil.test al@example.test"]) {
      rejected.push(await createUser(realm, { email }))
      rejected.push(await realm.post("/v2/invitations", { invitation: { invitation_type: "referral", email } }))
      const hook = {
        hook_type: "email",
        event_type: ["user.updated"],
        email_from: email,
        email_template: "x",
        email_subject: "x"
      }
      rejected.push(await realm.post("/v2/hooks", { hook: { ...hook, realm_id: realm.id } }))
    }
    return rejected
  })
  expect(result.map(({ status }) => status)).toEqual(result.map(() => 422))
  expect(events).toEqual([])
})

test("SEC-59 (CVE-2026-19607): a username equal to another user's former email never shadows that user", async () => {
  const realm = await newRealm()
  const owner = await createUser(realm, { email: "owner@example.test", username: "owner" })
  const attacker = await createUser(realm, { email: "taker@example.test", username: "TAKER@example.test" })
  expect([owner.status, attacker.status]).toEqual([201, 201])
  await realm.put(`/v2/users/${attacker.id}`, { user: { email: "new@example.test" } })
  await realm.put(`/v2/users/${owner.id}`, { user: { email: "taker@example.test" } })
  expect((await realm.get("/v2/users/taker@example.test")).id).toBe(owner.id)
  // Wrong passwords for one user don't count against the other.
  for (let n = 0; n < 10; n++) await authenticate(realm, attacker.id, "wrong one here")
  expect((await authenticate(realm, attacker.id)).status).toBe(429)
  const login = await authenticate(realm, "taker@example.test", PASSWORD)
  expect([login.status, login.member("user_id")]).toEqual([200, owner.id])
})
