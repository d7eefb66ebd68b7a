import { describe, expect, test } from "vitest"
import type { Api, Reply } from "#testing/Api"
import { PASSWORD } from "../support/logins.ts"
import { ownService } from "../support/sallyport.ts"

type Own = Parameters<Parameters<typeof ownService>[0]>[0]

/** Runs a function with a service that applies all limits and has its own clock. */
const withLimits = (use: (own: Own) => Promise<void>) => ownService(use, { limits: "all" })

const statusesOf = async (count: number, ask: () => Promise<Reply>): Promise<ReadonlyArray<number>> => {
  const replies: Array<Reply> = []
  for (let done = 0; done < count; done += 20) {
    replies.push(...(await Promise.all(Array.from({ length: Math.min(20, count - done) }, ask))))
  }
  return replies.map(({ status }) => status)
}

const rateLimitOf = (reply: Reply) => ({
  status: reply.status,
  code: reply.member("error_details", 0, "code"),
  retryAfter: reply.headers.get("retry-after"),
  limit: reply.headers.get("ratelimit"),
  policy: reply.headers.get("ratelimit-policy")
})

describe("C45: limits on management requests per API key", () => {
  test("allow 500 writes per 10 s, then return 429 with Retry-After and RateLimit headers", () =>
    withLimits(async ({ given, advance }) => {
      const realm = await given.realm()
      const [caller, other] = [await realm.as("write"), await realm.as("admin_realm")]
      const write = (api: Api) => () => api.delete("/v2/sessions/kss_nobody")
      expect(new Set(await statusesOf(500, write(caller)))).toEqual(new Set([204]))
      const events = await realm.seen.caused(async () => {
        expect(rateLimitOf(await write(caller)())).toEqual({
          status: 429,
          code: "too_often",
          retryAfter: "10",
          limit: '"writes";r=0;t=10',
          policy: '"writes";q=500;w=10'
        })
      })
      expect(events).toEqual([])
      expect((await caller.get("/v2/users")).status).toBe(200)
      expect((await write(other)()).status).toBe(204)
      await advance("9 seconds")
      expect(rateLimitOf(await write(caller)())).toMatchObject({ status: 429, retryAfter: "1" })
      await advance("1 second")
      expect((await write(caller)()).status).toBe(204)
    }))

  test("allow 1,000 reads per 10 s unless the realm sets another number", () =>
    withLimits(async ({ given }) => {
      const realm = await given.realm()
      const update = await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { reads: 40 } } })
      expect([update.status, update.member("limits")]).toEqual([200, { reads: 40 }])
      const caller = await realm.as("read")
      const statuses = await statusesOf(60, () => caller.get("/v2/users?max_results=1"))
      expect(statuses.filter((status) => status === 200)).toHaveLength(40)
      expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    }))

  test("must be whole numbers of at least 1, or null for the default", () =>
    withLimits(async ({ given }) => {
      const realm = await given.realm()
      const put = (limits: unknown) => realm.put(`/v1/realms/${realm.id}`, { realm: { limits } })
      expect((await put({ reads: 0 })).status).toBe(422)
      expect((await put({ writes: 1_000_001 })).status).toBe(422)
      expect((await put({ mails: "many" })).status).toBe(422)
      expect((await put([])).status).toBe(422)
      expect((await put({ mails: 5 })).member("limits")).toEqual({ mails: 5 })
      expect((await put(null)).member("limits")).toEqual({})
    }))
})

describe("password and code attempts", () => {
  const ready = async (given: Own["given"], limits: object) => {
    const realm = await given.realm()
    await realm.put(`/v2/realms/${realm.id}`, { realm: { limits } })
    const { id } = await realm.user({ password: PASSWORD })
    const loginV2 = (password: string) => realm.post(`/v2/users/${id}/authenticate`, { user: { password } })
    const loginV1 = (password: string) => realm.post(`/v1/users/${id}/authenticate`, { password })
    return { realm, loginV1, loginV2, right: () => loginV2(PASSWORD), wrong: () => loginV2("not the password") }
  }

  test("are limited per user and minute across all endpoints except authenticate_key", () =>
    withLimits(async ({ given, advance }) => {
      const { realm, loginV1, right, wrong } = await ready(given, { attempts: 3 })
      for (let n = 0; n < 3; n++) expect((await wrong()).status).toBe(422)
      expect(rateLimitOf(await right())).toMatchObject({
        status: 429,
        code: "too_often",
        retryAfter: "60",
        limit: '"attempts";r=0;t=60'
      })
      expect((await loginV1(PASSWORD)).status).toBe(429)
      await realm.apiUser({ api_key: "abcdefghijklmnopqrstuvwxyz0123456789" })
      const byKey = () => realm.post("/v1/users/authenticate_key", { api_key: "abcdefghijklmnopqrstuvwxyz0123456789" })
      expect(new Set(await statusesOf(12, byKey))).toEqual(new Set([200]))
      await advance("1 minute")
      expect((await right()).status).toBe(200)
    }))

  test("SEC-106: count toward the limit only if wrong, even when concurrent", () =>
    withLimits(async ({ given }) => {
      const { right, wrong } = await ready(given, {})
      for (let round = 0; round < 2; round++) expect(new Set(await statusesOf(10, right))).toEqual(new Set([200]))
      for (let n = 0; n < 11; n++) expect((await right()).status).toBe(200)
      const few = await ready(given, { attempts: 4 })
      for (let round = 0; round < 3; round++) expect(new Set(await statusesOf(4, few.right))).toEqual(new Set([200]))
      const statuses = await statusesOf(20, few.wrong)
      expect(statuses.filter((status) => status === 422)).toHaveLength(4)
      expect(statuses.filter((status) => status === 429)).toHaveLength(16)
      expect((await few.right()).status).toBe(429)
      expect((await wrong()).status).toBe(422)
    }))

  test("return 429 with the longer retry time of the block once the user is blocked", () =>
    withLimits(async ({ given }) => {
      const realm = await given.realm()
      const { id } = await realm.user({ password: PASSWORD })
      const wrong = () => realm.post(`/v2/users/${id}/authenticate`, { user: { password: "not the password" } })
      for (let n = 0; n < 10; n++) expect((await wrong()).status).toBe(422)
      expect(rateLimitOf(await wrong())).toMatchObject({ status: 429, code: "blocked", retryAfter: "900", limit: null })
    }))
})

describe("Limits on emails and invitations", () => {
  test("allow 3 emails per minute and 10 per hour for each recipient", () =>
    withLimits(async ({ given, advance }) => {
      const realm = await given.realm()
      const { id } = await realm.user()
      const ask = () => realm.post(`/v2/users/${id}/request_email_verification`, {})
      const statuses: Array<number> = []
      for (let minute = 0; minute < 4; minute++) {
        for (let n = 0; n < 4; n++) statuses.push((await ask()).status)
        await advance("1 minute")
      }
      expect(statuses.filter((status) => status === 200)).toHaveLength(10)
      expect(rateLimitOf(await ask())).toMatchObject({
        status: 429,
        limit: expect.stringMatching(/^"mails_sustained";r=0/)
      })
      expect((await realm.post(`/v2/users/${(await realm.user()).id}/request_email_verification`, {})).status).toBe(200)
    }))

  test("allow a limited number of invitations per hour for each org", () =>
    withLimits(async ({ given, advance }) => {
      const realm = await given.realm()
      await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { invitations: 5 } } })
      const [org, other] = [await realm.org(), await realm.org()]
      let count = 0
      const invite = (orgId: string) =>
        realm.post("/v2/invitations", {
          invitation: { invitation_type: "org", email: `guest-${++count}@example.test`, org_id: orgId }
        })
      for (let n = 0; n < 5; n++) expect((await invite(org.id)).status).toBe(201)
      const events = await realm.seen.caused(async () => {
        expect(rateLimitOf(await invite(org.id))).toMatchObject({ status: 429, policy: '"invitations";q=5;w=3600' })
      })
      expect(events).toEqual([])
      expect((await invite(other.id)).status).toBe(201)
      await advance("1 hour")
      expect((await invite(org.id)).status).toBe(201)
    }))
})
