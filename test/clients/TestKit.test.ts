import { readFileSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { type Started, start } from "#testing/promise"
import { STARTS_AT } from "#testing/TestSallyport"
import { freshDatabase } from "../support/databases.ts"

let kit: Started
const began = { after: 0, before: 0 }

beforeAll(async () => {
  began.after = Date.now()
  kit = await start({ database: await freshDatabase() })
  began.before = Date.now()
})

afterAll(() => kit.stop())

/** A realm of the kit's service, and a caller in it. */
const realmOf = async ({ url, key }: Started, name: string) => {
  const realm = await new Api(url, key).post("/v2/realms", { realm: { name, jwt_algo: "hs256" } })
  return { realm, api: new Api(url, key, realm.id) }
}

test("Its clock starts at now and stands still, so that tokens are valid for whoever verifies them", async () => {
  const startedAt = kit.now()
  expect(startedAt).toBeGreaterThanOrEqual(began.after)
  expect(startedAt).toBeLessThanOrEqual(began.before)
  const { realm } = await realmOf(kit, "Still")
  expect([kit.now(), realm.member("created_at")]).toEqual([startedAt, startedAt / 1000])
  await kit.advance("1 day")
  expect(kit.now()).toBe(startedAt + 86_400_000)
})

test("startsAt sets the clock", async () => {
  const fixed = await start({ database: await freshDatabase(), startsAt: STARTS_AT })
  const { api } = await realmOf(fixed, "Fixed")
  await fixed.advance("1 day")
  const org = await api.post("/v2/orgs", { org: { name: "Org" } })
  expect([fixed.now(), org.member("created_at")]).toEqual([STARTS_AT + 86_400_000, STARTS_AT / 1000 + 86_400])
  await fixed.stop()
})

test("The link of a mail is among its links and leads to the service itself, where it works", async () => {
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
  expect(kit.inbox()).toContain(mail)
})

test("Tokens name the service itself as their issuer, where their key is found", async () => {
  const realm = await new Api(kit.url, kit.key).post("/v2/realms", { realm: { name: "Issued", jwt_algo: "rs256" } })
  const discovery = await fetch(`${kit.url}/realms/${realm.id}/.well-known/openid-configuration`)
  const { issuer, jwks_uri }: Record<string, string> = JSON.parse(await discovery.text())
  expect(issuer).toBe(`${kit.url}/realms/${realm.id}`)
  expect((await fetch(jwks_uri ?? "")).status).toBe(200)
})

test("The codes of a mail are read from its text, and posts to webhooks are kept", async () => {
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

test("Its clock refuses to go back, to advance twice at once, and what is no duration", async () => {
  const before = kit.now()
  await expect(kit.advance(-1)).rejects.toThrow("The clock can't go backwards.")
  await expect(kit.advance(Number.POSITIVE_INFINITY)).rejects.toThrow(
    'Not a duration: Infinity. Take milliseconds, or text such as "30 days" or "90 minutes".'
  )
  const [one, other] = await Promise.allSettled([kit.advance("1 day"), kit.advance("1 day")])
  expect([one?.status, other?.status]).toEqual(["fulfilled", "rejected"])
  expect(kit.now()).toBe(before + 86_400_000)
})

test("Each option is described beside its type and on the page about the kit, and no other", () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
  const [, body = ""] = /interface TestOptions \{\n([^]*?)\n\}/.exec(read("src/testing/TestOptions.ts")) ?? []
  const options = [...body.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name)
  const described = [...body.matchAll(/\*\/\n {2}readonly (\w+)\?/g)].map(([, name]) => name)
  const listed = [
    ...(read("docs/guides/test-with-the-clock.md").split("### Options")[1] ?? "").matchAll(/^\| `(\w+)` \|/gm)
  ].map(([, name]) => name)
  expect(options.length).toBeGreaterThan(10)
  expect(described).toEqual(options)
  expect(listed).toEqual(options)
})
