import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { ConnectionFailed, RateLimited, SallyportError, TimedOut, Unavailable, UnexpectedAnswer } from "#client/Errors"
import type { FetchInit } from "#client/Fetch"
import type { SallyportOptions } from "#client/Options"
import { Sallyport } from "#client/Sallyport"

type Answer = () => Response | Promise<Response>

const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } })

const user = { id: "usr_1", object: "user" }

const done: Answer = () => json(200, user)

/** An error response as the service sends it. */
const refused =
  (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  () =>
    json(
      status,
      { errors: ["No."], error_details: [{ field: null, code, message: "No." }], request_id: "req_1" },
      headers
    )

const away: Answer = () => refused(503, "overloaded")()

const unreachable: Answer = () =>
  Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED 127.0.0.1:3000") }))

/** A client that gets these responses in order, and the time of each request in milliseconds after the first. */
const answering = (answers: ReadonlyArray<Answer>, options: Partial<SallyportOptions> = {}) => {
  const left = [...answers]
  const sent: Array<FetchInit & { readonly url: string; readonly at: number }> = []
  const begun = Date.now()
  const sallyport = new Sallyport({
    url: "https://id.example.com",
    key: "sk_1",
    ...options,
    fetch: async (url, init) => {
      sent.push({ url, ...init, at: Date.now() - begun })
      return (left.shift() ?? done)()
    }
  })
  return { sallyport, sent }
}

/** The result of a call after all its waits have passed. */
const outcome = async <A>(call: PromiseLike<A>): Promise<A | SallyportError> => {
  const settled = call.then(
    (value) => value,
    (error: unknown) => {
      if (error instanceof SallyportError) return error
      throw error
    }
  )
  await vi.runAllTimersAsync()
  return settled
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe("the retries of a failed attempt", () => {
  test.each([
    ["429", refused(429, "too_often")],
    ["502, a proxy's page", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
    ["503", away],
    ["504", () => new Response("", { status: 504 })],
    ["no connection", unreachable]
  ])("happen if a repetition is safe: %s", async (_, failing) => {
    const { sallyport, sent } = answering([failing, failing])
    expect(await outcome(sallyport.users.get("usr_1"))).toEqual(user)
    expect(sent.length).toBe(3)
  })

  test("are limited to two, with growing waits that are randomly shortened", async () => {
    const { sallyport, sent } = answering([away, away, away, away])
    expect(await outcome(sallyport.users.get("usr_1"))).toBeInstanceOf(Unavailable)
    const [first = 0, second = 0, third = 0, ...more] = sent.map(({ at }) => at)
    expect(more).toEqual([])
    expect(second - first).toBeGreaterThanOrEqual(250)
    expect(second - first).toBeLessThanOrEqual(500)
    expect(third - second).toBeGreaterThanOrEqual(500)
    expect(third - second).toBeLessThanOrEqual(1_000)
  })

  test("are limited by the call's setting, or otherwise by the client's", async () => {
    const { sallyport, sent } = answering(
      Array.from({ length: 9 }, () => away),
      { retries: 0 }
    )
    await outcome(sallyport.users.get("usr_1"))
    expect(sent.length).toBe(1)
    await outcome(sallyport.users.get("usr_1", {}, { retries: 4 }))
    expect(sent.length).toBe(6)
  })

  test("wait as long as the service requests, in seconds or until a date", async () => {
    const date = "Sun, 22 Nov 2026 10:00:00 GMT"
    const { sallyport, sent } = answering([
      refused(429, "too_often", { "retry-after": "7" }),
      refused(503, "overloaded", { date, "retry-after": "Sun, 22 Nov 2026 10:00:20 GMT" })
    ])
    expect(await outcome(sallyport.users.get("usr_1"))).toEqual(user)
    expect(sent.map(({ at }) => at)).toEqual([0, 7_000, 27_000])
  })

  test("don't happen if the wait exceeds a minute, and the error contains the wait", async () => {
    const { sallyport, sent } = answering([refused(429, "blocked", { "retry-after": "61" })])
    const failure = await outcome(sallyport.users.get("usr_1"))
    expect(failure).toBeInstanceOf(RateLimited)
    expect(failure).toMatchObject({ retryAfter: 61, status: 429, code: "blocked", requestId: "req_1" })
    expect(sent.length).toBe(1)
  })

  test.each([400, 401, 403, 404, 409, 413, 415, 422, 500, 501])("don't happen after status %i", async (status) => {
    const { sallyport, sent } = answering([refused(status, "not_found")])
    expect(await outcome(sallyport.users.get("usr_1"))).toMatchObject({ status })
    expect(sent.length).toBe(1)
  })
})

describe("a call that changes data", () => {
  test("is repeated with the same Idempotency-Key and body if the call creates a resource", async () => {
    const { sallyport, sent } = answering([away, unreachable])
    expect(await outcome(sallyport.users.create({ email: "ada@example.com" }))).toEqual(user)
    const keys = sent.map(({ headers }) => headers["idempotency-key"])
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(sent.map(({ body }) => body))).toEqual(new Set(['{"user":{"email":"ada@example.com"}}']))
  })

  test("waits for an earlier attempt that is still in progress", async () => {
    const { sallyport, sent } = answering([
      unreachable,
      refused(409, "idempotency_key_at_work", { "retry-after": "1" })
    ])
    expect(await outcome(sallyport.orgs.create({ name: "Acme" }))).toEqual(user)
    expect(sent.length).toBe(3)
  })

  test("has a different Idempotency-Key each time", async () => {
    const { sallyport, sent } = answering([])
    await outcome(sallyport.orgs.create({ name: "Acme" }))
    await outcome(sallyport.orgs.create({ name: "Acme" }))
    expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(2)
  })

  test("is repeated if the method is PUT or DELETE", async () => {
    const { sallyport, sent } = answering([away, done, away, () => new Response(null, { status: 204 })])
    expect(await outcome(sallyport.users.update("usr_1", {}))).toEqual(user)
    expect(await outcome(sallyport.users.delete("usr_1"))).toBeUndefined()
    expect(sent.map(({ method }) => method)).toEqual(["PUT", "PUT", "DELETE", "DELETE"])
  })

  test("is not repeated for any other POST unless the caller provides an Idempotency-Key", async () => {
    const { sallyport, sent } = answering([away, away])
    expect(await outcome(sallyport.invitations.invite("inv_1"))).toBeInstanceOf(Unavailable)
    expect(sent.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined])
    expect(await outcome(sallyport.invitations.invite("inv_1", {}, { idempotencyKey: "order-7" }))).toEqual(user)
    expect(sent.map(({ headers }) => headers["idempotency-key"])).toEqual([undefined, "order-7", "order-7"])
  })
})

describe("timeouts and signals", () => {
  const never: Answer = () => new Promise<Response>(() => undefined)

  /** A `fetch` that ends when its signal does, like the platform's. */
  const abortable = async (init: FetchInit): Promise<Response> =>
    new Promise((_, reject) => init.signal.addEventListener("abort", () => reject(init.signal.reason)))

  const waiting = (options: Partial<SallyportOptions> = {}) => {
    let attempts = 0
    const sallyport = new Sallyport({
      url: "https://id.example.com",
      key: "sk_1",
      ...options,
      fetch: (_, init) => {
        attempts += 1
        return abortable(init)
      }
    })
    return { sallyport, attempts: () => attempts }
  }

  test("end each attempt after 30 seconds by default, including retries", async () => {
    const { sallyport, attempts } = waiting()
    const failure = await outcome(sallyport.users.get("usr_1"))
    expect(failure).toBeInstanceOf(TimedOut)
    expect(failure).toMatchObject({
      message: "GET /v2/users/{user_id}: https://id.example.com did not respond within 30 seconds.",
      status: undefined
    })
    expect(attempts()).toBe(3)
  })

  test("can be set for a call or a client", async () => {
    const { sallyport } = waiting({ timeout: 5_000, retries: 0 })
    const begun = Date.now()
    await outcome(sallyport.users.get("usr_1"))
    expect(Date.now() - begun).toBe(5_000)
    await outcome(sallyport.users.get("usr_1", {}, { timeout: 1_500 }))
    expect(Date.now() - begun).toBe(6_500)
  })

  test("apply to the response body", async () => {
    const sallyport = new Sallyport({
      url: "https://id.example.com",
      key: "sk_1",
      retries: 0,
      fetch: async (_, init) => {
        const stalled = json(200, user)
        return Object.assign(stalled, { text: async () => (await abortable(init)).text() })
      }
    })
    expect(await outcome(sallyport.users.get("usr_1"))).toBeInstanceOf(TimedOut)
  })

  test("let a caller abort a call before, during and between attempts", async () => {
    const { sallyport, attempts } = waiting()
    const reason = new Error("The visitor has gone.")
    const signal = AbortSignal.abort(reason)
    await expect(sallyport.users.get("usr_1", {}, { signal })).rejects.toBe(reason)
    expect(attempts()).toBe(0)

    const during = new AbortController()
    const call = sallyport.users.get("usr_1", {}, { signal: during.signal })
    setTimeout(() => during.abort(reason), 1_000)
    await Promise.all([expect(call).rejects.toBe(reason), vi.runAllTimersAsync()])
    expect(attempts()).toBe(1)

    const between = new AbortController()
    const { sallyport: failing, sent } = answering([away, never])
    const repeated = failing.users.get("usr_1", {}, { signal: between.signal })
    setTimeout(() => between.abort(reason), 100)
    await Promise.all([expect(repeated).rejects.toBe(reason), vi.runAllTimersAsync()])
    expect(sent.length).toBe(1)
  })
})

describe("an unexpected response", () => {
  test("is reported with the start of the body if a proxy sent the response", async () => {
    const page = () => new Response("<h1>Welcome</h1>\n to nginx", { headers: { "content-type": "text/html" } })
    const { sallyport } = answering([page])
    const failure = await outcome(sallyport.users.get("usr_1"))
    expect(failure).toBeInstanceOf(UnexpectedAnswer)
    expect(failure).toMatchObject({
      status: 200,
      message:
        "GET /v2/users/{user_id}: The response is not from the service (200, text/html: <h1>Welcome</h1> to nginx). Check the client's `url` and any proxies."
    })
  })

  test("is not mistaken for a missing user if the response is a 404 page", async () => {
    const { sallyport } = answering([() => new Response("<h1>404</h1>", { status: 404 })])
    expect(await outcome(sallyport.users.get("usr_1"))).toBeInstanceOf(UnexpectedAnswer)
  })

  test("causes an error with the URL to use if the response redirects, and the key is not sent there", async () => {
    const headers = { location: "https://id.example.com/v2/users" }
    const { sallyport, sent } = answering([() => new Response(null, { status: 301, headers })])
    const failure = await outcome(sallyport.users.list())
    expect(failure).toBeInstanceOf(UnexpectedAnswer)
    expect(failure).toMatchObject({
      message: expect.stringContaining("Redirected to https://id.example.com/v2/users.")
    })
    expect(sent.map(({ redirect }) => redirect)).toEqual(["manual"])
  })

  test("is reported with the host and the reason if the connection is lost", async () => {
    const { sallyport } = answering([unreachable], { retries: 0 })
    const failure = await outcome(sallyport.users.get("usr_1"))
    expect(failure).toBeInstanceOf(ConnectionFailed)
    expect(failure).toMatchObject({
      message:
        "GET /v2/users/{user_id}: The connection to https://id.example.com failed (connect ECONNREFUSED 127.0.0.1:3000).",
      cause: expect.any(TypeError)
    })
  })

  test("is accepted with extra members and unknown codes of a newer service", async () => {
    const newer = { ...user, object: "user", shoe_size: 44 }
    const { sallyport } = answering([() => json(200, newer), refused(422, "left_handed")])
    expect(await outcome(sallyport.users.get("usr_1"))).toEqual(newer)
    expect(await outcome(sallyport.users.get("usr_1"))).toMatchObject({ _tag: "Invalid", code: "left_handed" })
  })
})
