import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import {
  authenticate,
  authenticateV1,
  complete,
  completeV1,
  type Device,
  enrolled,
  userEvent as event,
  statusAndErrors,
  wrongCode
} from "../support/logins.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { newRealm, ownService } from "../support/sallyport.ts"

const BLOCKED = [429, ["Too many failed attempts. Try again in 15 minutes."]]

/** Submits a code for a user, with or without a new pending login. */
type EntryPoint = (realm: GivenRealm, user: Reply, device: Device, code: string) => Promise<Reply>

const v1: EntryPoint = async (realm, user, _device, code) =>
  completeV1(realm, user.id, (await authenticateV1(realm, user.id)).string("token"), code)

const v2: EntryPoint = async (realm, user, _device, code) =>
  complete(realm, (await authenticate(realm, user.id)).string("token"), code)

const verify: EntryPoint = (realm, _user, device, code) =>
  realm.post(`/v1/credentials/${device.id}/verify`, { credential: { code } })

const entryPoints = [v1, v2, verify]

describe("guessing a user's codes", () => {
  test("SEC-11, CVE-2024-32868, CVE-2025-64102: returns 429 after ten wrong codes across logins and endpoints", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const device = await enrolled(realm, user.id)
    const wrong = wrongCode(device)
    const guesses = await realm.seen.caused(async () => {
      for (let n = 0; n < 10; n += 1) {
        const reply = await (entryPoints[n % 3] ?? v1)(realm, user, device, wrong)
        expect([n, reply.status]).toEqual([n, n % 3 === 0 ? 401 : 422])
      }
    })
    expect(guesses.filter(({ event_type }) => event_type !== "user.login.initiated")).toEqual([
      // A wrong code when verifying a device isn't a failed login.
      ...Array.from({ length: 7 }, () => event(user, "login.failed")),
      event(user, "blocked")
    ])
    const rejected = await realm.seen.caused(async () => {
      for (const entryPoint of entryPoints) {
        for (const code of [device.code(), wrong]) {
          const reply = await entryPoint(realm, user, device, code)
          expect([statusAndErrors(reply), reply.headers.get("retry-after")]).toEqual([BLOCKED, "900"])
        }
      }
    })
    expect(rejected).toEqual(Array.from({ length: 4 }, () => event(user, "login.initiated")))
    expect((await realm.get("/v2/sessions")).items).toEqual([])
  })

  test("SEC-11: is counted separately from wrong passwords", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const device = await enrolled(realm, user.id)
    const pending = (await authenticate(realm, user.id)).string("token")
    for (let n = 0; n < 9; n += 1) expect((await authenticate(realm, user.id, `guess ${n}`)).status).toBe(422)
    expect((await complete(realm, pending, device.code())).status).toBe(200)
    expect((await authenticate(realm, user.id, "the tenth")).status).toBe(422)
    expect((await authenticate(realm, user.id)).status).toBe(429)
    // A user blocked by wrong passwords may still submit a code.
    expect((await verify(realm, user, device, device.code(1))).status).toBe(200)
  })

  test("SEC-11: is counted from zero again after a correct code", async () => {
    const realm = await newRealm()
    const user = await quickUser(realm)
    const device = await enrolled(realm, user.id)
    const wrong = wrongCode(device)
    for (let n = 0; n < 9; n += 1) expect((await verify(realm, user, device, wrong)).status).toBe(422)
    expect((await v2(realm, user, device, device.code())).status).toBe(200)
    for (let n = 0; n < 9; n += 1) expect((await verify(realm, user, device, wrong)).status).toBe(422)
    expect((await v1(realm, user, device, device.code(1))).status).toBe(200)
    expect((await realm.get("/v2/events?event_type=user.blocked")).items).toEqual([])
  })

  test("SEC-11: is possible again 15 minutes after a block", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      const now = () => clock.currentTimeMillisUnsafe()
      const device = await enrolled(realm, user.id, now())
      const guess = async (times: number) => {
        for (let n = 0; n < times; n += 1) {
          expect((await verify(realm, user, device, wrongCode(device, now()))).status).toBe(422)
        }
      }
      await guess(10)
      clock.advance("899 seconds")
      const reply = await v2(realm, user, device, device.code(0, now()))
      expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "1"])
      clock.advance("1 second")
      await guess(9)
      clock.advance("15 minutes")
      await guess(9)
      expect((await v2(realm, user, device, device.code(0, now()))).status).toBe(200)
    }))

  test("SEC-11: is limited to ten codes within any 15 minutes", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      const now = () => clock.currentTimeMillisUnsafe()
      const device = await enrolled(realm, user.id, now())
      const tries: Array<number> = []
      for (let minute = 0; minute < 60; minute += 1) {
        const { status } = await verify(realm, user, device, wrongCode(device, now()))
        if (status === 422) tries.push(minute)
        clock.advance("1 minute")
      }
      const most = Math.max(...tries.map((from) => tries.filter((at) => at >= from && at < from + 15).length))
      expect([tries.length > 20, most]).toEqual([true, 10])
    }))

  test("SEC-11: is limited across two adjacent counting windows", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const user = await quickUser(realm)
      const device = await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
      const statuses: Array<number> = []
      const guess = async (times: number) => {
        for (let n = 0; n < times; n += 1) {
          const code = wrongCode(device, clock.currentTimeMillisUnsafe())
          statuses.push((await verify(realm, user, device, code)).status)
        }
      }
      await guess(1)
      clock.advance("14 minutes")
      await guess(8)
      clock.advance("2 minutes")
      await guess(9)
      // All guesses except the first are within two minutes.
      expect(statuses.slice(1).filter((status) => status === 422).length).toBeLessThanOrEqual(10)
    }))
})
