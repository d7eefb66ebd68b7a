import { connect, type Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { afterEach, beforeEach, vi } from "vitest"
import { serve } from "#server/WebServer"

// Fakes only the interval at which the server checks. The timeouts themselves follow the service's clock.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }))
afterEach(() => void vi.useRealTimers())

/** A server that reads each request body to its end and signals when it starts reading one. */
const setting = Effect.gen(function* () {
  const begun = new Map<string, Deferred.Deferred<void>>()
  const beginning = (url: string) => {
    const known = begun.get(url) ?? Deferred.makeUnsafe<void>()
    begun.set(url, known)
    return known
  }
  const read = HttpRouter.use((router) =>
    router.add(
      "POST",
      "/*",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        yield* Deferred.succeed(beginning(request.url), undefined)
        return HttpServerResponse.text(yield* Effect.orDie(request.text))
      })
    )
  )
  const address = {
    port: 0,
    host: "127.0.0.1",
    publicUrl: "http://localhost",
    loginDomain: "localhost",
    region: "local"
  }
  const context = yield* Layer.build(serve(read, address))
  const { address: bound } = yield* HttpServer.HttpServer.pipe(Effect.provideContext(context))
  const port = bound._tag === "UnixPathAddress" ? 0 : bound.port
  return { port, begun: (url: string) => Deferred.await(beginning(url)) }
})

/**
 * Sends a request head that announces ten bytes, followed by the part of the body in `sent`. `answer` is the whole
 * response, available once the server has closed the connection.
 */
const post = (port: number, path: string, sent: string) => {
  const socket: Socket = connect(port, "127.0.0.1")
  let text = ""
  const answer = new Promise<string>((done) => {
    socket.on("data", (chunk) => (text += chunk)).on("close", () => done(text))
  })
  const head = [`POST ${path} HTTP/1.1`, "Host: localhost", "Content-Length: 10", "", sent]
  socket.write(head.join("\r\n"))
  return { socket, answer, text: () => text }
}

/** Advances the clock by some seconds and lets the server check its timeouts. */
const pass = (seconds: number) =>
  Effect.andThen(
    TestClock.adjust(`${seconds} seconds`),
    Effect.sync(() => vi.advanceTimersByTime(5_000))
  )

it.effect("a body that takes longer than 30 seconds gets 408, and the connection is closed", () =>
  Effect.gen(function* () {
    const { port, begun } = yield* setting
    const slow = post(port, "/slow", "half")
    yield* begun("/slow")
    yield* pass(29)
    const late = post(port, "/late", "half")
    yield* begun("/late")
    expect(slow.text()).toBe("")
    yield* pass(1)
    const answer = yield* Effect.promise(() => slow.answer)
    const [head = "", body = ""] = answer.split("\r\n\r\n")
    expect([head.split("\r\n")[0], /^connection: close$/m.test(head)]).toEqual(["HTTP/1.1 408 Request Timeout", true])
    expect(JSON.parse(body)).toEqual({
      errors: [expect.any(String)],
      error_details: [expect.any(Object)],
      request_id: expect.stringMatching(/^req_/)
    })
    // A request that started later has its full 30 seconds.
    late.socket.write(" of it")
    yield* Effect.promise(() => vi.waitUntil(() => late.text().includes("half of it")))
    expect(late.text()).toMatch(/^HTTP\/1\.1 200 /)
    late.socket.destroy()
  })
)

it.effect("bodies that were already received and streamed imports have no timeout", () =>
  Effect.gen(function* () {
    const { port, begun } = yield* setting
    const [done, streamed] = [post(port, "/done", "0123456789"), post(port, "/v2/imports", "half")]
    yield* begun("/v2/imports")
    yield* Effect.promise(() => vi.waitUntil(() => done.text().includes("0123456789")))
    yield* pass(60)
    done.socket.write("POST /again HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nagain")
    yield* Effect.promise(() => vi.waitUntil(() => done.text().endsWith("again")))
    streamed.socket.write(" of it")
    yield* Effect.promise(() => vi.waitUntil(() => streamed.text().includes("half of it")))
    expect([done, streamed].map(({ text }) => text().startsWith("HTTP/1.1 200 "))).toEqual([true, true])
    for (const { socket } of [done, streamed]) socket.destroy()
  })
)
