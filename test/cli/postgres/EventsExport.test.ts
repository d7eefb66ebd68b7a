import { Clock, Context, Effect, Latch } from "effect"
import { expect, test } from "vitest"
import { query } from "../../support/query.ts"
import { service, workerSql } from "../../support/sallyport.ts"
import { cli, serviceEnvironment } from "../Cli.ts"

interface Line {
  readonly id: string
  readonly event_type: string
  readonly user_id: string
}

/** A clock fixed at a time in Unix seconds. */
const clockFixedAt = (seconds: number, sleep: Effect.Effect<void> = Effect.never) => {
  const clock = Context.get(Context.empty(), Clock.Clock)
  return Context.make(Clock.Clock, {
    ...clock,
    currentTimeMillisUnsafe: () => seconds * 1_000,
    currentTimeMillis: Effect.succeed(seconds * 1_000),
    sleep: () => sleep
  })
}

/** The message when all events are too new to be exported. */
const NOTHING_YET =
  "Nothing was written: events are written once they are 300 seconds old, so that no event still being recorded is missed. Use --settle 0 to write newer events as well.\n"

/** A realm in which three users were created, their events, and the output of the command at a given time. */
const realmWithEvents = async () => {
  const { url, given } = await service()
  const realm = await given.realm()
  const { key = "" } = await realm.as("write")
  const users = [await realm.user(), await realm.user(), await realm.user()]
  const { items } = await realm.get("/v2/events?event_type=user.created&direction=asc")
  expect(items.map(({ user_id }) => user_id)).toEqual(users.map(({ id }) => id))
  const ids = items.map(({ id }) => String(id))
  const at = Number(items.at(-1)?.["event_at"])
  const environment = serviceEnvironment({ url, key })
  const written = async (now: number, ...words: ReadonlyArray<string>) => {
    const ended = await cli(["events", "export", "--type", "user.created", ...words], {
      environment,
      services: clockFixedAt(now)
    })
    // Drops the clock warning, since the clocks of tests do differ.
    const output = ended.err.replace(/^Warning: this machine.s clock is .*\n/, "").replace(NOTHING_YET, "")
    expect([ended.code, output]).toEqual([0, ""])
    return ended.out.split("\n").flatMap((line): ReadonlyArray<Line> => (line === "" ? [] : [JSON.parse(line)]))
  }
  return { realm, ids, at, environment, written }
}

const idsIn = (lines: ReadonlyArray<Line>) => lines.map(({ id }) => id)

test("C234, SEC-226: exports events in order even if an earlier event is committed late", async () => {
  const { ids, at, written } = await realmWithEvents()
  const [first = "", second = "", third = ""] = ids
  const sql = await workerSql()
  // Makes the event look as if its transaction were still open.
  const [row] = await query(sql<{
    readonly event: object
  }>`with gone as (delete from events where id = ${second} returning *)
    select to_json(gone) as event from gone`)
  const inserted = Latch.makeUnsafe()
  const commits = Latch.makeUnsafe()
  const recorded = Effect.runPromise(
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`insert into events select * from json_populate_record(null::events, ${JSON.stringify(row?.event)}::json)`
        yield* inserted.open
        yield* commits.await
      })
    )
  )
  await Effect.runPromise(inserted.await)
  expect(idsIn(await written(at + 10, "--settle", "0"))).toEqual([first, third])
  expect(await written(at + 10)).toEqual([])
  await Effect.runPromise(commits.open)
  await recorded
  expect(await written(at + 299)).toEqual([])
  const all = await written(at + 301)
  expect(idsIn(all)).toEqual([first, second, third])
  expect(idsIn(await written(at + 301, "--after", second))).toEqual([third])
  expect(await written(at + 301, "--after", third)).toEqual([])
})

test.each([
  [10, ["--since", "1m"], "", NOTHING_YET],
  [10, ["--since", "1m", "--json"], "", ""],
  [301, ["--after", "last"], "", ""],
  [10, ["--since", "1m", "--settle", "0"], "written", ""],
  [301, ["--since", "1h"], "written", ""]
] as const)("explains why no events are written when all events are too new (%i seconds old, %j)", async (age, words, out, err) => {
  const { at, ids, environment } = await realmWithEvents()
  const options = words.map((word) => (word === "last" ? (ids.at(-1) ?? "") : word))
  const ended = await cli(["events", "export", "--type", "user.created", ...options], {
    environment,
    services: clockFixedAt(at + age)
  })
  const output = ended.err.replace(/^Warning: this machine.s clock is .*\n/, "")
  expect([ended.code, ended.out === "" ? "" : "written", output]).toEqual([0, out, err])
})

test("writes each event as a line of the API's JSON, without the event's tokens", async () => {
  const { realm, at, environment } = await realmWithEvents()
  const invitation = await realm.invitation()
  await realm.post(`/v2/invitations/${invitation.id}/invite`, {})
  const { out } = await cli(["events", "export", "--realm", realm.id], {
    environment,
    services: clockFixedAt(at + 1_000)
  })
  const root = serviceEnvironment(await service())
  const ofAccount = await cli(["events", "export", "--realm", "null", "--type", "api_key.", "--settle", "0"], {
    environment: root
  })
  expect(ofAccount.out).toMatch(/^\{"id":"ev_\w+","object":"event","event_type":"api_key\.created",.*"realm_id":null,/)
  const { items } = await realm.get("/v2/events?direction=asc&max_results=1000")
  expect(items.some(({ token }) => typeof token === "string")).toBe(true)
  expect(out).toBe(items.map(({ token: _, ...event }) => `${JSON.stringify(event)}\n`).join(""))
})

test("follows new events with --follow until stopped, and rejects invalid options", async () => {
  const { realm, at, ids, environment } = await realmWithEvents()
  const stop = new AbortController()
  const came: Array<string> = []
  /** Creates another user during the command's first wait, and stops the command during the second. */
  const waiting = Effect.suspend(() => {
    if (came.length > 0) stop.abort()
    return came.length > 0 ? Effect.never : Effect.promise(async () => void came.push((await realm.user()).id))
  })
  const words = ["events", "export", "--follow", "--type", "user.created"]
  const options = { environment, services: clockFixedAt(at + 1_000, waiting), signal: stop.signal }
  const ended = await cli(words, options)
  const lines = ended.out
    .trim()
    .split("\n")
    .map((line): Line => JSON.parse(line))
  expect([ended.code, idsIn(lines).slice(0, 3)]).toEqual([130, ids])
  expect(lines.slice(3).map(({ user_id }) => user_id)).toEqual(came)

  for (const [wrong, sentence] of [
    [["--after", ids[0] ?? "", "--since", "2h"], "--after and --since can't be combined."],
    [["--since", "yesterday"], "--since yesterday is not a valid time."],
    [["--settle=-1"], "--settle -1 is not a number of seconds."]
  ] as const) {
    const refused = await cli(["events", "export", ...wrong], { environment })
    expect(refused).toMatchObject({ code: 2, out: "" })
    expect(refused.err).toContain(sentence)
  }
})
