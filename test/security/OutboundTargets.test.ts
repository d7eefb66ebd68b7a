import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { targetProblem } from "#platform/OutboundPolicy"
import { brokenHosts, privateAddresses, privateHosts, publicHosts } from "../support/privateTargets.ts"
import { canary, certificate, outbound, receiver, scoped, secureName } from "../support/receivers.ts"

/** A loopback address that represents a public address. The canary listens at 127.0.0.1. */
const PUBLIC = "127.0.0.2"
const PRIVATE = "127.0.0.1"

afterEach(() => {
  vi.unstubAllEnvs()
})

/** An outbound client that blocks private targets. */
const guardedOutbound = (sockets: Parameters<typeof outbound>[1] = {}) =>
  outbound(false, { limit: 2_000, ca: certificate, ...sockets })

/** Posts without blocking private targets and closes the connection after the response. */
const postUnguarded = (url: string) => Effect.scoped(Effect.flatMap(outbound(true), (post) => post(url)))

/** A resolver that returns the answers in turn and then repeats the last answer. */
const resolver = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const remaining = [...answers]
  return vi.fn(async (_name: string) => {
    const answer = (remaining.length > 1 ? remaining.shift() : remaining[0]) ?? []
    return answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
  })
}

const isAllowed = (address: string) => address === PUBLIC

describe("SEC-67: target URLs (CVE-2026-5469, CVE-2024-29415, CVE-2026-43929, CVE-2025-67494)", () => {
  it("are tested in more than 60 spellings", () => {
    expect(new Set(privateHosts).size).toBe(privateHosts.length)
    expect(privateHosts.length).toBeGreaterThan(60)
  })

  it.each(privateHosts)("rejects https://%s as a private target", (host) => {
    expect(targetProblem(`https://${host}/x`, false)).toBe("target_private")
    expect(targetProblem(`https://${host}:8443`, false)).toBe("target_private")
    expect(targetProblem(`https://${host}/x`, true)).toBeUndefined()
  })

  it.each(brokenHosts)("rejects https://%j as an invalid URL", (host) => {
    expect([targetProblem(`https://${host}/`, false), targetProblem(`https://${host}/`, true)]).toEqual([
      "url_form",
      "url_form"
    ])
  })

  it.each(publicHosts)("accepts https://%s", (host) => {
    expect(targetProblem(`https://${host}/x`, false)).toBeUndefined()
  })

  it.each([
    ["http://example.com/", "target_scheme"],
    ["HTTP://127.0.0.1/", "target_scheme"],
    ["https://a:b@example.com/", "url_parts"],
    ["https://example.com@127.0.0.1/", "url_parts"],
    ["https://example.com/#@127.0.0.1", "url_parts"],
    ["ftp://example.com/", "url_form"],
    ["file:///etc/passwd", "url_form"],
    ["gopher://127.0.0.1:6379/_INFO", "url_form"],
    ["https:example.com", "url_form"]
  ])("rejects %s as %s", (url, problem) => {
    expect(targetProblem(url, false)).toBe(problem)
  })

  it.live("are never contacted if private, even if already stored", () =>
    Effect.gen(function* () {
      const victim = yield* scoped(canary)
      const ask = resolver([PRIVATE])
      const post = yield* guardedOutbound({ resolve: ask })
      for (const host of [...privateHosts, ...brokenHosts]) {
        for (const url of [`https://${host}:${victim.port}/`, `http://${host}:${victim.port}/`]) {
          expect([url, yield* post(url)]).toEqual([url, "forbidden"])
        }
      }
      expect([victim.sockets.length, ask.mock.calls]).toEqual([0, []])
    })
  )
})

describe("SEC-67: resolved addresses (CVE-2026-27945, CVE-2026-55671, CVE-2024-49753, CVE-2026-4874)", () => {
  it.live.each(privateAddresses)("doesn't connect to a name that resolves to %j", (address) =>
    Effect.gen(function* () {
      const victim = yield* scoped(canary)
      const post = yield* guardedOutbound({ resolve: resolver([address]) })
      expect(yield* post(`https://${secureName}:${victim.port}/`)).toBe("forbidden")
      expect(victim.sockets.length).toBe(0)
    })
  )

  it.live("doesn't connect to a name that resolves to both a public and a private address", () =>
    Effect.gen(function* () {
      const open = yield* scoped(() => receiver((_, response) => response.end(), { secure: true, host: PUBLIC }))
      const victim = yield* scoped(() => canary({ port: open.port }))
      for (const answer of [
        [PUBLIC, PRIVATE],
        [PRIVATE, PUBLIC]
      ]) {
        const post = yield* guardedOutbound({ isAllowed, resolve: resolver(answer) })
        expect(yield* post(`https://${secureName}:${open.port}/`)).toBe("forbidden")
      }
      expect([open.sockets.length, victim.sockets.length]).toEqual([0, 0])
    })
  )

  it.live("connects to the checked address, even if the name resolves differently afterward (rebinding)", () =>
    Effect.gen(function* () {
      const open = yield* scoped(() =>
        receiver((_, response) => response.setHeader("connection", "close").end("public"), {
          secure: true,
          host: PUBLIC
        })
      )
      const victim = yield* scoped(() => canary({ port: open.port }))
      const ask = resolver([PUBLIC], [PRIVATE])
      const post = yield* guardedOutbound({ isAllowed, resolve: ask })
      const url = `https://${secureName}:${open.port}/hook`
      expect(yield* post(url, { body: "one" })).toEqual({ status: 200, retryAfter: undefined, excerpt: "public" })
      expect([ask.mock.calls.length, victim.sockets.length]).toEqual([1, 0])
      expect(yield* post(url, { body: "two" })).toBe("forbidden")
      expect([ask.mock.calls.length, victim.sockets.length]).toEqual([2, 0])
      expect(open.requests.map(({ body }) => body)).toEqual(["one"])
    })
  )

  it.live("sends no bytes, not even for TLS, if the connection reaches a private address", () =>
    Effect.gen(function* () {
      const victim = yield* scoped(canary)
      let asked = 0
      const onlyAtFirst = () => asked++ === 0
      const post = yield* guardedOutbound({ isAllowed: onlyAtFirst, resolve: resolver([PRIVATE]) })
      expect(yield* post(`https://${secureName}:${victim.port}/`)).toBe("forbidden")
      expect(asked).toBe(2)
      yield* Effect.promise(() =>
        vi.waitFor(() => expect(victim.sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
      )
      expect(victim.received()).toBe(0)
    })
  )

  it.live("reports a name that can't be resolved as unreachable", () =>
    Effect.gen(function* () {
      const failing = () => Promise.reject(new Error("ENOTFOUND"))
      for (const resolve of [resolver([]), failing]) {
        const post = yield* guardedOutbound({ resolve })
        expect(yield* post(`https://${secureName}/`)).toBe("unreachable")
      }
    })
  )
})

describe("SEC-68: bypasses (CVE-2025-67494, CVE-2026-27945, CVE-2026-55671, CVE-2024-49753)", () => {
  it.live.each([301, 302, 303, 307, 308])(
    "returns a redirect (%i) to loopback without following the redirect",
    (status) =>
      Effect.gen(function* () {
        const victim = yield* scoped(canary)
        const location = `http://${PRIVATE}:${victim.port}/`
        const open = yield* scoped(() =>
          receiver((_, response) => response.writeHead(status, { location }).end(), { secure: true, host: PUBLIC })
        )
        const plain = yield* scoped(() => receiver((_, response) => response.writeHead(status, { location }).end()))
        const post = yield* guardedOutbound({ isAllowed, resolve: resolver([PUBLIC]) })
        expect(yield* post(`https://${secureName}:${open.port}/`)).toMatchObject({ status })
        expect(yield* postUnguarded(`http://${PRIVATE}:${plain.port}/`)).toMatchObject({ status })
        expect([victim.sockets.length, open.requests.length, plain.requests.length]).toEqual([0, 1, 1])
      })
  )

  it.live("ignores the proxy settings of the environment", () =>
    Effect.gen(function* () {
      const proxy = yield* scoped(canary)
      for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]) {
        vi.stubEnv(name, `http://${PRIVATE}:${proxy.port}`)
      }
      vi.stubEnv("NODE_USE_ENV_PROXY", "1")
      const open = yield* scoped(() =>
        receiver((_, response) => response.end("direct"), { secure: true, host: PUBLIC })
      )
      const post = yield* guardedOutbound({ isAllowed, resolve: resolver([PUBLIC]) })
      expect(yield* post(`https://${secureName}:${open.port}/`)).toMatchObject({ status: 200, excerpt: "direct" })
      expect(proxy.sockets.length).toBe(0)
    })
  )

  it.live("sends no request if the certificate is untrusted or for another name", () =>
    Effect.gen(function* () {
      const open = yield* scoped(() => receiver((_, response) => response.end(), { secure: true, host: PUBLIC }))
      const resolved = { isAllowed, resolve: resolver([PUBLIC]) }
      const withoutAuthorities = yield* guardedOutbound({ ...resolved, ca: "" })
      expect(yield* withoutAuthorities(`https://${secureName}:${open.port}/`)).toBe("unreachable")
      const post = yield* guardedOutbound(resolved)
      expect(yield* post(`https://other.example.test:${open.port}/`)).toBe("unreachable")
      expect(open.requests).toEqual([])
    })
  )
})

describe("SEC-69: response excerpts", () => {
  const excerptOf = Effect.fnUntraced(function* (body: Uint8Array | string) {
    const open = yield* scoped(() => receiver((_, response) => response.end(body)))
    const answer = yield* postUnguarded(`http://${PRIVATE}:${open.port}/`)
    return typeof answer === "string" ? answer : answer.excerpt
  })

  it.live("are empty for a forbidden target", () =>
    Effect.gen(function* () {
      const victim = yield* scoped(canary)
      const post = yield* guardedOutbound({ resolve: resolver([PRIVATE]) })
      expect(yield* post(`https://${PRIVATE}:${victim.port}/`)).toBe("forbidden")
      expect(yield* post(`https://${secureName}:${victim.port}/`)).toBe("forbidden")
    })
  )

  it.live.each([
    ["short", "thanks", "thanks"],
    ["empty", "", ""],
    ["1,024 bytes", "a".repeat(1_024), "a".repeat(1_024)],
    ["longer text", "a".repeat(1_025), "a".repeat(1_024)],
    ["cut within a character", `a${"é".repeat(600)}`, `a${"é".repeat(511)}`],
    ["cut within a surrogate pair", `a${"😀".repeat(300)}`, `a${"😀".repeat(255)}`],
    ["with NUL", "a\0b", "a\uFFFDb"]
  ] as const)("contain at most 1,024 bytes of text: %s", ([, body, excerpt]) =>
    Effect.gen(function* () {
      expect(yield* excerptOf(body)).toBe(excerpt)
    })
  )

  it.live.each([
    ["binary data", Buffer.alloc(5_000, 0xff)],
    ["a lone surrogate", Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62])],
    ["only NULs", Buffer.alloc(5_000)]
  ] as const)("contain at most 1 KB of text for %s", ([, body]) =>
    Effect.gen(function* () {
      const excerpt = yield* excerptOf(body)
      expect(excerpt.isWellFormed()).toBe(true)
      expect(excerpt).not.toContain("\0")
      expect(excerpt).toContain("\uFFFD")
      expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1_024)
    })
  )
})
