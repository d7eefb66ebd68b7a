import { getEventListeners } from "node:events"
import type { RequestListener } from "node:http"
import { describe, expect, it, vi } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { OUTBOUND_HEADER, Outbound, OutboundFailed, ResponseTooLarge } from "#platform/Outbound"
import { layer } from "#server/OutboundHttp"
import { connector, NotConnected, unrestrictedSockets } from "#server/OutboundSockets"
import {
  canary,
  certificate,
  type Listening,
  outbound,
  receiver,
  scoped,
  secureName,
  silentServer
} from "../support/receivers.ts"

const receiving = (answer: RequestListener) =>
  Effect.map(
    scoped(() => receiver(answer)),
    (listening) => ({ ...listening, url: `http://127.0.0.1:${listening.port}/hook?a=b` })
  )

const outboundPost = (sockets?: Parameters<typeof outbound>[1]) => outbound(true, sockets)

/** Waits until the only connection is closed. */
const disconnected = (sockets: Listening["sockets"]) =>
  Effect.promise(() => vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true])))

/** Waits until one request has arrived. */
const requested = (requests: Listening["requests"]) =>
  Effect.promise(() => vi.waitFor(() => expect(requests.length).toBe(1)))

describe("a response", () => {
  it.live("SEC-248: has a header of its own, and returns status, Retry-After and the start of the body", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* receiving(({ headers }, response) =>
        response.writeHead(503, { "retry-after": "120" }).end(`mark ${String(headers[OUTBOUND_HEADER])}`)
      )
      const post = yield* outboundPost()
      const answer = yield* post(url, { headers: { "webhook-id": "msg_1" }, body: '{"é":1}' })
      expect(answer).toEqual({ status: 503, retryAfter: "120", excerpt: "mark 1" })
      expect(requests).toEqual([{ method: "POST", path: "/hook?a=b", body: '{"é":1}' }])
    })
  )

  it.live.each([200, 204, 304, 400, 410, 500])("can have the status %i", (status) =>
    Effect.gen(function* () {
      const { url } = yield* receiving((_, response) => response.writeHead(status).end())
      const post = yield* outboundPost()
      expect(yield* post(url)).toEqual({ status, retryAfter: undefined, excerpt: "" })
    })
  )

  it.live("can arrive over TLS", () =>
    Effect.gen(function* () {
      const { port } = yield* scoped(() => receiver((_, response) => response.end("ok"), { secure: true }))
      const resolve = async () => [{ address: "127.0.0.1", family: 4 }]
      const post = yield* outboundPost({ resolve, ca: certificate })
      expect(yield* post(`https://${secureName}:${port}/`)).toMatchObject({ status: 200, excerpt: "ok" })
      expect(yield* post(`https://${secureName}.:${port}/`)).toMatchObject({ status: 200, excerpt: "ok" })
    })
  )

  it.live("is the final response, not the informational response (103) before it", () =>
    Effect.gen(function* () {
      const { url } = yield* receiving((_, response) => {
        response.writeEarlyHints({ link: "</a>; rel=preload" })
        response.writeHead(202, { "retry-after": "1" }).end("so")
      })
      const post = yield* outboundPost()
      expect(yield* post(url)).toEqual({ status: 202, retryAfter: "1", excerpt: "so" })
    })
  )

  it.live("is read only up to the first KB of 10 MB", () =>
    Effect.gen(function* () {
      const body = Buffer.alloc(10_000_000, "x")
      const { url, sockets } = yield* receiving((_, response) => response.end(body))
      const post = yield* outboundPost()
      expect(yield* post(url)).toEqual({ status: 200, retryAfter: undefined, excerpt: "x".repeat(1_024) })
      yield* disconnected(sockets)
      expect(yield* post(url)).toMatchObject({ status: 200 })
    })
  )

  it.live("frees its connection for later requests", () =>
    Effect.gen(function* () {
      const { url, sockets } = yield* receiving((_, response) => response.end("thanks"))
      const post = yield* outboundPost()
      for (let count = 0; count < 9; count++) expect(yield* post(url)).toMatchObject({ status: 200 })
      expect(sockets.length).toBeLessThanOrEqual(2)
    })
  )

  it.live("is returned to each of many concurrent requests, even if one request hangs", () =>
    Effect.gen(function* () {
      const { url, sockets } = yield* receiving((request, response) => {
        if (request.url !== "/hang") response.end(request.url)
      })
      const post = yield* outboundPost({ limit: 1_000 })
      const at = (path: string) => post(new URL(path, url).href)
      const hung = yield* Effect.forkChild(at("/hang"), { startImmediately: true })
      const paths = Array.from({ length: 40 }, (_, n) => `/${n}`)
      const answers = yield* Effect.forEach(paths, at, { concurrency: "unbounded" })
      expect(answers).toEqual(paths.map((path) => ({ status: 200, retryAfter: undefined, excerpt: path })))
      expect(yield* Fiber.join(hung)).toBe("timed_out")
      expect(sockets.length).toBeLessThanOrEqual(32)
    })
  )
})

describe("a failed request", () => {
  const soon = { limit: 300 }

  it.live("is timed_out without a response within the limit, and the connection is closed", () =>
    Effect.gen(function* () {
      const { url, sockets } = yield* receiving(() => {})
      const post = yield* outboundPost(soon)
      const begun = performance.now()
      expect(yield* post(url)).toBe("timed_out")
      expect(performance.now() - begun).toBeLessThan(10_000)
      yield* disconnected(sockets)
    })
  )

  it.live("is timed_out without a response within the request's own limit (SEC-140)", () =>
    Effect.gen(function* () {
      const { url, sockets } = yield* receiving(() => {})
      const services = yield* Layer.build(layer({ allowPrivateTargets: true }))
      const question = { method: "GET", url, headers: {}, body: undefined, timeLimit: 50 } as const
      const failure = yield* Effect.flip(Context.get(services, Outbound).request(question))
      expect(failure).toEqual(new OutboundFailed({ reason: "timed_out" }))
      yield* disconnected(sockets)
    })
  )

  it.live("is too large if the response exceeds the request's byte limit (SEC-190)", () =>
    Effect.gen(function* () {
      const { url } = yield* receiving((_, response) =>
        response
          .writeHead(200, { "cache-control": "max-age=60", "content-type": "application/json" })
          .end("x".repeat(20))
      )
      const services = yield* Layer.build(layer({ allowPrivateTargets: true }))
      const { request } = Context.get(services, Outbound)
      const question = { method: "GET", url, headers: {}, body: undefined } as const
      expect(yield* request({ ...question, maxBytes: 20 })).toEqual({
        status: 200,
        contentType: "application/json",
        cacheControl: "max-age=60",
        body: "x".repeat(20)
      })
      expect(yield* Effect.flip(request({ ...question, maxBytes: 19 }))).toEqual(new ResponseTooLarge())
    })
  )

  it.live("is timed_out when the body arrives too slowly, byte by byte", () =>
    Effect.gen(function* () {
      const { url, sockets } = yield* receiving((_, response) => {
        const dripping = setInterval(() => response.write("."), 20)
        response.on("close", () => clearInterval(dripping))
      })
      const post = yield* outboundPost(soon)
      expect(yield* post(url)).toBe("timed_out")
      yield* disconnected(sockets)
    })
  )

  it.live("is timed_out when the headers arrive too slowly", () =>
    Effect.gen(function* () {
      const { url } = yield* receiving((_, response) => {
        const dripping = setInterval(() => response.socket?.write("x"), 20)
        response.socket?.write("HTTP/1.1 200 OK\r\n")
        response.on("close", () => clearInterval(dripping))
      })
      const post = yield* outboundPost(soon)
      expect(yield* post(url)).toBe("timed_out")
    })
  )

  it.live("is timed_out when the TLS handshake stalls", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* scoped(silentServer)
      const post = yield* outboundPost(soon)
      expect(yield* post(`https://127.0.0.1:${port}/`)).toBe("timed_out")
      yield* disconnected(sockets)
    })
  )

  it.live("is timed_out when the name servers don't respond", () =>
    Effect.gen(function* () {
      const post = yield* outboundPost({ ...soon, resolve: () => new Promise(() => {}) })
      expect(yield* post(`https://${secureName}/`)).toBe("timed_out")
    })
  )

  // `it.effect` gives the program a clock that doesn't advance.
  it.effect("times out in real time, independently of the service's clock", () =>
    Effect.gen(function* () {
      const { url } = yield* receiving(() => {})
      const post = yield* outboundPost(soon)
      expect(yield* post(url)).toBe("timed_out")
    })
  )

  it.live.each<readonly [string, RequestListener]>([
    ["before the response", (request) => request.socket.destroy()],
    [
      "within the response body",
      (request, response) =>
        response.writeHead(200, { "content-length": 9 }).write("half", () => request.socket.destroy())
    ],
    ["within a chunk", (request) => request.socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab")]
  ])("is broken_off when the connection ends %s", ([, answer]) =>
    Effect.gen(function* () {
      const { url } = yield* receiving(answer)
      const post = yield* outboundPost()
      expect(yield* post(url)).toBe("broken_off")
    })
  )

  it.live.each([
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["too many headers", `HTTP/1.1 200 OK\r\n${`x-a: ${"a".repeat(1_000)}\r\n`.repeat(20)}\r\n`]
  ] as const)("is broken_off when the server sends %s", ([, text]) =>
    Effect.gen(function* () {
      const { url } = yield* receiving((request) => request.socket.end(text))
      const post = yield* outboundPost()
      expect(yield* post(url)).toBe("broken_off")
    })
  )

  it.live("is unreachable if no server listens or the server doesn't speak TLS", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(scoped(canary))
      const post = yield* outboundPost()
      expect(yield* post(`http://127.0.0.1:${gone.port}/`)).toBe("unreachable")
      const plain = yield* scoped(canary)
      expect(yield* post(`https://127.0.0.1:${plain.port}/`)).toBe("unreachable")
    })
  )

  it.live("is abandoned when its fiber is interrupted", () =>
    Effect.gen(function* () {
      const { url, sockets, requests } = yield* receiving(() => {})
      const post = yield* outboundPost()
      const fiber = yield* Effect.forkChild(post(url))
      yield* requested(requests)
      yield* Fiber.interrupt(fiber)
      yield* disconnected(sockets)
    })
  )

  it.live("is broken_off when the service stops", () =>
    Effect.gen(function* () {
      const { url, requests } = yield* receiving(() => {})
      const service = yield* Scope.make()
      const post = yield* Scope.provide(outboundPost(), service)
      const hung = yield* Effect.forkChild(post(url))
      yield* requested(requests)
      yield* Scope.close(service, Exit.void)
      expect(yield* Fiber.join(hung)).toBe("broken_off")
    })
  )
})

it("connections that failed or have ended are released (RG-07)", async () => {
  const { port, stop } = await receiver((_, response) => response.end())
  const leaving = new AbortController()
  const connect = connector({ ...unrestrictedSockets, limit: 1_000 }, leaving.signal)
  const before = getEventListeners(leaving.signal, "abort").length
  for (const to of [1, port, 1, port, 1]) {
    await new Promise<void>((resolve) =>
      connect({ hostname: "127.0.0.1", port: String(to), protocol: "http:" }, (...[, socket]) => {
        socket?.destroy()
        resolve()
      })
    )
  }
  expect(getEventListeners(leaving.signal, "abort").length).toBe(before)
  leaving.abort()
  await stop()
  const late = await new Promise((resolve) =>
    connect({ hostname: "127.0.0.1", port: "1", protocol: "http:" }, (...[error]) => resolve(error))
  )
  expect(late).toBeInstanceOf(NotConnected)
})
