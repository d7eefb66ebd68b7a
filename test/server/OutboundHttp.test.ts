import { getEventListeners } from "node:events"
import type { RequestListener } from "node:http"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { anySockets, connector, NotConnected } from "#server/OutboundSockets"
import { canary, certificate, type Listening, outbound, receiver, secureName, silence } from "../support/receivers.ts"

const closing: Array<() => Promise<void>> = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const kept = (listening: Listening): Listening => {
  closing.unshift(listening.stop)
  return listening
}

const receiving = async (answer: RequestListener) => {
  const listening = kept(await receiver(answer))
  return { ...listening, url: `http://127.0.0.1:${listening.port}/hook?a=b` }
}

const wayOut = async (sockets: Parameters<typeof outbound>[1] = {}) => {
  const way = await outbound(true, sockets)
  closing.unshift(way.close)
  return way
}

describe("An answer", () => {
  test("has its status, its Retry-After and the beginning of its body", async () => {
    const { url, requests } = await receiving((_, response) =>
      response.writeHead(503, { "retry-after": "120" }).end("later")
    )
    const answer = await (await wayOut()).post(url, { headers: { "webhook-id": "msg_1" }, body: '{"é":1}' })
    expect(answer).toEqual({ status: 503, retryAfter: "120", excerpt: "later" })
    expect(requests).toEqual([{ method: "POST", path: "/hook?a=b", body: '{"é":1}' }])
  })

  test.each([200, 204, 304, 400, 410, 500])("may be %i", async (status) => {
    const { url } = await receiving((_, response) => response.writeHead(status).end())
    expect(await (await wayOut()).post(url)).toEqual({ status, retryAfter: undefined, excerpt: "" })
  })

  test("comes over TLS too", async () => {
    const { port } = kept(await receiver((_, response) => response.end("ok"), { secure: true }))
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }]
    const { post } = await wayOut({ resolve, ca: certificate })
    expect(await post(`https://${secureName}:${port}/`)).toMatchObject({ status: 200, excerpt: "ok" })
    expect(await post(`https://${secureName}.:${port}/`)).toMatchObject({ status: 200, excerpt: "ok" })
  })

  test("after a word that it will come is what counts", async () => {
    const { url } = await receiving((_, response) => {
      response.writeEarlyHints({ link: "</a>; rel=preload" })
      response.writeHead(202, { "retry-after": "1" }).end("so")
    })
    expect(await (await wayOut()).post(url)).toEqual({ status: 202, retryAfter: "1", excerpt: "so" })
  })

  test("of 10 MB costs its first KB", async () => {
    const body = Buffer.alloc(10_000_000, "x")
    const { url, sockets } = await receiving((_, response) => response.end(body))
    const { post } = await wayOut()
    expect(await post(url)).toEqual({ status: 200, retryAfter: undefined, excerpt: "x".repeat(1_024) })
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
    expect(await post(url)).toMatchObject({ status: 200 })
  })

  test("leaves its connection to those that follow", async () => {
    const { url, sockets } = await receiving((_, response) => response.end("thanks"))
    const { post } = await wayOut()
    for (let count = 0; count < 9; count++) expect(await post(url)).toMatchObject({ status: 200 })
    expect(sockets.length).toBeLessThanOrEqual(2)
  })

  test("comes to each of many at once, and one that hangs delays no other", async () => {
    const { url, sockets } = await receiving((request, response) => {
      if (request.url !== "/hang") response.end(request.url)
    })
    const { post } = await wayOut({ limit: 1_000 })
    const at = (path: string) => post(new URL(path, url).href)
    const hung = at("/hang")
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => at(`/${n}`)))
    expect(answers).toEqual(answers.map((_, n) => ({ status: 200, retryAfter: undefined, excerpt: `/${n}` })))
    expect(await hung).toBe("timed_out")
    expect(sockets.length).toBeLessThanOrEqual(32)
  })
})

describe("No answer", () => {
  const soon = { limit: 300 }

  test("within the limit is timed_out, and ends the connection", async () => {
    const { url, sockets } = await receiving(() => {})
    const begun = performance.now()
    expect(await (await wayOut(soon)).post(url)).toBe("timed_out")
    expect(performance.now() - begun).toBeLessThan(1_500)
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
  })

  test("that ends within the limit, byte by byte, is timed_out", async () => {
    const { url, sockets } = await receiving((_, response) => {
      const dripping = setInterval(() => response.write("."), 20)
      response.on("close", () => clearInterval(dripping))
    })
    expect(await (await wayOut(soon)).post(url)).toBe("timed_out")
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
  })

  test("whose headers end within the limit is timed_out", async () => {
    const { url } = await receiving((_, response) => {
      const dripping = setInterval(() => response.socket?.write("x"), 20)
      response.socket?.write("HTTP/1.1 200 OK\r\n")
      response.on("close", () => clearInterval(dripping))
    })
    expect(await (await wayOut(soon)).post(url)).toBe("timed_out")
  })

  test("to a handshake is timed_out", async () => {
    const { port, sockets } = kept(await silence())
    expect(await (await wayOut(soon)).post(`https://127.0.0.1:${port}/`)).toBe("timed_out")
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
  })

  test("from the name servers is timed_out", async () => {
    const { post } = await wayOut({ ...soon, resolve: () => new Promise(() => {}) })
    expect(await post(`https://${secureName}/`)).toBe("timed_out")
  })

  test("is a matter of real time, whatever the clock of the service does", async () => {
    const { url } = await receiving(() => {})
    const { posted } = await wayOut(soon)
    expect(await Effect.runPromise(posted(url).pipe(Effect.provide(TestClock.layer())))).toBe("timed_out")
  })

  test.each<[string, RequestListener]>([
    ["before the answer", (request) => request.socket.destroy()],
    [
      "within its body",
      (request, response) =>
        response.writeHead(200, { "content-length": 9 }).write("half", () => request.socket.destroy())
    ],
    ["within a chunk", (request) => request.socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab")]
  ])("that is broken off %s is broken_off", async (_, answer) => {
    const { url } = await receiving(answer)
    expect(await (await wayOut()).post(url)).toBe("broken_off")
  })

  test.each([
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
    ["too many headers", `HTTP/1.1 200 OK\r\n${`x-a: ${"a".repeat(1_000)}\r\n`.repeat(20)}\r\n`]
  ])("but %s is broken_off", async (_, text) => {
    const { url } = await receiving((request) => request.socket.end(text))
    expect(await (await wayOut()).post(url)).toBe("broken_off")
  })

  test("from where nobody listens, or no TLS is spoken, is unreachable", async () => {
    const gone = await canary()
    await gone.stop()
    const { post } = await wayOut()
    expect(await post(`http://127.0.0.1:${gone.port}/`)).toBe("unreachable")
    const plain = kept(await canary())
    expect(await post(`https://127.0.0.1:${plain.port}/`)).toBe("unreachable")
  })

  test("is awaited by nobody once the fiber is interrupted", async () => {
    const { url, sockets, requests } = await receiving(() => {})
    const { posted } = await wayOut()
    const fiber = Effect.runFork(posted(url))
    await vi.waitFor(() => expect(requests.length).toBe(1))
    await Effect.runPromise(Fiber.interrupt(fiber))
    await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
  })

  test("is broken_off when the service stops", async () => {
    const { url, requests } = await receiving(() => {})
    const way = await outbound(true)
    const hung = way.post(url)
    await vi.waitFor(() => expect(requests.length).toBe(1))
    await way.close()
    expect(await hung).toBe("broken_off")
  })
})

test("Connections that came to nothing, or are over, are not held on to (RG-07)", async () => {
  const { port, stop } = await receiver((_, response) => response.end())
  const leaving = new AbortController()
  const connect = connector({ ...anySockets, limit: 1_000 }, leaving.signal)
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
