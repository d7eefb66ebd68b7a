import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { codeOf, otherCode, sendCode, withEmailCodes } from "../support/codes.ts"
import {
  authenticate,
  complete,
  enrolled,
  userEvent as event,
  exhaustPasswords,
  PASSWORD,
  wrongCode
} from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { visitorAtApp } from "../support/visitor.ts"

const blocksOf = async (realm: GivenRealm, user: string) =>
  (await realm.get(`/v2/users/${user}/blocks`)).member("blocks")

const unblock = (realm: GivenRealm, user: string): Promise<Reply> => realm.delete(`/v2/users/${user}/blocks`)

/** A block after too many wrong passwords, or with other members. */
const blockOf = (ends_at: number, members: object = {}) => ({
  object: "user_block",
  blocks: "password",
  reason: "failed_attempts",
  limit: null,
  only_in_browser: false,
  ends_at,
  ...members
})

const exhaustCodes = async (realm: GivenRealm, user: Reply, wrong: string) => {
  for (let login = 0; login < 2; login += 1) {
    const pending = (await authenticate(realm, user.id)).string("token")
    for (let n = 0; n < 5; n += 1) expect((await complete(realm, pending, wrong)).status).toBe(422)
  }
}

const secondsOf = (clock: { readonly currentTimeMillisUnsafe: () => number }) => clock.currentTimeMillisUnsafe() / 1000

describe("the blocks of a user", () => {
  test("are empty for a user who isn't blocked, and for an inactive user", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    await exhaustPasswords(realm, user.id, 9)
    const { result, events } = await realm.seen.during(async () => [
      await realm.get(`/v2/users/${user.id}/blocks`),
      await realm.get(`/v2/users/${user.string("email")}/blocks`)
    ])
    for (const { status, body } of result) {
      expect([status, body]).toEqual([200, { object: "user_blocks", user_id: user.id, blocks: [] }])
    }
    expect(events).toEqual([])
    const inactive = await realm.user({ state: "inactive" })
    expect(await blocksOf(realm, inactive.id)).toEqual([])
  })

  test("return 404 for a user of another realm or an unknown user, and 403 for too low a level", async () => {
    const realm = await newRealm()
    const other = await newRealm()
    const user = await quickUser(realm)
    for (const path of [`/v2/users/${(await quickUser(other)).id}/blocks`, "/v2/users/nobody@example.test/blocks"]) {
      expect([(await realm.get(path)).status, (await realm.delete(path)).status]).toEqual([404, 404])
    }
    const reader = await realm.as("read")
    const path = `/v2/users/${user.id}/blocks`
    expect([(await reader.get(path)).status, (await reader.delete(path)).status]).toEqual([200, 403])
    const writer = await realm.as("write")
    expect((await writer.delete(path)).status).toBe(204)
  })

  test("SEC-271: list wrong passwords and codes with their ends, and end together with one user.unblocked", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      const device = await enrolled(realm, user.id)
      const codesEnd = secondsOf(clock) + 900
      await exhaustCodes(realm, user, wrongCode(device))
      clock.advance("5 minutes")
      const passwordsEnd = secondsOf(clock) + 900
      await exhaustPasswords(realm, user.id)
      expect(await blocksOf(realm, user.id)).toEqual([blockOf(codesEnd, { blocks: "code" }), blockOf(passwordsEnd)])
      const first = await realm.seen.during(() => unblock(realm, user.id))
      expect([first.result.status, first.events]).toEqual([204, [event(user, "unblocked")]])
      expect(await blocksOf(realm, user.id)).toEqual([])
      const pending = (await authenticate(realm, user.id)).string("token")
      expect((await complete(realm, pending, device.code(10))).status).toBe(200)
      const second = await realm.seen.during(() => unblock(realm, user.id))
      expect([second.result.status, second.events]).toEqual([204, []])
    }))

  test("SEC-271: record the caller's key as the actor of user.unblocked, once for concurrent calls", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    await exhaustPasswords(realm, user.id)
    const replies = await Promise.all([1, 2, 3].map(() => unblock(realm, user.id)))
    expect(replies.map(({ status }) => status)).toEqual([204, 204, 204])
    const { items } = await realm.get("/v2/events?event_type=user.unblocked")
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ user_id: user.id, actor: { type: "api_key" } })
  })

  test("SEC-271: allow ten more guesses after an unblock, as after the block's end, then block again", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    for (const _ of [1, 2]) {
      await exhaustPasswords(realm, user.id)
      expect((await authenticate(realm, user.id)).status).toBe(429)
      expect((await unblock(realm, user.id)).status).toBe(204)
    }
    expect((await authenticate(realm, user.id)).status).toBe(200)
  })

  test("SEC-271: keep counts that haven't led to a block", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const device = await enrolled(realm, user.id)
    await exhaustCodes(realm, user, wrongCode(device))
    await exhaustPasswords(realm, user.id, 9)
    expect((await unblock(realm, user.id)).status).toBe(204)
    await exhaustPasswords(realm, user.id, 1)
    expect((await authenticate(realm, user.id)).status).toBe(429)
  })

  test("end by themselves", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      await exhaustPasswords(realm, user.id)
      clock.advance("15 minutes")
      expect(await blocksOf(realm, user.id)).toEqual([])
      expect(await realm.seen.caused(() => unblock(realm, user.id))).toEqual([])
    }))

  test("SEC-271: forget a blocked browser, whose cookie then allows no more guesses of its own", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const { visitor, user, email } = await visitorAtApp(realm)
      expect((await visitor.logIn(email)).status).toBe(303)
      const guess = (password: string) => visitor.logIn(email, password, "?way=login")
      const endsAt = secondsOf(clock) + 900
      for (let n = 0; n < 10; n += 1) expect((await guess(`guess ${n}`)).status).toBe(422)
      expect((await guess(PASSWORD)).status).toBe(429)
      expect(await blocksOf(realm, user.id)).toEqual([blockOf(endsAt, { only_in_browser: true })])
      // The user can still log in elsewhere. Ten guesses elsewhere block the whole user.
      await exhaustPasswords(realm, user.id)
      expect(await blocksOf(realm, user.id)).toEqual([blockOf(endsAt), blockOf(endsAt, { only_in_browser: true })])
      expect(await realm.seen.caused(() => unblock(realm, user.id))).toEqual([event(user, "unblocked")])
      await exhaustPasswords(realm, user.id, 9)
      expect((await guess("the tenth")).status).toBe(422)
      expect((await guess(PASSWORD)).status).toBe(429)
    }))
})

describe("rate limits that count a user", () => {
  test("are blocks until the end of their windows, and end with an unblock", () =>
    ownService(
      async ({ given, clock }) => {
        const realm = await given.realm()
        await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { attempts: 3 } } })
        const user = await quickUser(realm)
        const limited = { reason: "rate_limit", limit: "attempts" }
        await exhaustPasswords(realm, user.id, 3)
        const windowEnds = Math.floor(secondsOf(clock) / 60) * 60 + 60
        expect((await authenticate(realm, user.id)).status).toBe(429)
        expect(await blocksOf(realm, user.id)).toEqual([blockOf(windowEnds, limited)])
        expect(await realm.seen.caused(() => unblock(realm, user.id))).toEqual([event(user, "unblocked")])
        expect(await blocksOf(realm, user.id)).toEqual([])
        expect((await authenticate(realm, user.id)).status).toBe(200)
      },
      { limits: "all" }
    ))

  test("SEC-271: end on other nodes within a second", () =>
    ownService(
      ({ given, clock }) =>
        ownService(
          async (other) => {
            const realm = await given.realm()
            await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { attempts: 3 } } })
            const user = await quickUser(realm)
            const elsewhere = new GivenRealm(other.transport, other.key, realm.id)
            await exhaustPasswords(elsewhere, user.id, 3)
            expect((await authenticate(elsewhere, user.id)).status).toBe(429)
            expect(await blocksOf(realm, user.id)).toHaveLength(1)
            await unblock(realm, user.id)
            for (const node of [clock, other.clock]) node.advance("1 second")
            expect((await authenticate(elsewhere, user.id)).status).toBe(200)
          },
          { limits: "all", startsAt: clock.currentTimeMillisUnsafe() }
        ),
      { limits: "all" }
    ))

  test("are listed with the block that the same attempts caused", () =>
    ownService(
      async ({ given }) => {
        const realm = await given.realm()
        const user = await quickUser(realm)
        await exhaustPasswords(realm, user.id)
        const blocks = await blocksOf(realm, user.id)
        expect(blocks).toMatchObject([
          { blocks: "password", reason: "failed_attempts", limit: null },
          { blocks: "password", reason: "rate_limit", limit: "attempts" }
        ])
        await unblock(realm, user.id)
        expect((await authenticate(realm, user.id)).status).toBe(200)
      },
      { limits: "all" }
    ))

  test("include emailed codes and emails to the user's addresses, but not those of other users", () =>
    ownService(
      async ({ given }) => {
        const realm = await withEmailCodes(await given.realm())
        await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { mails: 1, email_codes: 1 } } })
        const user = await quickUser(realm)
        const other = await quickUser(realm)
        expect((await sendCode(realm, user.id)).status).toBe(200)
        const token = (await sendCode(realm, other.id)).string("token")
        const wrong = otherCode(await codeOf(realm, other.id))
        expect((await complete(realm, token, wrong)).status).toBe(422)
        expect((await sendCode(realm, user.id)).status).toBe(429)
        expect(await blocksOf(realm, user.id)).toMatchObject([{ blocks: "email", limit: "mails" }])
        expect(await blocksOf(realm, other.id)).toMatchObject([
          { blocks: "email_code", limit: "email_codes" },
          { blocks: "email", limit: "mails" }
        ])
        await unblock(realm, user.id)
        expect((await sendCode(realm, user.id)).status).toBe(200)
        expect(await blocksOf(realm, other.id)).toHaveLength(2)
      },
      { limits: "all" }
    ))
})
