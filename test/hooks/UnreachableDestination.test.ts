import type { ServerResponse } from "node:http"
import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { expect, onTestFinished, test } from "vitest"
import { Api } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { start } from "../server/ServerProcess.ts"
import { freshDatabase } from "../support/databases.ts"
import { emailHook, notificationFor, webhook } from "../support/hooks.ts"
import { receiver, silentServer } from "../support/receivers.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

const USERS = 40

const environment = async (smtpPort: number) => {
  const target = await freshDatabase()
  return {
    DATABASE_URL: target._tag === "Postgres" ? Redacted.value(target.url) : "memory://",
    HOST: "127.0.0.1",
    SALLYPORT_ROOT_KEY: KEY,
    SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters",
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true",
    SALLYPORT_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`
  }
}

test("RG-05, RG-16: the service serves other destinations and API calls while a destination and the mail server hang", async () => {
  const held = new Map<string | undefined, ServerResponse>()
  let hangs = true
  let arrived = Promise.withResolvers<void>()
  const hung = await receiver(({ url }, response) => {
    if (hangs) held.set(url, response)
    else response.end()
  })
  const healthy = await receiver((_, response) => {
    response.end()
    arrived.resolve()
  })
  const smtp = await silentServer()
  const running = await start(await environment(smtp.port))
  onTestFinished(async () => {
    await running.stop("SIGKILL")
    await Promise.all([hung, healthy, smtp].map(({ stop }) => stop()))
  })
  const root = new Api(running.url, KEY)
  const { id } = await root.post("/v2/realms", { realm: { name: "Isolated", jwt_algo: "hs256" } })
  const realm = new GivenRealm(running.url, KEY, id)
  const hears = (port: number, path: string) =>
    webhook(realm, { event_type: ["user.created"], destination: `http://127.0.0.1:${port}${path}` })
  const [one, two] = [await hears(hung.port, "/one"), await hears(hung.port, "/two")]
  await hears(healthy.port, "/")
  await emailHook(realm, { event_type: ["user.created"] })

  // Each user is created only after the healthy destination has received the previous event.
  for (let n = 0; n < USERS; n++) {
    await realm.user()
    await arrived.promise
    arrived = Promise.withResolvers()
  }
  expect(healthy.requests).toHaveLength(USERS)
  // Nothing else was sent to the hanging receivers, and no connection was closed.
  expect([hung.requests.length, [...held.keys()].sort()]).toEqual([2, ["/one", "/two"]])
  for (const { sockets } of [hung, smtp]) {
    expect(sockets.length).toBeGreaterThan(0)
    expect(sockets.filter(({ destroyed }) => destroyed)).toEqual([])
  }

  // A delivery canceled while being posted stays canceled. A retried one starts again, whatever the first post returns.
  const [first = "", ...others] = (await realm.get("/v2/events?event_type=user.created")).items.map(({ id }) =>
    String(id)
  )
  for (const { id } of [one, two]) {
    const path = `/v2/events/${first}/notifications/${String((await notificationFor(realm, first, id))["id"])}`
    expect((await realm.post(`${path}/cancel`, {})).status).toBe(200)
    if (id === two.id) expect((await realm.post(`${path}/retry`, {})).status).toBe(200)
  }
  hangs = false
  held.get("/one")?.end()
  held.get("/two")?.writeHead(500).end()
  /** The notification of an event, once it is no longer in progress. */
  const over = async (eventId: string, hookId: string) => {
    for (;;) {
      const notification = await notificationFor(realm, eventId, hookId)
      if (notification["state"] !== "in_progress") return notification
      await setTimeout(5)
    }
  }
  const delivered = { state: "completed", attempts: 1, last_result: "HTTP 200" }
  for (const { id } of [one, two]) expect(await over(others.at(-1) ?? "", id)).toMatchObject(delivered)
  expect(await over(first, two.id)).toMatchObject(delivered)
  expect(await over(first, one.id)).toMatchObject({ state: "canceled", attempts: 1, last_result: null })
}, 60_000)
