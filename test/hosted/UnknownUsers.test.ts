import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { hostedAt } from "../support/hostedApi.ts"
import { authenticate, userEvent as event, PASSWORD } from "../support/logins.ts"
import { pageOf } from "../support/pages.ts"
import { hashesComputed, quickUser } from "../support/passwordEntryPoints.ts"
import { query } from "../support/query.ts"
import { isolatedService, newRealm, ownService } from "../support/sallyport.ts"

/** A response without the parts that differ per request: request id, date, typed name and reason (C259). */
const comparableResponse = ({ status, headers, text }: Reply, typed: string) => {
  const id = headers.get("x-request-id") ?? ""
  const names = [...headers.keys()].filter((name) => name !== "x-request-id" && name !== "date")
  return {
    status,
    body: text
      .replaceAll(id, "id")
      .replaceAll(typed, "name")
      .replace(/,"params":\{"reason":"\w+"\}/, ""),
    headers: Object.fromEntries(names.filter((name) => name !== "content-length").map((n) => [n, headers.get(n)]))
  }
}

type Try = (name: string, password: string) => Promise<Reply>

/**
 * An entry point that must not reveal which users exist, with its statuses for wrong passwords and too many attempts.
 */
type EntryPoint = readonly [entryPoint: string, wrong: number, later: number, open: (realm: GivenRealm) => Promise<Try>]

const entryPoints: ReadonlyArray<EntryPoint> = [
  ["v2 authenticate by email", 422, 429, async (realm) => (name, password) => authenticate(realm, name, password)],
  [
    "hosted login",
    200,
    200,
    async (realm) => {
      const at = await hostedAt(realm)
      return (email, password) => at.post("login", { email, password })
    }
  ],
  [
    "an invitation page",
    422,
    429,
    async (realm) => {
      const made = await realm.invitation()
      await realm.post(`/v2/invitations/${made.id}/invite`, {})
      const [page, token] = [pageOf(realm, "invitation"), made.string("token")]
      return (name, password) => page.send({ token, way: "login", name, password })
    }
  ]
]

const WRONG = "seven purple elephantz"

/** The emails of a known, an unknown, an inactive and a passwordless user, all of the same length. */
const userEmails = ["known00@example.test", "nobody0@example.test", "asleep0@example.test", "nopass0@example.test"]

const [KNOWN, NOBODY, ASLEEP, NOPASS] = userEmails as [string, string, string, string]

const createUsers = async (realm: GivenRealm): Promise<void> => {
  await realm.user({ email: KNOWN, password: PASSWORD })
  await realm.user({ email: ASLEEP, password: PASSWORD, state: "inactive" })
  await realm.user({ email: NOPASS })
}

describe.each(entryPoints)("SEC-14, C28: %s doesn't reveal which users exist", (_, wrong, later, open) => {
  test("returns the same response at the same cost for known, unknown, inactive and passwordless users", () =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      await createUsers(realm)
      const attempt = await open(realm)
      const expectEqual = <A>(answers: ReadonlyArray<A>) => {
        const [first] = answers
        expect(answers).toEqual(userEmails.map(() => first))
        return first
      }
      /** Tries the emails one after the other to measure the cost of each attempt. */
      const attemptsWithCost = async () => {
        const answers = []
        for (const name of userEmails) {
          const before = await hashesComputed(realm)
          const reply = await attempt(name, WRONG)
          answers.push({ ...comparableResponse(reply, name), hashes: (await hashesComputed(realm)) - before })
        }
        return expectEqual(answers)
      }
      const attemptsOfAll = async () =>
        expectEqual(
          await Promise.all(userEmails.map(async (name) => comparableResponse(await attempt(name, WRONG), name)))
        )
      expect(await attemptsWithCost()).toMatchObject({ status: wrong, hashes: 1 })
      for (let n = 2; n <= 10; n += 1) expect(await attemptsOfAll()).toMatchObject({ status: wrong })
      expect(await attemptsWithCost()).toMatchObject({ status: later, hashes: 0, headers: { "retry-after": "900" } })
      clock.advance("14 minutes")
      clock.advance("30 seconds")
      expect(await attemptsOfAll()).toMatchObject({ status: later, headers: { "retry-after": "30" } })
      // The lockout ends after its time, and counting starts over.
      clock.advance("30 seconds")
      expect(await attemptsWithCost()).toMatchObject({ status: wrong, hashes: 1 })
      expect(await attemptsOfAll()).toMatchObject({ status: wrong })
    }))

  test("applies the same attempt limits to all users", () =>
    ownService(
      async ({ given, clock }) => {
        const realm = await given.realm()
        await realm.put(`/v2/realms/${realm.id}`, { realm: { limits: { attempts: 3, hosted: 100 } } })
        await createUsers(realm)
        const attempt = await open(realm)
        const attemptsOfAll = async () => {
          const answers = []
          for (const name of userEmails) answers.push(comparableResponse(await attempt(name, WRONG), name))
          const [first] = answers
          expect(answers).toEqual(userEmails.map(() => first))
          return first
        }
        for (let n = 1; n <= 3; n += 1) expect(await attemptsOfAll()).toMatchObject({ status: wrong })
        expect(await attemptsOfAll()).toMatchObject({ status: later, headers: { "retry-after": "60" } })
        clock.advance("1 minute")
        expect(await attemptsOfAll()).toMatchObject({ status: wrong })
      },
      { limits: "all" }
    ))

  test("counts all spellings of an unknown name together", async () => {
    const realm = await newRealm()
    const attempt = await open(realm)
    const spellings = [
      "Nobody@Example.test",
      "ｎｏｂｏｄｙ@example.test",
      " nobody@example.test ",
      "NOBODY@EXAMPLE.TEST"
    ]
    const statusAndRetryAfter = async (name: string, ask = attempt) => {
      const { status, headers } = await ask(name, WRONG)
      return [status, headers.get("retry-after")]
    }
    for (let n = 0; n < 10; n += 1) expect(await statusAndRetryAfter(spellings[n % 4] ?? "")).toEqual([wrong, null])
    for (const name of spellings) expect(await statusAndRetryAfter(name)).toEqual([later, "900"])
    expect(await statusAndRetryAfter("nobody1@example.test")).toEqual([wrong, null])
    // The same name in another realm counts separately.
    const other = await newRealm()
    expect(await statusAndRetryAfter("nobody@example.test", await open(other))).toEqual([wrong, null])
  })
})

describe("attempts with unknown names", () => {
  test("are limited to ten even when they are concurrent", async () => {
    const realm = await newRealm()
    const replies = await Promise.all(Array.from({ length: 20 }, () => authenticate(realm, NOBODY, WRONG)))
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(10).fill(422), ...Array(10).fill(429)])
  })

  test("don't lock out a user who later gets the name", async () => {
    const realm = await newRealm()
    const tryElevenTimes = async () => {
      for (let n = 0; n < 11; n += 1) await authenticate(realm, NOBODY, WRONG)
    }
    expect(await realm.seen.caused(tryElevenTimes)).toEqual([])
    expect((await authenticate(realm, NOBODY, WRONG)).status).toBe(429)
    const user = await quickUser(realm, { email: NOBODY })
    const wrong = await realm.seen.during(() => authenticate(realm, NOBODY, WRONG))
    expect([wrong.result.status, wrong.events]).toEqual([422, [event(user, "login.failed")]])
    expect((await authenticate(realm, NOBODY, PASSWORD)).status).toBe(200)
  })

  test("are not counted if the name is a user id", async () => {
    const realm = await newRealm()
    const { id } = await realm.user({ email: NOBODY })
    await realm.delete(`/v2/users/${id}`)
    for (let n = 0; n < 12; n += 1) expect((await authenticate(realm, id, WRONG)).status).toBe(404)
  })

  test("are stored only as a digest, for 30 days after the last attempt", () =>
    isolatedService(async ({ given, advance, clock, sql }) => {
      const [realm, other] = [await given.realm(), await given.realm()]
      const rows = () =>
        query(
          sql<{ made: number; digest: string }>`select made, encode(name_digest, 'hex') as digest from unknown_attempts
            order by made desc`
        )
      await authenticate(realm, NOBODY, WRONG)
      clock.advance("1 day")
      await authenticate(realm, NOBODY, WRONG)
      await authenticate(other, NOBODY, WRONG)
      const stored = await rows()
      expect(stored.map(({ made }) => made)).toEqual([2, 1])
      // The digest differs between realms and from a plain hash of the name.
      const plain = createHash("sha256").update(NOBODY).digest("hex")
      expect(new Set([plain, ...stored.map(({ digest }) => digest)]).size).toBe(3)
      await realm.delete(`/v2/realms/${realm.id}`)
      await advance("29 days")
      expect(await rows()).toEqual(stored.slice(1))
      await advance("1 day")
      expect(await rows()).toEqual([])
    }))
})
