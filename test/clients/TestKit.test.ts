import { readFileSync } from "node:fs"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { type Started, start } from "#testing/promise"
import { startOf } from "#testing/StartTime"
import { STARTS_AT, type TestOptions } from "#testing/TestSallyport"
import { freshDatabase, withPlainUrl } from "../support/databases.ts"
import { realmOf } from "../support/kit.ts"
import { clockedService } from "../support/sallyport.ts"

let kit: Started
const began = { after: 0, before: 0 }

beforeAll(async () => {
  const target = await freshDatabase()
  const database = target._tag === "Postgres" ? { ...target, url: Redacted.value(target.url) } : target
  began.after = Date.now()
  kit = await start({ database })
  began.before = Date.now()
})

afterAll(() => kit.stop())

/** Calls a function like an untyped caller, who may pass anything. */
const untyped = (called: (...args: ReadonlyArray<never>) => Promise<unknown>, argument: unknown): Promise<unknown> =>
  Reflect.apply(called, undefined, [argument])

test("stops its clock at the current time, so that tokens are valid for any verifier", async () => {
  const startedAt = kit.now()
  expect(startedAt).toBeGreaterThanOrEqual(began.after)
  expect(startedAt).toBeLessThanOrEqual(began.before)
  const { realm } = await realmOf(kit, "Still")
  expect([kit.now(), realm.member("created_at")]).toEqual([startedAt, startedAt / 1000])
  await kit.advance("1 day")
  expect(kit.now()).toBe(startedAt + 86_400_000)
})

test("leaves no rows, events or emails behind after the warm-up", async () => {
  const { transport, key, sql, postbox, rehearse } = await clockedService()
  const api = new Api(transport, key)
  const seen = async () => [
    (await api.get("/v2/realms?max_results=1000")).text,
    (await api.get("/v2/api_keys?max_results=1000")).text,
    await Effect.runPromise(sql`select count(*)::int as n from events`),
    await Effect.runPromise(sql`select count(*)::int as n from deliveries`),
    postbox.mails.length
  ]
  const before = await seen()
  const statuses: Array<number> = []
  await Effect.runPromise(
    rehearse(async (inside, ownKey) => {
      const realm = await new Api(inside, ownKey).post("/v2/realms", { realm: { name: "Rehearsal" } })
      const user = { email: "jo@rehearsal.example.test", credentials: [], email_verification: "requested" }
      const made = await new Api(inside, ownKey, realm.id).post("/v2/users", { user })
      statuses.push(realm.status, made.status)
    })
  )
  expect(statuses).toEqual([201, 201])
  expect(await seen()).toEqual(before)
})

test("starts the clock at startsAt and is reachable at publicUrl", async () => {
  const publicUrl = "https://id.example.test"
  const fixed = await start({ database: withPlainUrl(await freshDatabase()), startsAt: new Date(STARTS_AT), publicUrl })
  expect((await fixed.fetch(`${publicUrl}/healthz`)).status).toBe(200)
  const { api } = await realmOf(fixed, "Fixed")
  await fixed.advance("1 day")
  const org = await api.post("/v2/orgs", { org: { name: "Org" } })
  expect([fixed.now(), org.member("created_at")]).toEqual([STARTS_AT + 86_400_000, STARTS_AT / 1000 + 86_400])
  await fixed.stop()
})

test("lists the link in an email, and the link works at the service", async () => {
  const { realm, api } = await realmOf(kit, "Linked")
  const email = "jo@linked.example.test"
  expect(
    (await api.post("/v2/users", { user: { email, credentials: [], email_verification: "requested" } })).status
  ).toBe(201)
  expect(kit.inbox(email)).toEqual([])
  await kit.advance(0)
  const [mail, ...others] = kit.inbox(email)
  expect([mail?.to, mail?.links, mail?.codes, others]).toEqual([
    email,
    [expect.stringMatching(new RegExp(`^${kit.url}/realms/${realm.id}/verify\\?token=`))],
    [],
    []
  ])
  const page = await fetch(mail?.links[0] ?? "")
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  expect(kit.inbox()).toContainEqual(mail)
  expect(kit.inbox("Jo@Linked.Example.Test")).toEqual([mail])
  expect(mail?.at).toBe(kit.now())
})

test("lists the newest email first, like the API", async () => {
  const { api } = await realmOf(kit, "Ordered")
  const emails = ["first@ordered.example.test", "second@ordered.example.test"]
  for (const email of emails) {
    await api.post("/v2/users", { user: { email, credentials: [], email_verification: "requested" } })
    await kit.advance("1 second")
  }
  expect(kit.inbox().map(({ to }) => to)).toEqual(expect.arrayContaining(emails))
  expect(kit.inbox()[0]?.to).toBe("second@ordered.example.test")
})

test("lists links to an app's host, which the kit's fetch can open", async () => {
  const { api } = await realmOf(kit, "Hosted")
  const app = { name: "Notebook", login_handler: "http://localhost:4000/callback" }
  expect((await api.post("/v2/client_apps", { client_app: app })).status).toBe(201)
  const email = "jo@hosted.example.test"
  const user = await api.post("/v2/users", { user: { email, credentials: [], email_verification: "requested" } })
  await kit.advance(0)
  const link = new URL(kit.inbox(email)[0]?.links[0] ?? "")
  const { port } = new URL(kit.url)
  expect(link.host).toBe(`notebook.local.localhost:${port}`)
  const page = await kit.fetch(link)
  expect([page.status, page.headers.get("content-type"), page.url.split("?")[0]]).toEqual([
    200,
    "text/html; charset=utf-8",
    `${link.origin}/verify`
  ])
  expect((await kit.fetch(`${link.origin}/login`)).status).toBe(200)
  expect((await kit.fetch(`${kit.url}/v2/users/${user.id}`)).status).toBe(401)
})

test("issues tokens with the service as issuer, and the service publishes their key", async () => {
  const realm = await new Api(kit.url, kit.key).post("/v2/realms", { realm: { name: "Issued", jwt_algo: "rs256" } })
  const discovery = await fetch(`${kit.url}/realms/${realm.id}/.well-known/openid-configuration`)
  const { issuer, jwks_uri }: Record<string, string> = JSON.parse(await discovery.text())
  expect(issuer).toBe(`${kit.url}/realms/${realm.id}`)
  expect((await fetch(jwks_uri ?? "")).status).toBe(200)
})

test("reads the codes from the text of an email, and records posts to webhooks", async () => {
  const { realm, api } = await realmOf(kit, "Coded")
  const about = { realm_id: realm.id, event_type: ["user.created"] }
  const mailing = {
    hook_type: "email",
    email_renderer: "text",
    email_subject: "Your code: 204816",
    email_template: "Enter 204816, or 777123, within 10 minutes."
  }
  expect((await api.post("/v2/hooks", { hook: { ...about, ...mailing } })).errors).toEqual(undefined)
  const destination = "https://app.example.test/hook"
  expect((await api.post("/v2/hooks", { hook: { ...about, destination } })).status).toBe(201)
  await api.post("/v2/users", { user: { email: "jo@coded.example.test", credentials: [] } })
  await kit.advance(0)
  expect(kit.inbox("jo@coded.example.test").map(({ codes }) => codes)).toEqual([["204816", "777123"]])
  expect(kit.deliveries().map(({ url, body }) => [url, JSON.parse(body).event_type])).toEqual([
    [destination, "user.created"]
  ])
})

test("lets a test set the next responses of a webhook destination", async () => {
  const { realm, api } = await realmOf(kit, "Answered")
  const destination = "https://app.example.test/answered"
  const hook = { realm_id: realm.id, event_type: "org.created", destination }
  expect((await api.post("/v2/hooks", { hook })).status).toBe(201)
  const began = kit.now()
  kit.answer(destination, 500, 503, 200)
  const posted = () => kit.deliveries().filter(({ url }) => url === destination)
  expect((await api.post("/v2/orgs", { org: { name: "Org" } })).status).toBe(201)
  await kit.advance("2 hours")
  // The retries follow after five seconds and five minutes, plus up to a tenth.
  expect(posted().map(({ at }) => Math.floor((at - began) / 60_000))).toEqual([0, 0, 5])
  expect(new Set(posted().map(({ body }) => body)).size).toBe(1)
  await api.post("/v2/orgs", { org: { name: "Another" } })
  await kit.advance("2 hours")
  expect(posted().length).toBe(4)
  kit.answer(destination, 500)
  await api.post("/v2/orgs", { org: { name: "Third" } })
  await kit.advance("1 hour")
  expect(posted().length).toBe(4 + 4)
  kit.answer(destination)
  await kit.advance("2 days")
  expect(posted().length).toBe(4 + 5)
})

test("rejects turning the clock back, concurrent advances, invalid durations and numbers without a unit", async () => {
  const before = kit.now()
  for (const by of [{ milliseconds: -1 }, "-1 day"] as const) {
    await expect(kit.advance(by)).rejects.toThrow("The clock can't go backwards.")
  }
  for (const [by, shown] of [
    [{ milliseconds: 1e18 }, "{ milliseconds: 1000000000000000000 }"],
    ["5300 weeks", "'5300 weeks'"]
  ] as const) {
    await expect(kit.advance(by)).rejects.toThrow(`${shown} is more than 100 years.`)
  }
  const units =
    'Use text in seconds, minutes, hours, days or weeks such as "30 days", or an object such as { days: 30 }; at most 100 years.'
  for (const [by, shown] of [
    [Number.POSITIVE_INFINITY, "Infinity"],
    [Number.NaN, "NaN"],
    ["soon", "'soon'"],
    ["", "''"],
    [{}, "{}"],
    [{ months: 1 }, "{ months: 1 }"],
    [{ days: 3, months: 1 }, "{ days: 3, months: 1 }"],
    [null, "null"],
    [undefined, "undefined"],
    [true, "true"]
  ] as const) {
    await expect(untyped(kit.advance, by), shown).rejects.toThrow(`Not a duration: ${shown}. ${units}`)
  }
  for (const by of [90, -1, 0.5]) {
    const message = `${by} has no unit. Use "${by} seconds" or { milliseconds: ${by} }.`
    await expect(untyped(kit.advance, by)).rejects.toThrow(message)
  }
  expect(kit.now()).toBe(before)
  const [one, other] = await Promise.allSettled([kit.advance("1 day"), kit.advance("1 day")])
  expect([one?.status, other?.status]).toEqual(["fulfilled", "rejected"])
  expect(kit.now()).toBe(before + 86_400_000)
})

test("accepts fractions of a millisecond, and advances by whole milliseconds", async () => {
  const before = kit.now()
  await kit.advance({ milliseconds: 1.5 })
  await kit.advance("1 minute")
  await kit.advance({ seconds: 1 })
  expect(kit.now()).toBe(before + 2 + 60_000 + 1_000)
  const { realm } = await realmOf(kit, "Whole")
  expect(realm.member("created_at")).toBe(kit.now() / 1000)
})

test("rejects every call except stop after being stopped", async () => {
  const stopped = async () => {
    await using brief = await start({ database: withPlainUrl(await freshDatabase()) })
    expect(brief.now()).toBeGreaterThan(0)
    return brief
  }
  const brief = await stopped()
  await expect(brief.advance("1 day")).rejects.toThrow("The service was stopped.")
  await expect(brief.fetch(brief.url)).rejects.toThrow("The service was stopped.")
  for (const call of [
    () => brief.now(),
    () => brief.inbox(),
    () => brief.deliveries(),
    () => brief.clear(),
    () => brief.answer("https://app.example.test", 500)
  ]) {
    expect(call).toThrow("The service was stopped.")
  }
  await brief.stop()
})

test.each<readonly [what: string, startsAt: NonNullable<TestOptions["startsAt"]>]>([
  ["a Date", new Date(STARTS_AT)],
  ["text", "2026-01-01T00:00:00Z"],
  ["text with another time zone", "2026-01-01T01:30:00.000+01:30"],
  ["text without a time", "2026-01-01"],
  ["a fraction of a millisecond", STARTS_AT + 0.25]
])("accepts %s as startsAt", (_, startsAt) => {
  expect(startOf(startsAt)).toBe(STARTS_AT)
})

test("reports a port used by another program", async () => {
  const { port } = new URL(kit.url)
  await expect(start({ port: Number(port) })).rejects.toThrow(
    `Port ${port} is in use. Omit the port option to use any free port.`
  )
})

test("documents all options next to their type and on the test kit's page", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
  const body = [...read("src/testing/TestOptions.ts").matchAll(/interface (?:Plain|Test)Options .*\{\n([^]*?)\n\}/g)]
    .map(([, members = ""]) => members)
    .join("\n")
  const options = [...body.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name)
  const described = [...body.matchAll(/\*\/\n {2}readonly (\w+)\?/g)].map(([, name]) => name)
  const [, section = ""] = /^### Options([^]*?)^## /m.exec(read("docs/guides/test-with-the-clock.md")) ?? []
  const listed = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  expect(options.length).toBeGreaterThan(10)
  expect(described).toEqual(options)
  expect(listed.toSorted()).toEqual(options.toSorted())
})
