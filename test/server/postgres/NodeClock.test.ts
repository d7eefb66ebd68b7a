import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { freshDatabase } from "../../support/databases.ts"
import { start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"
const HOUR = 3_600_000

const WRONG = "This server's clock is wrong, so it can't process requests. Try again in a moment."

const shim = new URL("../MovedClock.ts", import.meta.url).href

/** A node whose clock the test can move and one with the right time, on one database. */
const nodes = async () => {
  const target = await freshDatabase()
  const file = join(mkdtempSync(join(tmpdir(), "sallyport-")), "clock")
  const environment = {
    DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "",
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters"
  }
  const right = await start(environment)
  onTestFinished(() => void right.process.kill("SIGKILL"))
  const move = (millis: number) => writeFileSync(file, String(millis))
  const startMoved = async (millis: number) => {
    move(millis)
    const moved = await start({ ...environment, NODE_OPTIONS: `--import=${shim}`, MOVED_CLOCK: file })
    onTestFinished(() => void moved.process.kill("SIGKILL"))
    return moved
  }
  return { right, move, startMoved }
}

/** Everything in a realm that depends on the time, as shown by a node. */
const everything = async (realm: GivenRealm) => {
  const session = await realm.session((await realm.user()).id)
  const org = await realm.org()
  const inTwoDays = Math.floor((Date.now() + 47 * HOUR) / 1_000)
  const member = await realm.post("/v2/memberships", {
    membership: { user_id: (await realm.user()).id, org_id: org.id, expires_at: inTwoDays }
  })
  const invitation = await realm.post("/v2/invitations", {
    invitation: { invitation_type: "org", org_id: org.id, email: "guest@example.test", expires_at: inTwoDays }
  })
  expect([member.status, invitation.status]).toEqual([201, 201])
  const once = () =>
    realm.post("/v2/orgs", { org: { name: "Once" } }, { "idempotency-key": "the-only-one-of-this-test" })
  const made = await once()
  const look = async () => ({
    session: (await realm.get(`/v2/sessions/${session.id}`)).status,
    membership: (await realm.get(`/v2/memberships/${member.id}`)).status,
    invitation: (await realm.get(`/v2/invitations/${invitation.id}`)).status,
    replayed: (await once()).id === made.id,
    events: (await realm.get("/v2/events?max_results=1000")).items.length
  })
  return { look, session: session.id }
}

const readinessOf = async (url: string) => {
  const { status, body } = await new Api(url, KEY).get("/readyz")
  return [status, body] as const
}

/** Repeats a request until its result is right, for at most the given number of milliseconds. */
const until = async <A>(ask: () => Promise<A> | A, right: A, within: number) => {
  const from = performance.now()
  for (;;) {
    const found = await ask()
    if (found === right) return
    if (performance.now() - from > within) expect(found).toBe(right)
    await setTimeout(10)
  }
}

test("RG-10, C224: a node whose clock is two days ahead serves no requests and expires no data", async () => {
  const { right, move, startMoved } = await nodes()
  const { id } = await new Api(right.url, KEY).post("/v2/realms", { realm: { name: "Clocks", jwt_algo: "hs256" } })
  const realm = new GivenRealm(right.url, KEY, id)
  const { look, session } = await everything(realm)
  const before = await look()
  expect(before).toMatchObject({ session: 200, membership: 200, invitation: 200, replayed: true })

  const moved = await startMoved(48 * HOUR)
  const there = new GivenRealm(moved.url, KEY, id)
  // None of the node's background jobs has started.
  const unready = { status: "not ready", database: "ok", clock: "wrong", clock_skew_seconds: 172_800, actors: {} }
  expect(await readinessOf(moved.url)).toEqual([503, expect.objectContaining(unready)])
  for (const refused of [
    await there.get(`/v2/sessions/${session}`),
    await there.post("/v2/orgs", { org: { name: "Later" } })
  ]) {
    expect([refused.status, refused.headers.get("retry-after"), refused.errors]).toEqual([503, "1", [WRONG]])
  }
  expect((await new Api(moved.url, KEY).get("/metrics")).text).toMatch(/^clock_skew_seconds(?:\{.*\})? 172(799|800)/m)
  expect(await look()).toEqual(before)
  expect(moved.output().match(/differ by more than 30 seconds/g)).toHaveLength(1)

  const asked = async () => (await there.get(`/v2/sessions/${session}`)).status
  const jobs = async () => Object.keys((await new Api(moved.url, KEY).get("/readyz")).member("actors") ?? {}).length
  move(0)
  await until(asked, 200, 5_000)
  await until(async () => (await jobs()) > 0, true, 5_000)
  expect((await readinessOf(moved.url))[0]).toBe(200)

  // A running node detects a jump immediately by its monotonic clock, before it compares clocks again.
  for (const jump of [HOUR, 0, -HOUR, 0, 48 * HOUR, 0]) {
    move(jump)
    await until(asked, jump === 0 ? 200 : 503, 1_000)
  }
  // A skew of ten seconds is reported but tolerated.
  move(10_000)
  const says = (sentence: string) => () => moved.output().includes(sentence)
  await until(says("differ by more than 5 seconds"), true, 5_000)
  expect((await readinessOf(moved.url))[0]).toBe(200)
  move(0)
  await until(says("This node's clock agrees with the database's again."), true, 5_000)
  expect(await look()).toEqual(before)
}, 120_000)
