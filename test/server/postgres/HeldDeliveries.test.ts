import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { start } from "../ServerProcess.ts"
import { freshEnvironment, ROOT_KEY as KEY } from "./FreshEnvironment.ts"

test("C193: SALLYPORT_DELIVERIES=off holds emails and webhooks until a start without the setting", async () => {
  const environment = {
    ...(await freshEnvironment()),
    SALLYPORT_TEST_MODE: "on",
    SALLYPORT_ALLOW_PRIVATE_TARGETS: "true"
  }
  const held = await start({ ...environment, SALLYPORT_DELIVERIES: "off", SALLYPORT_APP_KEY: "sk_of_an_app" })
  expect(held.output()).toContain(
    "  Deliveries: off, so emails, webhooks and logout notices wait (SALLYPORT_DELIVERIES)\n"
  )
  const root = new Api(held.url, KEY)
  expect((await root.get("/readyz")).body).toMatchObject({ status: "ready", deliveries: "off" })
  const { id } = await root.post("/v2/realms", { realm: { name: "Copy", jwt_algo: "hs256" } })
  const realm = new Api(held.url, KEY, id)
  const hook = { realm_id: id, event_type: ["user.created"], destination: "http://127.0.0.1:1/hook" }
  expect((await realm.post("/v2/hooks", { hook })).status).toBe(201)
  const email = "jo@copy.example.test"
  const user = { email, credentials: [], email_verification: "requested" }
  expect((await realm.post("/v2/users", { user })).status).toBe(201)

  // All jobs due within a day run more than once.
  expect((await root.post("/v2/test/clock", { advance: "1 day" })).status).toBe(200)
  const states = async (api: Api) =>
    (await api.get(`/v2/events?user_id=${email}&expand=notifications`)).items
      .flatMap(({ notifications }) => (Array.isArray(notifications) ? notifications : []))
      .map(({ hook_type, state, attempts }) => [hook_type, state, attempts])
      .sort()
  const waiting = [
    ["email", "in_progress", 0],
    ["webhook", "in_progress", 0]
  ]
  expect(await states(realm)).toEqual(waiting)
  expect((await root.get("/v2/test/messages")).body).toMatchObject({ collection: [] })
  await held.stop("SIGTERM")
  const lines = held.output().match(/Deliveries are off: emails, webhooks and logout notices wait/g)
  expect(lines?.length).toBe(1)
  // Variables of other programs cause only one log line.
  expect(held.output().match(/Variables that begin with SALLYPORT_ but are not settings are ignored\..*/g)).toEqual([
    expect.stringContaining("SALLYPORT_APP_KEY")
  ])

  const freed = await start(environment)
  expect(freed.output()).not.toContain("Deliveries")
  const again = new Api(freed.url, KEY, id)
  const mails = await again.get(`/v2/test/messages?to=${email}&wait=10`)
  expect(mails.items.map(({ to }) => to)).toEqual([email])
  expect((await again.post("/v2/test/clock", { advance: 0 })).status).toBe(200)
  expect(await states(again)).toEqual([
    ["email", "completed", 1],
    ["webhook", "in_progress", 1]
  ])
  await freed.stop("SIGKILL")
})
