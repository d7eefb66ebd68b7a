import { describe, expect, test, vi } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { uniqueText } from "#testing/Given"
import { operations, pathOf } from "../support/operations.ts"
import { query } from "../support/query.ts"
import { isolatedService, wireService } from "../support/sallyport.ts"

const realm = async () => (await wireService()).given.realm()

/** Asserts that an error is JSON with exactly the standard members, the request id and the language. */
const expectStandard = (reply: Reply, status: number) => {
  expect([reply.status, reply.headers.get("content-type")]).toEqual([status, "application/json"])
  const { errors, error_details, request_id, ...rest } = Object(reply.body)
  expect(rest).toEqual({})
  expect(errors.length).toBeGreaterThan(0)
  expect(errors.every((sentence: unknown) => typeof sentence === "string" && /\S\.$/.test(sentence))).toBe(true)
  expect(error_details.map(({ message }: { readonly message: unknown }) => message)).toEqual(errors)
  for (const detail of error_details) {
    const { params: _, allowed = [], ...members } = detail
    expect(allowed.every((one: unknown) => typeof one === "string" && detail.message.includes(one))).toBe(true)
    expect(Object.keys(members).sort()).toEqual(["code", "field", "message"])
  }
  expect(request_id).toBe(reply.headers.get("x-request-id"))
  expect(reply.headers.get("content-language")).toBe("en")
  // No stack trace, SQL text or version.
  expect(reply.text).not.toMatch(/\bat \S+:\d+|node_modules|\bselect\b|\binsert\b|effect|postgres|"v?\d+\.\d+\.\d+/i)
}

describe("SEC-81, CVE-2024-32967: every error has the standard error body", () => {
  const user = { email: "a@example.test", credentials: [] }
  const json = { "content-type": "application/json" }

  test.each([
    [400, "POST", "/v2/users", "{nonsense", json],
    [400, "POST", "/v2/users", "[]", json],
    [400, "POST", "/v2/users", '"user"', json],
    [400, "POST", "/v2/users", "null", json],
    [400, "POST", "/v2/users", "", json],
    [400, "POST", "/v2/users", "{}", json],
    [400, "POST", "/v2/users", JSON.stringify(user), json],
    [400, "POST", "/v2/users", '{"user": "me"}', json],
    [400, "POST", "/v2/users", '{"user": []}', json],
    [400, "PUT", "/v2/users/a@example.test", '{"org": {}}', json],
    [404, "GET", "/v2/users/usr_nobody", undefined, {}],
    [404, "GET", "/v2/nothing", undefined, {}],
    [404, "GET", "/v3/users", undefined, {}],
    [404, "POST", "/", "{}", json],
    [404, "POST", "/v2/users/usr_x/nonsense", "{}", json],
    [405, "PATCH", "/v2/users/usr_x", "{}", json],
    [413, "POST", "/v2/users", JSON.stringify({ user, filler: "x".repeat(256 * 1024) }), json],
    [415, "POST", "/v2/users", "user=me", { "content-type": "text/plain" }],
    [415, "POST", "/v2/users", "<user/>", { "content-type": "application/xml" }],
    [415, "POST", "/v2/users", "--x--", { "content-type": "multipart/form-data; boundary=x" }],
    [422, "POST", "/v2/users", JSON.stringify({ user: { ...user, email: "nonsense" } }), json],
    [422, "GET", "/v2/users?sort=nonsense", undefined, {}]
  ] as const)("%i %s %s", async (status, method, path, body, headers) => {
    const caller = await realm()
    const { result, events } = await caller.seen.during(() => caller.call(method, path, { body, headers }))
    expectStandard(result, status)
    expect(events).toEqual([])
  })

  test("a 401 for a missing key, and a 403 for a key whose level is too low", async () => {
    const caller = await realm()
    expectStandard(await new Api(caller.url, undefined).get("/v2/users"), 401)
    expectStandard(await (await caller.as("read")).post("/v2/users", { user }), 403)
  })

  test("a 500 for an internal error, which shows only the request id while the log has the details", () =>
    isolatedService(async ({ given, sql }) => {
      const caller = await given.realm()
      await query(sql`alter table users rename to elsewhere`)
      for (const ask of [() => caller.get("/v2/users"), () => caller.post("/v2/users", { user })]) {
        const logged = vi.spyOn(console, "log").mockImplementation(() => undefined)
        const reply = await ask()
        expect(JSON.stringify(logged.mock.calls)).toContain(reply.headers.get("x-request-id"))
        expect(JSON.stringify(logged.mock.calls)).not.toContain(user.email)
        logged.mockRestore()
        expectStandard(reply, 500)
        expect(reply.errors).toEqual(["Something went wrong on our end. Include the request ID when you report it."])
      }
      await query(sql`alter table elsewhere rename to users`)
      expect((await caller.post("/v2/users", { user })).status).toBe(201)
    }))
})

test("C126: a validation error reports all broken rules, each with its field, code and message", async () => {
  const reply = await (await realm()).post("/v2/orgs", { org: { name: 7, state: "lost", custom: [], reference: [] } })
  expectStandard(reply, 422)
  expect(reply.member("error_details")).toEqual([
    {
      field: "state",
      code: "inclusion",
      message: "State must be one of: active, inactive, closed.",
      params: { allowed: "active, inactive, closed" },
      allowed: ["active", "inactive", "closed"]
    },
    { field: "name", code: "not_text", message: "Name must be text." },
    { field: "reference", code: "not_text", message: "Reference must be text." },
    { field: "custom", code: "not_object", message: "Custom must be an object." }
  ])
})

describe("a body larger than 256 KiB", () => {
  const bodyOfSize = (bytes: number) => {
    const head = '{"org": {"name": "Big"}, "filler": "'
    return `${head}${"x".repeat(bytes - head.length - 2)}"}`
  }

  test("returns 413 as soon as the limit is exceeded", async () => {
    const caller = await realm()
    expect((await caller.call("POST", "/v2/orgs", { body: bodyOfSize(256 * 1024) })).status).toBe(201)
    const reply = await caller.call("POST", "/v2/orgs", { body: bodyOfSize(256 * 1024 + 1) })
    expectStandard(reply, 413)
    expect(reply.errors).toEqual(["The request body is larger than 256 KiB."])
  })

  test("returns 413 even if the length is not announced", async () => {
    const { url, key, id } = await realm()
    const headers = { authorization: `Bearer ${key}`, "x-service-realm": id, "content-type": "application/json" }
    const send = async (bytes: number) => {
      const body = new Blob([bodyOfSize(bytes)]).stream()
      return fetch(`${url}/v2/orgs`, { method: "POST", headers, body, duplex: "half" })
    }
    expect((await send(256 * 1024)).status).toBe(201)
    const rejected = await send(2 * 256 * 1024)
    expect([rejected.status, Object(await rejected.json()).errors]).toEqual([
      413,
      ["The request body is larger than 256 KiB."]
    ])
  })
})

describe("X-Request-Id", () => {
  const idOf = async (sent: string | undefined, path = "/v2/users") => {
    const reply = await (await realm()).call("GET", path, {
      headers: sent === undefined ? {} : { "x-request-id": sent }
    })
    return reply.headers.get("x-request-id")
  }

  test("is copied from the request if well-formed", async () => {
    for (const id of ["abcd1234", "0af7651916cd43dd8448eb211c80319c", "a.b-c_d.1234", "x".repeat(128)]) {
      expect([await idOf(id), await idOf(id, "/nowhere")]).toEqual([id, id])
    }
  })

  test("is a new id for each request without a well-formed id", async () => {
    for (const bad of [undefined, "", "short", "x".repeat(129), "two words", "<script>", "abcdefgh\u00e9"]) {
      const [one, other] = [await idOf(bad), await idOf(bad, "/nowhere")]
      expect(one).toMatch(/^req_[0-9a-z]{26}$/)
      expect(other).toMatch(/^req_[0-9a-z]{26}$/)
      expect(one).not.toBe(other)
    }
  })
})

describe("unsupported methods return 405 with Allow", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
  const paths = [...new Set(operations.map((operation) => pathOf(operation)))]

  /** Returns whether an operation's template matches a path. One template's literal may be another template's id. */
  const matches = ({ template }: (typeof operations)[number], path: string) =>
    new RegExp(`^${template.replaceAll(/:\w+/g, "[^/]+")}$`).test(path)

  test.each(paths)("%s", async (path) => {
    const caller = await realm()
    const allowedMethods = operations.filter((operation) => matches(operation, path)).map(({ method }) => method)
    const allowed = allowedMethods.includes("GET") ? [...allowedMethods, "HEAD"] : allowedMethods
    for (const method of methods.filter((name) => !allowedMethods.includes(name))) {
      const reply = await caller.call(method, path)
      expectStandard(reply, 405)
      expect(reply.headers.get("allow")?.split(", ").sort()).toEqual([...new Set(allowed)].sort())
      expect(reply.errors).toEqual([
        `This URL does not accept ${method} requests. It accepts: ${reply.headers.get("allow")}.`
      ])
    }
  })
})

describe("the language of error messages", () => {
  const english = "There is nothing at this address."

  const messageIn = async (language: string | undefined, locale = "en") => {
    const caller = await (await wireService()).given.realm({ default_locale: locale, available_locales: [locale] })
    const headers = language === undefined ? {} : { "accept-language": language }
    const reply = await caller.call("POST", "/v2/orgs", { body: { org: { name: " " } }, headers })
    expect([reply.status, reply.member("error_details", 0, "code")]).toEqual([422, "blank"])
    return [reply.headers.get("content-language"), reply.member("errors", 0)]
  }
  const inEnglish = ["en", "Name can't be blank."]
  const inSpanish = ["es", expect.not.stringContaining("blank")]

  test("is the best match for Accept-Language", async () => {
    expect(await messageIn("es")).toEqual(inSpanish)
    expect(await messageIn("ES-mx, en;q=0.5")).toEqual(inSpanish)
    expect(await messageIn("fr, de;q=0.9, es;q=0.2")).toEqual(inSpanish)
    expect(await messageIn("es;q=0.1, en;q=0.2")).toEqual(inEnglish)
    expect(await messageIn("es;q=0, en;q=0.1")).toEqual(inEnglish)
  })

  test("falls back to the realm's locale", async () => {
    expect(await messageIn(undefined, "es")).toEqual(inSpanish)
    expect(await messageIn("fr", "es-MX")).toEqual(inSpanish)
    expect(await messageIn("en", "es")).toEqual(inEnglish)
  })

  test("falls back to English for any other header", async () => {
    for (const header of ["fr", "", ";;;", "q=1", "*;q=", "x".repeat(5_000), "__proto__", "en-"]) {
      expect(await messageIn(header)).toEqual(inEnglish)
    }
    const caller = await realm()
    expect((await caller.call("GET", `/${uniqueText("nowhere")}`)).errors).toEqual([english])
  })
})
