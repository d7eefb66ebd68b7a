import { Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { freePort } from "../../guides/Walkthrough.ts"
import { freshDatabase } from "../../support/databases.ts"
import { newOAuthRealm, PUBLIC_URL, type Tokens, tokensIn } from "../OAuthRealm.ts"
import { manyConnections, type Running, start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

/** The number of requests of each kind in flight at a kill, and the number of kills. */
const MANY = 24
const KILLS = 4

let environment: Readonly<Record<string, string>> = {}
let node: Running
/** Stays the same across restarts. */
let url = ""

beforeAll(async () => {
  const [target, port] = [await freshDatabase(), await freePort()]
  url = `http://127.0.0.1:${port}`
  environment = {
    ...manyConnections,
    DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "",
    HOST: "127.0.0.1",
    PORT: String(port),
    SALLYPORT_PUBLIC_URL: PUBLIC_URL,
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
  }
  node = await start(environment)
}, 240_000)

afterAll(() => node.stop("SIGKILL"))

/** The response, or undefined if the process was killed before responding. */
const answered = async (asking: Promise<Reply>): Promise<Reply | undefined> => {
  try {
    return await asking
  } catch {
    return undefined
  }
}

/** Runs something this many times concurrently. */
const many = <A>(times: number, make: (n: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: times }, (_, n) => make(n)))

/** The tokens of a refresh that must have succeeded. */
const gotBy = (reply: Reply): Tokens => {
  expect(reply.status).toBe(200)
  return tokensIn(reply)
}

test("SEC-182, RG-01: after kills under load, every issued token works and every revoked token is rejected", async () => {
  const realm = await newOAuthRealm(url, KEY)
  // The first request has to log in. The others get their codes in parallel.
  await realm.code()
  const outcomes = { answered: 0, cut: 0 }
  /**
   * The tokens that are valid after the kills so far. The next round rotates and revokes them, and replaces lost tokens
   * with new ones.
   */
  let good: ReadonlyArray<Tokens> = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    const more = await many(2 * MANY - good.length, async () => tokensIn(await realm.redeem(url, await realm.code())))
    const handedOut = [...good, ...more]
    const [rotating, revoking] = [handedOut.slice(0, MANY), handedOut.slice(MANY)]
    const codes = await many(MANY, realm.code)

    // The process is killed after a different number of responses each time.
    let [left, killed] = [4 + 13 * kill, Promise.resolve<unknown>(undefined)]
    const counting = async (asking: Promise<Reply>) => {
      const reply = await answered(asking)
      outcomes[reply === undefined ? "cut" : "answered"] += 1
      left -= 1
      if (left === 0) killed = node.stop("SIGKILL")
      return reply
    }
    const [redeemed, rotated, revoked] = await Promise.all([
      many(MANY, (n) => counting(realm.redeem(url, codes[n] ?? ""))),
      many(MANY, (n) => counting(realm.refresh(url, rotating[n]?.refresh ?? ""))),
      many(MANY, (n) => counting(realm.revoke(url, revoking[n]?.refresh ?? "")))
    ])
    await killed
    node = await start(environment)

    const found = await Promise.all([
      ...redeemed.map(async (reply, n) => {
        if (reply !== undefined) {
          const tokens = tokensIn(reply)
          expect((await realm.userinfo(url, tokens.access)).status).toBe(200)
          return gotBy(await realm.refresh(url, tokens.refresh))
        }
        // Either the code wasn't redeemed or its tokens were lost with the response. It never succeeds twice.
        const statuses = [await realm.redeem(url, codes[n] ?? ""), await realm.redeem(url, codes[n] ?? "")]
        expect([200, 400]).toContain(statuses[0]?.status)
        expect(statuses[1]?.status).toBe(400)
        return undefined
      }),
      ...rotated.map(async (reply, n) => {
        // A client without a response repeats its request and is still logged in.
        const after = gotBy(reply ?? (await realm.refresh(url, rotating[n]?.refresh ?? "")))
        return gotBy(await realm.refresh(url, after.refresh))
      }),
      ...revoked.map(async (reply, n) => {
        const { access = "", refresh = "" } = revoking[n] ?? {}
        const after = await realm.refresh(url, refresh)
        if (reply === undefined) {
          expect([200, 400]).toContain(after.status)
          return after.status === 200 ? tokensIn(after) : undefined
        }
        expect(reply.status).toBe(200)
        expect(after.status).toBe(400)
        expect((await realm.userinfo(url, access)).status).toBe(401)
        return undefined
      })
    ])
    good = found.filter((tokens) => tokens !== undefined).slice(0, 2 * MANY)
  }
  expect(outcomes.answered).toBeGreaterThan(0)
  expect(outcomes.cut).toBeGreaterThan(0)
}, 120_000)
