import { Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { freePort } from "../../guides/Walkthrough.ts"
import { freshDatabase } from "../../support/databases.ts"
import { newOAuthRealm, PUBLIC_URL, type Tokens, tokensIn } from "../OAuthRealm.ts"
import { type Running, start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

/** How many of each kind are under way when the process is killed, and how many times. */
const MANY = 24
const KILLS = 4

let environment: Readonly<Record<string, string>> = {}
let node: Running
/** The same after each start. */
let url = ""

beforeAll(async () => {
  const [target, port] = [await freshDatabase(), await freePort()]
  url = `http://127.0.0.1:${port}`
  environment = {
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

/** What came of a request whose process may have been killed. */
const answered = async (asking: Promise<Reply>): Promise<Reply | undefined> => {
  try {
    return await asking
  } catch {
    return undefined
  }
}

const many = <A>(make: (n: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: MANY }, (_, n) => make(n)))

test("SEC-182, RG-01: killed in the middle of redemptions, rotations and revocations, a process has lost no token that it handed out, and none that it revoked is good", async () => {
  const realm = await newOAuthRealm(url, KEY)
  const outcomes = { answered: 0, cut: 0 }
  for (let kill = 0; kill < KILLS; kill += 1) {
    const codes: Array<string> = []
    for (let n = 0; n < 3 * MANY; n += 1) codes.push(await realm.code())
    const handedOut: Array<Tokens> = []
    for (const code of codes.slice(MANY)) handedOut.push(tokensIn(await realm.redeem(url, code)))
    const [rotating, revoking] = [handedOut.slice(0, MANY), handedOut.slice(MANY)]

    // The process ends after some answers: another number each time.
    let [left, killed] = [4 + 13 * kill, Promise.resolve<unknown>(undefined)]
    const counting = async (asking: Promise<Reply>) => {
      const reply = await answered(asking)
      outcomes[reply === undefined ? "cut" : "answered"] += 1
      left -= 1
      if (left === 0) killed = node.stop("SIGKILL")
      return reply
    }
    const [redeemed, rotated, revoked] = await Promise.all([
      many((n) => counting(realm.redeem(url, codes[n] ?? ""))),
      many((n) => counting(realm.refresh(url, rotating[n]?.refresh ?? ""))),
      many((n) => counting(realm.revoke(url, revoking[n]?.refresh ?? "")))
    ])
    await killed
    node = await start(environment)

    for (const [n, reply] of redeemed.entries()) {
      if (reply !== undefined) {
        const tokens = tokensIn(reply)
        expect((await realm.userinfo(url, tokens.access)).status).toBe(200)
        expect((await realm.refresh(url, tokens.refresh)).status).toBe(200)
        continue
      }
      // The code was not redeemed, or its tokens have died with the answer. Never is there a second success.
      const statuses = [await realm.redeem(url, codes[n] ?? ""), await realm.redeem(url, codes[n] ?? "")]
      expect([200, 400]).toContain(statuses[0]?.status)
      expect(statuses[1]?.status).toBe(400)
    }
    for (const [n, reply] of rotated.entries()) {
      // Who got no answer asks again, and is logged in still.
      const after = reply ?? (await realm.refresh(url, rotating[n]?.refresh ?? ""))
      expect(after.status).toBe(200)
      expect((await realm.refresh(url, tokensIn(after).refresh)).status).toBe(200)
    }
    for (const [n, reply] of revoked.entries()) {
      const { access = "", refresh = "" } = revoking[n] ?? {}
      if (reply === undefined) continue
      expect(reply.status).toBe(200)
      expect((await realm.refresh(url, refresh)).status).toBe(400)
      expect((await realm.userinfo(url, access)).status).toBe(401)
    }
  }
  expect(outcomes.answered).toBeGreaterThan(0)
  expect(outcomes.cut).toBeGreaterThan(0)
}, 120_000)
