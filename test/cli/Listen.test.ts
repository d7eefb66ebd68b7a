import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Clock, Context, Duration, Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { afterAll, describe, expect, test, vi } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { query } from "../support/query.ts"
import { service, workerSql } from "../support/sallyport.ts"
import { cli, serviceEnvironment } from "./Cli.ts"

const folder = mkdtempSync(join(tmpdir(), "sallyport-listen-"))
afterAll(() => rmSync(folder, { recursive: true }))

const RECEIVER = "http://localhost:4000/hooks"

/** A request that the receiver got. */
interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The responses of the receiver: statuses, or a failed connection. The last one repeats. */
type Answer = number | "refused"

/** What the network does with a request to the service. Undefined: it reaches the service. */
type Network = (url: string) => Response | "refused" | undefined

interface Run {
  readonly key?: string
  readonly answers?: ReadonlyArray<Answer>
  readonly network?: Network
  /** Runs while the command waits, in turn. The command is stopped after the last. */
  readonly meanwhile?: ReadonlyArray<() => unknown>
}

const refusedConnection = () =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) })

/** The time limits of requests, in milliseconds: sleeping for them isn't waiting. */
const TIME_LIMITS: ReadonlySet<number> = new Set([5_000, 15_000])

let home = 0

/** Runs `listen` in a realm, with a clock that doesn't wait. */
const listened = async (
  realm: GivenRealm,
  words: ReadonlyArray<string>,
  { key, answers = [204], network, meanwhile = [] }: Run = {}
) => {
  const at = await service()
  const posts: Array<Post> = []
  const left = [...answers]
  const steps = [...meanwhile]
  const waits: Array<number> = []
  let millis = Date.now()
  const stop = new AbortController()
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = String(input)
    if (url !== RECEIVER) {
      const answer = network?.(url)
      if (answer === "refused") throw refusedConnection()
      return answer ?? globalThis.fetch(input, init)
    }
    posts.push({ headers: { ...Object(init?.headers) }, body: String(init?.body) })
    const answer = (left.length > 1 ? left.shift() : left[0]) ?? 204
    if (answer === "refused") throw refusedConnection()
    return new Response(null, { status: answer })
  }
  const clock: Clock.Clock = {
    ...Context.get(Context.empty(), Clock.Clock),
    currentTimeMillisUnsafe: () => millis,
    currentTimeMillis: Effect.sync(() => millis),
    sleep: (duration) =>
      Effect.suspend(() => {
        const length = Duration.toMillis(duration)
        if (TIME_LIMITS.has(length)) return Effect.never
        waits.push(length)
        millis += length
        const step = steps.shift()
        if (step !== undefined) return Effect.promise(async () => void (await step()))
        stop.abort()
        return Effect.never
      })
  }
  const environment = {
    ...serviceEnvironment({ url: at.url, key: key ?? at.key }),
    XDG_CONFIG_HOME: join(folder, `${++home}`)
  }
  const to = words.includes("--forward-to") ? [] : ["--forward-to", RECEIVER]
  const ended = await cli(["listen", ...to, "--realm", realm.id, ...words], {
    environment,
    fetch,
    signal: stop.signal,
    services: Context.make(Clock.Clock, clock)
  })
  const err = ended.err.replace(/^Warning: this machine.s clock is .*\n/m, "")
  return { ...ended, err, posts, waits }
}

const idsOf = (posts: ReadonlyArray<Post>) => posts.map(({ body }): string => JSON.parse(body).user_id)

const newRealm = async () => (await service()).given.realm()

const CREATED = ["--events", "user.created"]

/** The last lines on stderr when the command is stopped. */
const stopped = (counts: string) => expect.stringMatching(new RegExp(`\\nStopped\\. ${counts.replaceAll(".", "\\.")}`))

describe("sallyport listen", () => {
  test("posts new events as a webhook would, signed with the displayed secret", async () => {
    const realm = await newRealm()
    await realm.user()
    const users: Array<string> = []
    const { code, out, err, posts } = await listened(realm, CREATED, {
      meanwhile: [async () => users.push((await realm.user()).id), async () => users.push((await realm.user()).id)]
    })
    expect([code, idsOf(posts)]).toEqual([130, users])
    const secret = /The signing secret is (whsec_\S+)\n/.exec(out)?.[1] ?? ""
    const { items } = await realm.get("/v2/events?event_type=user.created&direction=asc")
    for (const [n, { headers, body }] of posts.entries()) {
      expect(JSON.parse(body)).toEqual(items[n + 1])
      expect(Object.keys(headers).sort()).toEqual([
        "content-type",
        "user-agent",
        "webhook-id",
        "webhook-signature",
        "webhook-timestamp"
      ])
      expect(headers["webhook-id"]).toBe(String(items[n + 1]?.id).replace("ev_", "ent_"))
      vi.useFakeTimers({ toFake: ["Date"], now: Number(headers["webhook-timestamp"]) * 1_000 })
      expect(new Webhook(secret).verify(body, headers)).toEqual(items[n + 1])
      vi.useRealTimers()
    }
    expect(out.split("\n")[2]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}user\.created {2}ev_\w+ {2}204 {2}\d+ ms$/)
    expect(err).toEqual(stopped(`2 events were forwarded. To continue here, use --after ${items[2]?.id}.`))
  })

  test("starts after an event or at a time, and prints an object per attempt with --json", async () => {
    const realm = await newRealm()
    const users = [await realm.user(), await realm.user()]
    const { items } = await realm.get("/v2/events?event_type=user.created&direction=asc")
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`
    const later = await listened(realm, [...CREATED, "--after", String(items[0]?.id), "--json", "--secret", secret])
    expect(idsOf(later.posts)).toEqual([users[1]?.id])
    expect(
      later.out
        .trim()
        .split("\n")
        .map((line): unknown => JSON.parse(line))
    ).toEqual([
      { object: "listener", forward_to: RECEIVER, secret },
      {
        object: "attempt",
        event_id: items[1]?.id,
        event_type: "user.created",
        event_at: items[1]?.["event_at"],
        webhook_id: later.posts[0]?.headers["webhook-id"],
        status: 204,
        error: null,
        ms: expect.any(Number),
        forwarded: true,
        retry_in: null
      }
    ])
    const all = await listened(realm, ["--events", "user.created, org.", "--since", "2020-01-01"])
    expect(idsOf(all.posts)).toEqual(users.map(({ id }) => id))
  })

  test("retries with the same webhook-id, and reports the end of the retries", async () => {
    const realm = await newRealm()
    await realm.user()
    const since = [...CREATED, "--since", "2020-01-01"]
    const wait = () => undefined
    const late = await listened(realm, since, { answers: [500, "refused", 204], meanwhile: [wait, wait] })
    expect(late.posts).toHaveLength(3)
    expect(new Set(late.posts.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    expect(late.out).toMatch(
      / {2}500 {2}\d+ ms {2}next attempt in 1 s\n.* {2}the connection was refused {2}.*\n.* {2}204 /
    )
    const never = await listened(realm, since, { answers: [500], meanwhile: [wait, wait, wait, wait] })
    expect([never.posts.length, never.waits.slice(0, 4)]).toEqual([5, [1_000, 2_000, 4_000, 8_000]])
    expect(never.out).toMatch(/ {2}500 {2}\d+ ms {2}not forwarded\n$/)
    expect(never.err).toEqual(stopped("0 events were forwarded, 1 not."))
    expect((await listened(realm, since, { answers: [410] })).posts).toHaveLength(1)
  })

  test("forwards an event that was committed after a later event", async () => {
    const realm = await newRealm()
    const users = [await realm.user(), await realm.user()]
    const { items } = await realm.get("/v2/events?event_type=user.created&direction=asc")
    const sql = await workerSql()
    const [row] = await query(
      sql<{ readonly event: object }>`with gone as (delete from events where id = ${String(items[0]?.id)} returning *)
        select to_json(gone) as event from gone`
    )
    const commit = () =>
      query(
        sql`insert into events select * from json_populate_record(null::events, ${JSON.stringify(row?.event)}::json)`
      )
    const { posts } = await listened(realm, [...CREATED, "--since", "2020-01-01"], {
      meanwhile: [commit, ...Array.from({ length: 8 }, () => () => undefined)]
    })
    expect(idsOf(posts)).toEqual([users[1]?.id, users[0]?.id])
  })

  test("waits while the service is away, and continues without losing or repeating an event", async () => {
    const realm = await newRealm()
    await realm.user()
    let away = 0
    const { posts, err, waits } = await listened(realm, [...CREATED, "--since", "2020-01-01"], {
      network: (url) => {
        if (!url.includes("/v2/events") || away === 0) return undefined
        away -= 1
        return away % 2 === 0 ? "refused" : new Response("<html>", { status: 502 })
      },
      meanwhile: [
        async () => {
          away = 3
          await realm.user()
        },
        ...Array.from({ length: 8 }, () => () => undefined)
      ]
    })
    expect(posts).toHaveLength(2)
    expect(err.match(/can't be reached: the connection was refused\. Waiting…\n/g)).toHaveLength(1)
    expect(err).toContain(" is back.\n")
    expect(waits.slice(1, 4)).toEqual([500, 1_000, 2_000])
  })

  test("ends when the key is deleted or the realm is deleted", async () => {
    const { given } = await service()
    const realm = await given.realm()
    const key = await given.root.post("/v2/api_keys", { api_key: { name: "Key", level: "read", realm_id: realm.id } })
    const revoked = await listened(realm, [], {
      key: key.string("key"),
      meanwhile: [() => given.root.delete(`/v2/api_keys/${key.id}`)]
    })
    expect([revoked.code, revoked.err]).toEqual([
      1,
      expect.stringContaining("Error: The service no longer accepts the API key: the key was deleted")
    ])
    const gone = await listened(realm, [], { meanwhile: [() => given.root.delete(`/v2/realms/${realm.id}`)] })
    expect(gone.code).toBe(1)
    expect(gone.err).toContain(`Error: The realm ${realm.id} was deleted.\n0 events were forwarded.\n`)
  })

  test("reports that a key of level read receives no tokens", async () => {
    const realm = await newRealm()
    const { key = "" } = await realm.as("read")
    const user = await realm.user()
    const { posts, err } = await listened(realm, ["--events", "user.password.resetting"], {
      key,
      meanwhile: [() => realm.post(`/v2/users/${user.id}/generate_password_token`, undefined)]
    })
    expect(JSON.parse(posts[0]?.body ?? "")).toMatchObject({ token: null })
    expect(err).toContain(
      "The next event has no token: it was used or has expired, or the API key is below level write.\n"
    )
  })

  test.each([
    [["--forward-to", "ftp://localhost/"], 2, "--forward-to ftp://localhost/ is not a valid URL."],
    [["--forward-to", "http://ada:secret@localhost/"], 2, "is not a valid URL."],
    [["--forward-to", "http://"], 2, "is not a valid URL."],
    [["--secret", "whsec_short"], 2, "The value of --secret is not a webhook secret."],
    [["--since", "yesterday"], 2, "--since yesterday is not a valid time."],
    [["--since", "1h", "--after", "ev_1"], 2, "--after and --since can't be combined."],
    [["--events", "user.crated"], 1, "user.created"],
    [["--after", "unknown"], 1, "could not be found"]
  ] as const)("rejects %j", async (words, code, sentence) => {
    const refused = await listened(await newRealm(), words)
    expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(sentence)])
    expect(refused.posts).toEqual([])
  })

  test("fails at the start when the service can't be reached or the realm belongs to another key", async () => {
    const { given } = await service()
    const [realm, other] = [await given.realm(), await given.realm()]
    const away = await listened(realm, [], { network: () => "refused" })
    expect([away.code, away.err]).toEqual([1, expect.stringContaining("can't be reached: the connection was refused.")])
    const { key = "" } = await other.as("read")
    const foreign = await listened(realm, [], { key })
    expect([foreign.code, foreign.posts]).toEqual([1, []])
  })
})
