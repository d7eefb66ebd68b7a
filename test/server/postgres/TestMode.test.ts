import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { start } from "../ServerProcess.ts"
import { freshEnvironment, ROOT_KEY as KEY } from "./FreshEnvironment.ts"

const THIRTY_DAYS = 30 * 86_400

/** The failures that callers can cause in test mode, and their effects. */
const letsFail = async (root: Api, realm: Api, other: Api) => {
  const none = { object: "faults", mail: 0, webhook: 0, provider: 0, database: 0 }
  const fail = (body: object) => root.post("/v2/test/faults", body)
  expect((await root.get("/v2/test/faults")).body).toEqual(none)
  const set = await fail({ fail: "mail", times: 2 })
  expect([set.status, set.body]).toEqual([200, { ...none, mail: 2 }])
  expect((await fail({ fail: "database" })).body).toEqual({ ...none, mail: 2, database: 1 })
  expect((await root.get("/v2/test/faults")).body).toEqual({ ...none, mail: 2, database: 1 })
  const org = { org: { name: "Sent again" } }
  const failed = await realm.post("/v2/orgs", org)
  expect([failed.status, failed.headers.get("x-request-id")]).toEqual([503, failed.string("request_id")])
  expect((await realm.post("/v2/orgs", org)).status).toBe(201)
  const names = (await realm.get("/v2/orgs")).items.map(({ name }) => name)
  expect(names.filter((name) => name === "Sent again").length).toBe(1)
  expect((await root.delete("/v2/test/faults")).status).toBe(204)
  expect((await root.get("/v2/test/faults")).body).toEqual(none)

  const range = "Times must be between 0 and 1000."
  for (const [body, errors] of [
    [{}, ["Fail can't be blank."]],
    [{ fail: "disk" }, ["Fail must be one of: mail, webhook, provider, database."]],
    [{ fail: "mail", times: -1 }, [range]],
    [{ fail: "mail", times: 1_001 }, [range]],
    [{ fail: "mail", times: 1.5 }, ["Times must be a whole number."]],
    [{ fail: "mail", times: "often" }, ["Times must be a whole number."]],
    [{ fail: "mail", time: 2 }, ["Unknown member time. Did you mean times? Members here: fail, times."]]
  ] as const) {
    const reply = await fail(body)
    expect([body, reply.status, reply.errors]).toEqual([body, 422, errors])
  }
  expect((await root.get("/v2/test/faults")).body).toEqual(none)
  const put = await root.call("PUT", "/v2/test/faults")
  expect([put.status, put.headers.get("allow")]).toEqual([405, "GET, HEAD, POST, DELETE"])
  expect((await other.get("/v2/test/faults")).status).toBe(200)
  expect((await other.post("/v2/test/faults", { fail: "mail" })).status).toBe(403)
  expect((await other.delete("/v2/test/faults")).status).toBe(403)

  const google = { provider_type: "google", client_id: "acme", client_secret: "the-secret-of-acme" }
  expect((await realm.post("/v2/auth_providers", { auth_provider: google })).status).toBe(201)
  await fail({ fail: "provider" })
  const login = await realm.post("/v2/auth_providers/google/authorize", { access_token: "any" })
  expect([login.status, login.errors]).toEqual([422, ["The provider could not be reached."]])
  expect((await root.get("/v2/test/faults")).body).toEqual(none)
}

test("callers in test mode can advance the clock over HTTP, which runs due work in order", async () => {
  const weak = { SALLYPORT_SECRET: "a-secret-of-more-than-thirty-two-characters" }
  const running = await start({ ...(await freshEnvironment()), ...weak, SALLYPORT_TEST_MODE: "on" })
  expect(running.output()).toContain("  Test mode: callers can move the clock and make things fail.")
  const root = new Api(running.url, KEY)
  const { id } = await root.post("/v2/realms", { realm: { name: "Timed", jwt_algo: "hs256" } })
  const realm = new Api(running.url, KEY, id)
  const began = Number((await root.get("/v2/test/clock")).member("now"))
  const user = await realm.post("/v2/users", { user: { email: "jo@example.test", credentials: [] } })
  const org = await realm.post("/v2/orgs", { org: { name: "Org" } })
  const membership = await realm.post("/v2/memberships", {
    membership: { user_id: user.id, org_id: org.id, expires_at: began + 86_400 }
  })
  const invitation = await realm.post("/v2/invitations", {
    invitation: { email: "al@example.test", invitation_type: "referral" }
  })

  // The caller turns the clock, and the background jobs are the actor.
  const request = { ip: "203.0.113.7", client: "Firefox" }
  const advanced = await root.post("/v2/test/clock", { advance: THIRTY_DAYS + 60, request })
  expect(advanced.status).toBe(200)
  expect(advanced.member("events")).toMatchObject([
    {
      event_type: "membership.deleted",
      realm_id: id,
      membership_id: membership.id,
      event_at: expect.any(Number),
      actor: { type: "system", id: "ExpireMemberships" },
      request: { ip: null, client: null }
    },
    {
      event_type: "invitation.referral.expired",
      realm_id: id,
      invitation_id: invitation.id,
      actor: { type: "system", id: "ExpireInvitations" },
      request: { ip: null, client: null }
    }
  ])
  const now = Number(advanced.member("now"))
  expect(now).toBeGreaterThanOrEqual(began + THIRTY_DAYS + 60)
  const fresh = await realm.post("/v2/orgs", { org: { name: "Later" } })
  expect(Number(fresh.member("created_at"))).toBeGreaterThanOrEqual(now)

  const answers = async (body: object) => {
    const reply = await root.post("/v2/test/clock", body)
    return [reply.status, reply.errors]
  }
  expect(await answers({ advance_to: began })).toEqual([422, ["The clock can't go backwards."]])
  expect(await answers({})).toEqual([422, ["Either advance or advance_to is required."]])
  expect(await answers({ advance: 1, advance_to: now + 10 })).toEqual([
    422,
    ["Send either advance or advance_to, not both."]
  ])
  expect(await answers({ days: 30, realm_id: id })).toEqual([
    422,
    ["Unknown member days. Send either advance or advance_to."]
  ])
  expect(await answers({ advance: 1, unit: "days" })).toEqual([
    422,
    ["Unknown member unit. Send either advance or advance_to."]
  ])
  for (const advance of [-1, -1e10, "-1 day"]) {
    expect([advance, await answers({ advance })]).toEqual([advance, [422, ["The clock can't go backwards."]]])
  }
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const reply = await root.call(method, "/v2/test/clock")
    expect([reply.status, reply.headers.get("allow"), reply.errors]).toEqual([
      405,
      "GET, HEAD, POST",
      [`This URL does not accept ${method} requests. It accepts: GET, HEAD, POST.`]
    ])
  }
  const step =
    'Advance must be a number of seconds, or text in seconds, minutes, hours, days or weeks such as "30 days", and at most 100 years.'
  for (const advance of [1e10, "soon", "30 months", "-1 month", "", true, ["1 day"]]) {
    expect([advance, await answers({ advance })]).toEqual([advance, [422, [step]]])
  }
  for (const [advance, seconds] of [
    ["30 days", THIRTY_DAYS],
    ["1 hour", 3_600],
    ["1.5 weeks", 10.5 * 86_400],
    ["90minutes", 5_400],
    [" 1 day", 86_400],
    ["45 seconds", 45],
    [45, 45]
  ] as const) {
    const before = Number((await root.get("/v2/test/clock")).member("now"))
    const after = Number((await root.post("/v2/test/clock", { advance })).member("now"))
    // The clock also advances on its own.
    expect([advance, Math.floor((after - before - seconds) / 30)]).toEqual([advance, 0])
  }
  // The clock advances while a step is being read, but a step of zero never turns it back.
  for (let n = 0; n < 40; n += 1) expect(await answers({ advance: 0 })).toEqual([200, undefined])
  const { paths } = JSON.parse((await root.get("/openapi.json")).text)
  const { requestBody, responses } = paths["/v2/test/clock"].post
  const documented = await root.post("/v2/test/clock", requestBody.content["application/json"].example)
  const shown = responses["200"].content["application/json"].examples.default.value
  expect([documented.status, Object.keys(Object(documented.body))]).toEqual([200, Object.keys(shown)])
  const key = await root.post("/v2/api_keys", { api_key: { name: "x", level: "write", realm_id: id } })
  const caller = new Api(running.url, key.string("key"))
  expect((await caller.get("/v2/test/clock")).status).toBe(200)
  expect((await caller.post("/v2/test/clock", { advance: 1 })).status).toBe(403)
  expect((await new Api(running.url, undefined).get("/v2/test/clock")).status).toBe(401)
  await letsFail(root, realm, caller)
  // Log entries use the test clock up to the last line.
  expect(await running.stop("SIGTERM")).toBe(0)
  expect(running.output()).toMatch(/"WARN","message":"Test mode is on: callers can move the clock/)
  expect(running.output()).toMatch(
    /"WARN","message":"A secret can be guessed\.[^\n]*"setting":"SALLYPORT_SECRET","reason":"SALLYPORT_SECRET contains “secret”/
  )
  expect(running.output()).not.toContain("thirty-two")
  const lines = running
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"))
  const last = lines.map((line): Record<string, unknown> => JSON.parse(line)).at(-1)
  expect(last?.["message"]).toBe("The service has stopped.")
  expect(Date.parse(String(last?.["timestamp"])) / 1_000).toBeGreaterThan(began + THIRTY_DAYS)
})

test("callers in test mode can set DNS records", async () => {
  const running = await start({ ...(await freshEnvironment()), SALLYPORT_TEST_MODE: "on" })
  const root = new Api(running.url, KEY)
  const { id } = await root.post("/v2/realms", { realm: { name: "Named", jwt_algo: "hs256" } })
  const realm = new Api(running.url, KEY, id)
  const org = await realm.post("/v2/orgs", { org: { name: "Org" } })
  const domain = await realm.post("/v2/domains", { domain: { org_id: org.id, domain: "example.com" } })
  const { name, value } = domain.member("txt") as { readonly name: string; readonly value: string }
  const problemOf = async () => (await realm.post(`/v2/domains/${domain.id}/verify`, {})).member("problem", "code")
  expect((await root.get("/v2/test/dns")).body).toEqual({ object: "dns", records: [] })
  expect(await problemOf()).toBe("nxdomain")
  const set = await root.put("/v2/test/dns", { name: ` ${name.toUpperCase()}. `, txt: ["other"] })
  expect([set.status, set.body]).toEqual([200, { object: "dns", records: [{ name, txt: ["other"], failure: null }] }])
  expect(await problemOf()).toBe("wrong_value")
  await root.put("/v2/test/dns", { name, failure: "servfail" })
  expect(await problemOf()).toBe("servfail")
  await root.put("/v2/test/dns", { name, txt: [value] })
  expect(await problemOf()).toBeUndefined()
  expect((await realm.get(`/v2/domains/${domain.id}`)).member("state")).toBe("verified")

  const replies = [
    await root.put("/v2/test/dns", {}),
    await root.put("/v2/test/dns", { name: " " }),
    await root.put("/v2/test/dns", { name, failure: "late" }),
    await root.put("/v2/test/dns", { name, texts: [] }),
    await root.put("/v2/test/dns", { name, txt: "one" })
  ]
  expect(replies.map(({ status, errors }) => [status, errors])).toEqual([
    [422, ["Name can't be blank."]],
    [422, ["Name can't be blank."]],
    [422, ["Failure must be one of: nxdomain, no_record, alias, servfail, timeout, too_large."]],
    [422, ["Unknown member texts. Members here: name, txt, failure."]],
    [422, ["Txt must be a list."]]
  ])
  const post = await root.post("/v2/test/dns", { name })
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, PUT, DELETE"])
  expect((await root.delete("/v2/test/dns")).status).toBe(204)
  expect((await root.get("/v2/test/dns")).body).toEqual({ object: "dns", records: [] })
  await running.stop("SIGTERM")
})
