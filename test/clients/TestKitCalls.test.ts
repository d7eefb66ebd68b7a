import { inspect } from "node:util"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { Api } from "#testing/Api"
import { type Started, start } from "#testing/promise"
import { freshDatabase, withPlainUrl } from "../support/databases.ts"
import { realmOf } from "../support/kit.ts"

let kit: Started

beforeAll(async () => {
  kit = await start({ database: withPlainUrl(await freshDatabase()) })
})

afterAll(() => kit.stop())

test("explains an empty list of emails or posts if they are sent elsewhere", async () => {
  await using kept = await start({ database: withPlainUrl(await freshDatabase()), mail: "mailbox", outbound: "real" })
  expect(() => kept.inbox()).toThrow("Emails go to /mailbox. Use GET /v2/test/messages.")
  expect(() => kept.deliveries()).toThrow('Webhooks are sent over HTTP, because the outbound option is "real".')
  expect(() => kept.answer("https://app.example.test", 500)).toThrow("Webhooks are sent over HTTP")
  expect((await new Api(kept.url, undefined).get("/v2/test/messages")).body).toMatchObject({ collection: [] })
})

test("recommends the kit's functions at the URLs of the test mode", async () => {
  const api = new Api(kit.url, kit.key)
  for (const [path, said] of [
    ["/v2/test/clock", "In the test kit, move the clock with advance()."],
    ["/v2/test/faults", "In the test kit, let something fail with failNext()."],
    ["/v2/test/messages", "In the test kit, read emails with inbox()."],
    ["/v2/test/messages/x?to=a", "In the test kit, read emails with inbox()."],
    ["/v2/test/other", "There is nothing at this address."]
  ] as const) {
    const reply = await api.get(path)
    expect([path, reply.status, reply.errors]).toEqual([path, 404, [said]])
  }
  expect((await api.post("/v2/test/clock", { advance: 1 })).status).toBe(404)
  expect((await api.delete("/v2/test/clock")).status).toBe(404)
})

test("rejects impossible arguments in the call itself", async () => {
  const untypedly = (called: (...args: ReadonlyArray<never>) => unknown, ...args: ReadonlyArray<unknown>) => {
    const call = () => Reflect.apply(called, undefined, args)
    return call
  }
  for (const destination of [undefined, "not a url", "ftp://app.example.test", 5]) {
    const message = `Not a webhook URL: ${inspect(destination)}.`
    expect(untypedly(kit.answer, destination, 200)).toThrow(message)
    if (destination !== undefined) expect(untypedly(kit.deliveries, destination)).toThrow(message)
  }
  expect(untypedly(kit.answer)).toThrow("Not a webhook URL: undefined.")
  for (const answer of [
    0,
    99,
    600,
    200.5,
    "500",
    "down",
    null,
    {},
    { status: "500" },
    { status: 503, retryAfter: -1 }
  ]) {
    expect(untypedly(kit.answer, "https://app.example.test", answer)).toThrow(
      `Not an answer: ${inspect(answer)}. Use a status from 200 to 599, { status: 503, retryAfter: 60 }, "unreachable" or "timed_out".`
    )
  }
  for (const to of [5, {}, "jo", null]) {
    expect(untypedly(kit.inbox, to)).toThrow(`Not an email address: ${inspect(to)}.`)
  }
  const error = await kit.advance("5300 weeks").catch((refused: unknown) => refused)
  expect(error instanceof Error && error.stack?.split("\n")[1]).toContain("TestKitCalls.test.ts")
})

test("lets a webhook destination send Retry-After, reject connections or time out", async () => {
  const { realm, api } = await realmOf(kit, "Slow")
  const destination = "https://Slow.example.test"
  const hook = { realm_id: realm.id, event_type: "org.created", destination }
  expect((await api.post("/v2/hooks", { hook })).status).toBe(201)
  kit.clear()
  kit.answer("https://slow.example.test/", { status: 503, retryAfter: 3_600 }, "unreachable", "timed_out", 204)
  const began = kit.now()
  expect((await api.post("/v2/orgs", { org: { name: "Org" } })).status).toBe(201)
  await kit.advance("2 hours")
  const hours = kit.deliveries(new URL(destination)).map(({ at }) => Math.floor((at - began) / 3_600_000))
  expect(hours).toEqual([0, 1, 1, 1])
  expect(kit.deliveries("https://slow.example.test/other")).toEqual([])
  const events = await api.get("/v2/events?event_type=org.created")
  expect((await api.get(`/v2/events/${String(events.items[0]?.["id"])}`)).member("notifications", 0)).toMatchObject({
    state: "completed",
    last_result: "HTTP 204"
  })
  kit.answer(destination)
  kit.clear()
  expect([kit.deliveries(), kit.inbox()]).toEqual([[], []])
})

test("reports the events that happen during an advance, like the clock over HTTP", async () => {
  const { realm, api } = await realmOf(kit, "Told")
  const invitation = await api.post("/v2/invitations", {
    invitation: { invitation_type: "referral", email: "al@told.example.test" }
  })
  const events = await kit.advance({ days: 31 })
  const own = events.filter(({ realm_id }) => realm_id === realm.id)
  const { id } = own[0] ?? { id: "" }
  expect((await api.get(`/v2/events/${id}`)).body).toMatchObject({ ...own[0] })
  expect(own.map(({ event_type, invitation_id }) => [event_type, invitation_id])).toEqual([
    ["invitation.referral.expired", invitation.id]
  ])
  expect(await kit.advance(0)).toEqual([])
})

/** The kit's log while a hook is disabled because its destination is gone, and an email fails permanently. */
const loggedBy = async (started: Started) => {
  const { realm, api } = await realmOf(started, "Logged")
  const destination = "https://gone.example.test/"
  const hook = { realm_id: realm.id, event_type: "org.created", destination }
  expect((await api.post("/v2/hooks", { hook })).status).toBe(201)
  started.answer(destination, 410)
  expect((await api.post("/v2/orgs", { org: { name: "Org" } })).status).toBe(201)
  const mail = { hook_type: "email", email_subject: "Welcome", email_template: "Good to have you here." }
  expect(
    (await api.post("/v2/hooks", { hook: { ...mail, realm_id: realm.id, event_type: "user.created" } })).status
  ).toBe(201)
  const user = { email: "jo@logged.example.test", credentials: [] }
  expect((await api.post("/v2/users", { user })).status).toBe(201)
  started.failNext("mail", 9)
  const logged = vi.spyOn(console, "log").mockImplementation(() => undefined)
  const events = await started.advance("4 days")
  const lines = logged.mock.calls.map((line) =>
    line.map((part) => (typeof part === "string" ? part : inspect(part))).join(" ")
  )
  logged.mockRestore()
  expect(events.map(({ event_type }) => event_type)).toEqual(["hook.disabled"])
  return lines
}

test("writes no logs into the test output by default", async () => {
  expect(await loggedBy(kit)).toEqual([])
  await using loud = await start({ database: withPlainUrl(await freshDatabase()), logs: true })
  const lines = await loggedBy(loud)
  expect(lines).toContainEqual(expect.stringContaining("A hook was disabled because its deliveries failed."))
  const given = lines.filter((line) => line.includes("An email could not be delivered and will not be sent again."))
  expect(given).toEqual([expect.stringContaining("All attempts failed.")])
  expect(given).toEqual([expect.stringMatching(/realm_id.+rl_\w+.+event_id.+ev_\w+.+notification_id.+ent_\w+/s)])
  expect(lines.join()).not.toContain("jo@logged")
})
