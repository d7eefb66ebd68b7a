import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import { targetProblem } from "#platform/OutboundPolicy"
import { brokenHosts, privateAddresses, privateHosts, publicHosts } from "../support/privateTargets.ts"
import { canary, certificate, outbound, receiver, scoped, secureName } from "../support/receivers.ts"

/** A second address of this machine, which stands for a public one; the canary sits at 127.0.0.1. */
const PUBLIC = "127.0.0.2"
const PRIVATE = "127.0.0.1"

afterEach(() => {
  vi.unstubAllEnvs()
})

/** The way out with its guard up. */
const guarded = (sockets: Parameters<typeof outbound>[1] = {}) =>
  outbound(false, { limit: 2_000, ca: certificate, ...sockets })

/** Posts by a way out without a guard, which closes after the answer. */
const postAnywhere = (url: string) => Effect.scoped(Effect.flatMap(outbound(true), (post) => post(url)))

/** A resolver that answers in turn, the last answer from then on. */
const resolver = (...answers: ReadonlyArray<ReadonlyArray<string>>) => {
  const ahead = [...answers]
  return vi.fn(async (_name: string) => {
    const answer = (ahead.length > 1 ? ahead.shift() : ahead[0]) ?? []
    return answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
  })
}

const isAllowed = (address: string) => address === PUBLIC

describe("SEC-67: what a URL tells (CVE-2026-5469, CVE-2024-29415, CVE-2026-43929, CVE-2025-67494)", () => {
  it("the table holds at least 60 spellings, each once", () => {
    expect(new Set(privateHosts).size).toBe(privateHosts.length)
    expect(privateHosts.length).toBeGreaterThan(60)
  })

  it.each(privateHosts)("https://%s is refused when it is written", (host) => {
    expect(targetProblem(`https://${host}/x`, false)).toBe("target_private")
    expect(targetProblem(`https://${host}:8443`, false)).toBe("target_private")
    expect(targetProblem(`https://${host}/x`, true)).toBeUndefined()
  })

  it.each(brokenHosts)("https://%j is no URL", (host) => {
    expect([targetProblem(`https://${host}/`, false), targetProblem(`https://${host}/`, true)]).toEqual([
      "url_form",
      "url_form"
    ])
  })

  it.each(publicHosts)("https://%s may be written", (host) => {
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
  ])("%s is refused: %s", (url, problem) => {
    expect(targetProblem(url, false)).toBe(problem)
  })

  it.live("no spelling is reached when it was written all the same", () =>
    Effect.gen(function* () {
      const prey = yield* scoped(canary)
      const ask = resolver([PRIVATE])
      const post = yield* guarded({ resolve: ask })
      for (const host of [...privateHosts, ...brokenHosts]) {
        for (const url of [`https://${host}:${prey.port}/`, `http://${host}:${prey.port}/`]) {
          expect([url, yield* post(url)]).toEqual([url, "forbidden"])
        }
      }
      expect([prey.sockets.length, ask.mock.calls]).toEqual([0, []])
    })
  )
})

describe("SEC-67: where a name leads (CVE-2026-27945, CVE-2026-55671, CVE-2024-49753, CVE-2026-4874)", () => {
  it.live.each(privateAddresses)("a name that leads to %j is not followed", (address) =>
    Effect.gen(function* () {
      const prey = yield* scoped(canary)
      const post = yield* guarded({ resolve: resolver([address]) })
      expect(yield* post(`https://${secureName}:${prey.port}/`)).toBe("forbidden")
      expect(prey.sockets.length).toBe(0)
    })
  )

  it.live("a name that leads to a public and a private address is not followed at all", () =>
    Effect.gen(function* () {
      const open = yield* scoped(() => receiver((_, response) => response.end(), { secure: true, host: PUBLIC }))
      const prey = yield* scoped(() => canary({ port: open.port }))
      for (const answer of [
        [PUBLIC, PRIVATE],
        [PRIVATE, PUBLIC]
      ]) {
        const post = yield* guarded({ isAllowed, resolve: resolver(answer) })
        expect(yield* post(`https://${secureName}:${open.port}/`)).toBe("forbidden")
      }
      expect([open.sockets.length, prey.sockets.length]).toEqual([0, 0])
    })
  )

  it.live("rebinding: the address that was checked is the one that is called, however the name answers next", () =>
    Effect.gen(function* () {
      const open = yield* scoped(() =>
        receiver((_, response) => response.setHeader("connection", "close").end("public"), {
          secure: true,
          host: PUBLIC
        })
      )
      const prey = yield* scoped(() => canary({ port: open.port }))
      const ask = resolver([PUBLIC], [PRIVATE])
      const post = yield* guarded({ isAllowed, resolve: ask })
      const url = `https://${secureName}:${open.port}/hook`
      expect(yield* post(url, { body: "one" })).toEqual({ status: 200, retryAfter: undefined, excerpt: "public" })
      expect([ask.mock.calls.length, prey.sockets.length]).toEqual([1, 0])
      expect(yield* post(url, { body: "two" })).toBe("forbidden")
      expect([ask.mock.calls.length, prey.sockets.length]).toEqual([2, 0])
      expect(open.requests.map(({ body }) => body)).toEqual(["one"])
    })
  )

  it.live("a connection that ends at a private address all the same gets not one byte, TLS included", () =>
    Effect.gen(function* () {
      const prey = yield* scoped(canary)
      let asked = 0
      const onlyAtFirst = () => asked++ === 0
      const post = yield* guarded({ isAllowed: onlyAtFirst, resolve: resolver([PRIVATE]) })
      expect(yield* post(`https://${secureName}:${prey.port}/`)).toBe("forbidden")
      expect(asked).toBe(2)
      yield* Effect.promise(() =>
        vi.waitFor(() => expect(prey.sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
      )
      expect(prey.received()).toBe(0)
    })
  )

  it.live("a name that leads nowhere is unreachable", () =>
    Effect.gen(function* () {
      const failing = () => Promise.reject(new Error("ENOTFOUND"))
      for (const resolve of [resolver([]), failing]) {
        const post = yield* guarded({ resolve })
        expect(yield* post(`https://${secureName}/`)).toBe("unreachable")
      }
    })
  )
})

describe("SEC-68: ways around (CVE-2025-67494, CVE-2026-27945, CVE-2026-55671, CVE-2024-49753)", () => {
  it.live.each([301, 302, 303, 307, 308])("a redirect (%i) to loopback is an answer, and not followed", (status) =>
    Effect.gen(function* () {
      const prey = yield* scoped(canary)
      const location = `http://${PRIVATE}:${prey.port}/`
      const open = yield* scoped(() =>
        receiver((_, response) => response.writeHead(status, { location }).end(), { secure: true, host: PUBLIC })
      )
      const plain = yield* scoped(() => receiver((_, response) => response.writeHead(status, { location }).end()))
      const post = yield* guarded({ isAllowed, resolve: resolver([PUBLIC]) })
      expect(yield* post(`https://${secureName}:${open.port}/`)).toMatchObject({ status })
      expect(yield* postAnywhere(`http://${PRIVATE}:${plain.port}/`)).toMatchObject({ status })
      expect([prey.sockets.length, open.requests.length, plain.requests.length]).toEqual([0, 1, 1])
    })
  )

  it.live("proxies of the environment are ignored", () =>
    Effect.gen(function* () {
      const proxy = yield* scoped(canary)
      for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]) {
        vi.stubEnv(name, `http://${PRIVATE}:${proxy.port}`)
      }
      vi.stubEnv("NODE_USE_ENV_PROXY", "1")
      const open = yield* scoped(() =>
        receiver((_, response) => response.end("direct"), { secure: true, host: PUBLIC })
      )
      const post = yield* guarded({ isAllowed, resolve: resolver([PUBLIC]) })
      expect(yield* post(`https://${secureName}:${open.port}/`)).toMatchObject({ status: 200, excerpt: "direct" })
      expect(proxy.sockets.length).toBe(0)
    })
  )

  it.live("a certificate that nobody vouches for, or of another name, gets no request", () =>
    Effect.gen(function* () {
      const open = yield* scoped(() => receiver((_, response) => response.end(), { secure: true, host: PUBLIC }))
      const resolved = { isAllowed, resolve: resolver([PUBLIC]) }
      const withoutAuthorities = yield* guarded({ ...resolved, ca: "" })
      expect(yield* withoutAuthorities(`https://${secureName}:${open.port}/`)).toBe("unreachable")
      const post = yield* guarded(resolved)
      expect(yield* post(`https://other.example.test:${open.port}/`)).toBe("unreachable")
      expect(open.requests).toEqual([])
    })
  )
})

describe("SEC-69: what comes back", () => {
  const excerptOf = Effect.fnUntraced(function* (body: Uint8Array | string) {
    const open = yield* scoped(() => receiver((_, response) => response.end(body)))
    const answer = yield* postAnywhere(`http://${PRIVATE}:${open.port}/`)
    return typeof answer === "string" ? answer : answer.excerpt
  })

  it.live("of a target that is forbidden, nothing", () =>
    Effect.gen(function* () {
      const prey = yield* scoped(canary)
      const post = yield* guarded({ resolve: resolver([PRIVATE]) })
      expect(yield* post(`https://${PRIVATE}:${prey.port}/`)).toBe("forbidden")
      expect(yield* post(`https://${secureName}:${prey.port}/`)).toBe("forbidden")
    })
  )

  it.live.each([
    ["short", "thanks", "thanks"],
    ["empty", "", ""],
    ["1,024 bytes", "a".repeat(1_024), "a".repeat(1_024)],
    ["longer", "a".repeat(1_025), "a".repeat(1_024)],
    ["cut within a character", `a${"é".repeat(600)}`, `a${"é".repeat(511)}`],
    ["cut within a surrogate pair", `a${"😀".repeat(300)}`, `a${"😀".repeat(255)}`],
    ["with NUL", "a\0b", "a\uFFFDb"]
  ] as const)("text, %s", ([, body, excerpt]) =>
    Effect.gen(function* () {
      expect(yield* excerptOf(body)).toBe(excerpt)
    })
  )

  it.live.each([
    ["no text", Buffer.alloc(5_000, 0xff)],
    ["a lone surrogate", Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62])],
    ["NULs alone", Buffer.alloc(5_000)]
  ] as const)("%s becomes text of at most 1 KB", ([, body]) =>
    Effect.gen(function* () {
      const excerpt = yield* excerptOf(body)
      expect(excerpt.isWellFormed()).toBe(true)
      expect(excerpt).not.toContain("\0")
      expect(excerpt).toContain("\uFFFD")
      expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1_024)
    })
  )
})
