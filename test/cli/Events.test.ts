import { Clock, Context, Effect } from "effect"
import { expect, test } from "vitest"
import { clockedService, service } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

/** The types and subjects in the lines of a table. */
const rowsOf = (out: string) =>
  out
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(/ {2,}/).slice(1, 3))

/** A realm on the service with a test clock, with events of two hours, and functions that run commands on it. */
const realmWithEvents = async () => {
  const at = await clockedService()
  const realm = await at.given.realm()
  const start = at.clock.currentTimeMillisUnsafe()
  const ada = await realm.user({ email: "ada@example.test" })
  await at.advance("1 hour")
  const org = await realm.org()
  await at.advance("1 hour")
  await realm.put(`/v2/users/${ada.id}`, { user: { first_name: "Ada", last_name: "King" } })
  await realm.post(`/v2/users/${ada.id}/generate_password_token`, undefined)
  const services = Context.make(Clock.Clock, {
    ...Context.get(Context.empty(), Clock.Clock),
    currentTimeMillisUnsafe: () => at.clock.currentTimeMillisUnsafe(),
    currentTimeMillis: Effect.sync(() => at.clock.currentTimeMillisUnsafe())
  })
  const environment = serviceEnvironment(at)
  const list = (...words: ReadonlyArray<string>) =>
    cli(["events", "list", "--realm", realm.id, "--type", "user.", "--type", "org.", ...words], {
      environment,
      services
    })
  return {
    realm,
    ada,
    org,
    list,
    environment,
    at: (hours: number) => new Date(start + hours * 3_600_000).toISOString()
  }
}

test("events list shows events, newest first, filtered by user, org, type and time", async () => {
  const { ada, org, list, at } = await realmWithEvents()
  const [resetting, updated, made, created] = [
    ["user.password.resetting", ada.id],
    ["user.updated", ada.id],
    ["org.created", org.id],
    ["user.created", ada.id]
  ]
  const shown = async (...words: ReadonlyArray<string>) => {
    const { code, out, err } = await list(...words)
    expect([code, err.replace(/^Warning: .*\n/, "")]).toEqual([0, ""])
    return rowsOf(out)
  }
  expect((await list()).out).toMatch(/^TIME +TYPE +ABOUT +ACTOR +ID +DETAILS\n/)
  expect((await list()).out).toMatch(/ {2}user\.updated .* {2}changed first_name, last_name, name\n/)
  expect(await shown()).toEqual([resetting, updated, made, created])
  expect(await shown("--user", "ada@example.test")).toEqual([resetting, updated, created])
  expect(await shown("--org", org.id)).toEqual([made])
  expect(await shown("--limit", "2")).toEqual([resetting, updated])
  expect(await shown("--since", "90m")).toEqual([resetting, updated, made])
  expect(await shown("--until", at(1.5), "--limit", "1")).toEqual([made])
  expect(await shown("--until", "30m")).toEqual([made, created])
  expect(await shown("--since", at(0.5), "--until", at(1.5))).toEqual([made])
})

test("events list prints the API's events with --json, without one-time tokens, and reports an empty list", async () => {
  const { realm, ada, list } = await realmWithEvents()
  const { items } = await realm.get(`/v2/events?user_id=${ada.id}&direction=desc`)
  const { out } = await list("--user", ada.id, "--json")
  expect(items[0]?.["token"]).toMatch(/./)
  expect(JSON.parse(out)).toEqual(items.map(({ token: _, ...event }) => event))
  const none = await list("--org", "org_00000000000000000000000000")
  expect([none.code, none.err.replace(/^Warning: .*\n/, "")]).toEqual([0, "No events found.\n"])
  for (const [wrong, sentence] of [
    [["--limit", "0"], "--limit 0 is not a positive number."],
    [["--since", "1h", "--until", "2h"], "--until is not after --since."],
    [["--until", "later"], "--until later is not a valid time."]
  ] as const) {
    expect(await list(...wrong)).toMatchObject({ code: 2, err: expect.stringContaining(sentence) })
  }
})

test("events tail prints each new event as a line, or as NDJSON", async () => {
  const at = await service()
  const realm = await at.given.realm()
  const ada = await realm.user()
  const tailed = async (...words: ReadonlyArray<string>) => {
    const stop = new AbortController()
    let waits = 0
    const now = Date.now()
    const clock = {
      ...Context.get(Context.empty(), Clock.Clock),
      currentTimeMillisUnsafe: () => now,
      currentTimeMillis: Effect.succeed(now),
      sleep: () =>
        Effect.suspend(() => {
          if (waits++ > 0) stop.abort()
          return stop.signal.aborted
            ? Effect.never
            : Effect.promise(async () => {
                await realm.org()
                await realm.post(`/v2/users/${ada.id}/generate_password_token`, undefined)
              })
        })
    }
    const ended = await cli(["events", "tail", "--realm", realm.id, "--user", ada.id, ...words], {
      environment: serviceEnvironment(at),
      services: Context.make(Clock.Clock, clock),
      signal: stop.signal
    })
    expect(ended.code).toBe(130)
    return ended.out
  }
  expect(await tailed()).toMatch(
    new RegExp(`^[-\\d]{10} [:\\d]{8} {2}user\\.password\\.resetting {3}${ada.id} {2}key_\\w+ +ev_\\w+\\n$`)
  )
  const [line = "", ...others] = (await tailed("--json")).trim().split("\n")
  expect(others).toEqual([])
  expect(JSON.parse(line)).toMatchObject({ event_type: "user.password.resetting", user_id: ada.id })
  expect(line).not.toContain('token":')
})
