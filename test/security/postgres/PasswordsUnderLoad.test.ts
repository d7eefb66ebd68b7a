import { expect, test } from "vitest"
import { type Api, Reply } from "#testing/Api"
import { authenticate, userEvent as event, PASSWORD } from "../../support/logins.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { ownService } from "../../support/sallyport.ts"

/** A hash that matches no password and occupies a hashing slot for most of a second. */
const slowHash = `$pbkdf2-sha512$700000$${"A".repeat(22)}$${"A".repeat(86)}`

/** The maximum number of hashes that wait for a slot. */
const QUEUE = 200

const metric = async (api: Api, name: string) =>
  Number(new RegExp(`^${name} (\\d+)`, "m").exec((await api.get("/metrics")).text)?.[1])

/** The number of waiting clients that don't disconnect. */
const STAYING = 10

/** Polls until `isSo` returns true. */
const waitUntil = async (isSo: () => Promise<boolean>): Promise<void> => {
  while (!(await isSo())) continue
}

test("SEC-05: excess logins return 503, while reads continue and no user is blocked", () =>
  ownService(
    async ({ given }) => {
      const realm = await given.realm()
      const victim = await quickUser(realm)
      const credentials = [{ credential_type: "password", password_hash: slowHash }]
      const slow = await Promise.all([realm.user({ credentials }), realm.user({ credentials })])
      // The metric is per process and includes earlier tests.
      const before = await metric(realm, "password_hashes_total")
      const slowLogins = slow.map(({ id }) => authenticate(realm, id, "wrong"))
      await waitUntil(async () => (await metric(realm, "password_hashes_in_flight")) > 0)

      // A login with a name that is neither an id nor an email is hashed like a wrong password and counted per name.
      const leaving = new AbortController()
      const json = { "content-type": "application/json" }
      const crowd = Array.from({ length: QUEUE + 40 }, async (_, n) => {
        const response = await fetch(`${realm.url}/v2/users/nobody-${n}/authenticate`, {
          method: "POST",
          headers: { authorization: `Bearer ${realm.key}`, "x-service-realm": realm.id, ...json },
          body: JSON.stringify({ user: { password: "wrong" } }),
          ...(n < STAYING ? {} : { signal: leaving.signal })
        })
        return new Reply(response.status, response.headers, await response.text())
      })
      let finished = 0
      const first = await new Promise<Reply>((resolve, reject) => {
        for (const login of crowd) {
          login.then(
            (reply) => (reply.status === 503 ? resolve(reply) : (finished += 1)),
            () => undefined
          )
        }
        Promise.all(crowd).then(() => reject(new Error("No login was shed.")), reject)
      })
      const busy = "The service is busy. Try again in a moment."
      const retry_after = Number(first.headers.get("retry-after"))
      expect(retry_after).toBeGreaterThanOrEqual(1)
      expect(first.headers.get("content-type")).toBe("application/json")
      expect(first.body).toEqual({
        errors: [busy],
        error_details: [{ field: null, code: "account_busy", message: busy, params: { retry_after } }],
        request_id: first.headers.get("x-request-id")
      })

      const guessing = Array.from({ length: 9 }, (_, n) => authenticate(realm, victim.id, `guess ${n}`))
      const creating = realm.post("/v2/users", { user: { email: "late@example.test", password: PASSWORD } })
      const reads = await Promise.all([
        realm.get(`/v2/users/${victim.id}`),
        realm.get("/healthz"),
        realm.get("/readyz")
      ])
      expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(finished).toBeLessThan(QUEUE)

      // A client that disconnects leaves the queue without being hashed.
      leaving.abort()
      const guesses = await Promise.all(guessing)
      const evaluated = guesses.filter(({ status }) => status === 422).length
      expect(guesses.filter(({ status }) => status === 503).length).toBe(guesses.length - evaluated)
      expect([201, 503]).toContain((await creating).status)

      const stayed = await Promise.all([...slowLogins, ...crowd.slice(0, STAYING)])
      expect(stayed.map(({ status }) => status)).toEqual(stayed.map(() => 422))
      await Promise.allSettled(crowd)
      await waitUntil(async () => (await metric(realm, "password_hashes_waiting")) === 0)
      expect((await metric(realm, "password_hashes_total")) - before).toBeLessThan(QUEUE / 2)

      // If a shed login had been counted, these attempts would exceed the limit.
      for (let n = evaluated; n < guesses.length; n += 1) {
        expect((await authenticate(realm, victim.id, "wrong")).status).toBe(422)
      }
      const { result, events } = await realm.seen.during(() => authenticate(realm, victim.id))
      expect([result.status, events]).toEqual([200, [{ ...event(victim, "login.succeeded"), session_id: result.id }]])
      const all = (await realm.get(`/v2/events?event_type=user.login.failed,user.blocked`)).items
      expect(all.map(({ event_type }) => event_type)).toEqual(
        Array.from({ length: slow.length + guesses.length }, () => "user.login.failed")
      )
    },
    { realHashes: true }
  ))
