import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { authenticate, authenticateV1, complete, userEvent as event, statusAndErrors } from "../support/logins.ts"
import { ownService, service } from "../support/sallyport.ts"
import { completeV1, type Holder, newHolder } from "../support/tokenKinds.ts"

const twenty = Array.from({ length: 20 }, (_, n) => n)

const pendingV1 = async (realm: GivenRealm, { user }: Holder) => (await authenticateV1(realm, user.id)).string("token")

const pendingV2 = async (realm: GivenRealm, { user }: Holder) => (await authenticate(realm, user.id)).string("token")

const verify = (realm: GivenRealm, { device }: Holder, code: string) =>
  realm.post(`/v2/credentials/${device.id}/verify`, { credential: { code } })

/** Asserts that exactly one response is a success and all others are documented errors, and returns the success. */
const onlySuccess = (replies: ReadonlyArray<Reply>): Reply => {
  const [first, ...others] = replies.filter(({ status }) => status === 200)
  expect(others).toEqual([])
  const unexpected = replies.filter(({ status }) => ![200, 401, 404, 422, 429].includes(status))
  expect(unexpected.map(({ status, text }) => [status, text])).toEqual([])
  if (first === undefined) throw new Error("No request succeeded.")
  return first
}

const successes = (events: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  events.filter(({ event_type }) => event_type === "user.login.succeeded")

describe("SEC-17, CVE-2025-43798: of 20 concurrent submissions of one code, exactly one succeeds", () => {
  test("for one pending login", async () => {
    const realm = await (await service()).given.realm()
    const holder = await newHolder(realm)
    const token = await pendingV2(realm, holder)
    const { result, events } = await realm.seen.during(() =>
      Promise.all(twenty.map(() => complete(realm, token, holder.device.code())))
    )
    const session_id = onlySuccess(result).id
    expect(successes(events)).toEqual([{ ...event(holder.user, "login.succeeded"), session_id }])
    expect((await realm.get("/v2/sessions")).items.map(({ id }) => id)).toEqual([session_id])
  })

  test("for several pending logins, under both versions", async () => {
    const realm = await (await service()).given.realm()
    const holder = await newHolder(realm)
    const pending: Array<string> = []
    for (const n of twenty) pending.push(await (n % 2 === 0 ? pendingV1 : pendingV2)(realm, holder))
    const code = holder.device.code()
    const { result, events } = await realm.seen.during(() =>
      Promise.all(
        pending.map((token, n) =>
          n % 2 === 0 ? completeV1(realm, holder.user.id, token, code) : complete(realm, token, code)
        )
      )
    )
    onlySuccess(result)
    expect(successes(events)).toHaveLength(1)
    expect((await realm.get("/v2/sessions")).items).toHaveLength(1)
  })

  test("across device verification and login", async () => {
    const realm = await (await service()).given.realm()
    for (const _ of [1, 2, 3, 4]) {
      const holder = await newHolder(realm)
      const pending = [await pendingV2(realm, holder), await pendingV2(realm, holder), await pendingV2(realm, holder)]
      const code = holder.device.code()
      const { result, events } = await realm.seen.during(() =>
        Promise.all(
          twenty.map((n) => (n % 2 === 0 ? verify(realm, holder, code) : complete(realm, pending[n % 3] ?? "", code)))
        )
      )
      const loggedIn = onlySuccess(result).member("object") === "session"
      expect(successes(events)).toHaveLength(loggedIn ? 1 : 0)
      expect((await realm.get(`/v2/sessions?user_id=${holder.user.id}`)).items).toHaveLength(loggedIn ? 1 : 0)
    }
  })
})

/** Runs `use` for a user in a realm with a test clock. `off` submits the code of a relative step and returns the status. */
const withClock = (use: (off: (steps: number) => Promise<number>, later: () => void) => Promise<void>) =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const holder = await newHolder(realm)
    clock.advance("10 minutes")
    const submitAt = async (steps: number) => {
      const token = await pendingV2(realm, holder)
      const code = holder.device.code(steps, clock.currentTimeMillisUnsafe())
      const { result, events } = await realm.seen.during(() => complete(realm, token, code))
      const sessionMember = result.status === 200 ? { session_id: result.id } : {}
      const type = result.status === 200 ? "login.succeeded" : "login.failed"
      expect(events).toEqual([{ ...event(holder.user, type), ...sessionMember }])
      if (result.status !== 200) expect(statusAndErrors(result)).toEqual([422, ["Login failed."]])
      return result.status
    }
    await use(submitAt, () => clock.advance("30 seconds"))
  })

test("SEC-18: a login accepts the codes of the previous, current and next step, but never a code of a used step", () =>
  withClock(async (off, later) => {
    const table = async (...all: ReadonlyArray<number>) => {
      const found: Array<readonly [steps: number, status: number]> = []
      for (const steps of all) found.push([steps, await off(steps)])
      return found
    }
    expect(await table(-3, -2, 2, 3, -1, 0, 1)).toEqual([
      [-3, 422],
      [-2, 422],
      [2, 422],
      [3, 422],
      [-1, 200],
      [0, 200],
      [1, 200]
    ])
    expect(await table(1, 0, -1)).toEqual([
      [1, 422],
      [0, 422],
      [-1, 422]
    ])
    later()
    expect(await table(-1, 0, 1)).toEqual([
      [-1, 422],
      [0, 422],
      [1, 200]
    ])
    later()
    later()
    expect(await table(-1, 0)).toEqual([
      [-1, 422],
      [0, 200]
    ])
  }))
