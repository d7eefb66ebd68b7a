import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { codeAt, newDevice, wrongCodeAt } from "../support/credentials.ts"
import { ownService, service } from "../support/sallyport.ts"

const verify = (given: GivenRealm, id: string, code: string) =>
  given.post(`/v2/credentials/${id}/verify`, { credential: { code } })

const errorReply = (status: number, errors: ReadonlyArray<unknown>) => ({ status, errors })

const wrong = errorReply(422, ["Verification failed."])

const verificationResult = async (given: GivenRealm, id: string, code: string) => {
  const { status, errors = [] } = await verify(given, id, code)
  return { status, errors }
}

describe("SEC-17: a code of a TOTP device", () => {
  test("is accepted in only one of 20 concurrent verifications", async () => {
    const { given } = await service()
    const realm = await given.realm()
    const user = await realm.user()
    const device = await newDevice(realm, user.id)
    const code = codeAt(device.string("otp_secret"))
    const { result, events } = await realm.seen.during(() =>
      Promise.all(Array.from({ length: 20 }, () => verify(realm, device.id, code)))
    )
    const statuses = result.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200).length).toBe(1)
    expect(statuses.filter((status) => status !== 200 && status !== 422 && status !== 429)).toEqual([])
    expect(events.filter(({ event_type }) => event_type !== "user.blocked")).toEqual([
      { event_type: "user.updated", user_id: user.id }
    ])
    expect((await realm.get(`/v2/credentials/${device.id}`)).member("state")).toBe("active")
  })

  test("can be verified once for an active device, without an event", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const device = await newDevice(realm, (await realm.user()).id)
      const secret = device.string("otp_secret")
      expect((await verify(realm, device.id, codeAt(secret))).status).toBe(200)
      const events = await realm.seen.caused(async () => {
        expect(await verificationResult(realm, device.id, codeAt(secret))).toEqual(wrong)
        clock.advance("30 seconds")
        expect(await verificationResult(realm, device.id, codeAt(secret))).toEqual(wrong)
        const next = await verify(realm, device.id, codeAt(secret, STARTS_AT + 30_000))
        expect([next.status, next.member("state")]).toEqual([200, "active"])
        expect(await verificationResult(realm, device.id, codeAt(secret, STARTS_AT + 30_000))).toEqual(wrong)
        expect(await verificationResult(realm, device.id, wrongCodeAt(secret))).toEqual(wrong)
      })
      expect(events).toEqual([])
    }))

  test("cannot be used to log in after activating the device", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const password = "a wholly unguessable phrase"
      const user = await realm.user({ password })
      const device = await newDevice(realm, user.id)
      const secret = device.string("otp_secret")
      await verify(realm, device.id, codeAt(secret))
      const due = await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password } })
      const complete = (code: string) =>
        realm.post("/v2/users/authenticate_token", { user: { token: due.string("token"), code } })
      expect((await complete(codeAt(secret))).status).toBe(422)
      clock.advance("30 seconds")
      expect((await complete(codeAt(secret, STARTS_AT + 30_000))).status).toBe(200)
    }))
})

test("SEC-18: only the codes of the previous, current and next time step are accepted", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const user = await realm.user()
    clock.advance("10 minutes")
    const now = STARTS_AT + 600_000
    for (const [off, expected] of [
      [-3, 422],
      [-2, 422],
      [-1, 200],
      [0, 200],
      [1, 200],
      [2, 422],
      [3, 422]
    ] as const) {
      const device = await newDevice(realm, user.id)
      const code = codeAt(device.string("otp_secret"), now + off * 30_000)
      expect([off, (await verify(realm, device.id, code)).status]).toEqual([off, expected])
    }
  }))

test("SEC-18: codes of a used time step and all earlier ones are rejected", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const device = await newDevice(realm, (await realm.user()).id)
    const secret = device.string("otp_secret")
    clock.advance("10 minutes")
    const at = (off: number) => codeAt(secret, STARTS_AT + 600_000 + off * 30_000)
    expect(await verificationResult(realm, device.id, at(1))).toEqual({ status: 200, errors: [] })
    for (const off of [-1, 0, 1]) expect(await verificationResult(realm, device.id, at(off))).toEqual(wrong)
    clock.advance("30 seconds")
    for (const off of [0, 1]) expect(await verificationResult(realm, device.id, at(off))).toEqual(wrong)
    expect((await verificationResult(realm, device.id, at(2))).status).toBe(200)
  }))

describe("C24: ten wrong codes of a user within 15 minutes", () => {
  test("block all devices of the user for 15 minutes, even with a correct code", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const [user, other] = [await realm.user(), await realm.user()]
      const devices = [await newDevice(realm, user.id), await newDevice(realm, user.id)]
      const foreign = await newDevice(realm, other.id)
      const events = await realm.seen.caused(async () => {
        for (let guess = 0; guess < 10; guess += 1) {
          const device = devices[guess % 2] ?? foreign
          const { errors, status } = await verify(realm, device.id, wrongCodeAt(device.string("otp_secret")))
          expect([guess, status, errors]).toEqual([guess, 422, ["Verification failed."]])
        }
        clock.advance("5 minutes")
        for (const device of devices) {
          const blocked = await verify(realm, device.id, codeAt(device.string("otp_secret"), STARTS_AT + 300_000))
          expect([blocked.status, blocked.errors, blocked.headers.get("retry-after")]).toEqual([
            429,
            ["Too many failed attempts. Try again in 10 minutes."],
            "600"
          ])
        }
      })
      expect(events).toEqual([{ event_type: "user.blocked", user_id: user.id }])
      const theirs = codeAt(foreign.string("otp_secret"), STARTS_AT + 300_000)
      expect((await verify(realm, foreign.id, theirs)).status).toBe(200)

      clock.advance("10 minutes")
      const [first] = devices
      const code = codeAt(first?.string("otp_secret") ?? "", STARTS_AT + 900_000)
      expect((await verify(realm, first?.id ?? "", code)).status).toBe(200)
    }))

  test("are counted only since the last correct code", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      const device = await newDevice(realm, (await realm.user()).id)
      const secret = device.string("otp_secret")
      let now = STARTS_AT
      const guess = async (times: number) => {
        for (let made = 0; made < times; made += 1) {
          expect(await verificationResult(realm, device.id, wrongCodeAt(secret, now))).toEqual(wrong)
        }
      }
      await guess(9)
      expect((await verify(realm, device.id, codeAt(secret, now))).status).toBe(200)
      await guess(9)
      clock.advance("16 minutes")
      now += 16 * 60_000
      await guess(9)
      expect((await verify(realm, device.id, codeAt(secret, now))).status).toBe(200)
    }))
})
