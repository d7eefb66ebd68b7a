import { afterEach, describe, expect, test, vi } from "vitest"
import { targetProblem } from "#platform/OutboundPolicy"
import { brokenHosts, privateAddresses, privateHosts, publicHosts } from "../support/privateTargets.ts"
import { canary, certificate, type Listening, outbound, receiver, secureName } from "../support/receivers.ts"

/** A second address of this machine, which stands for a public one; the canary sits at 127.0.0.1. */
const PUBLIC = "127.0.0.2"
const PRIVATE = "127.0.0.1"

const closing: Array<() => Promise<void>> = []

afterEach(async () => {
  vi.unstubAllEnvs()
  for (const close of closing.splice(0)) await close()
})

const kept = (listening: Listening): Listening => {
  closing.unshift(listening.stop)
  return listening
}

/** The way out with its guard up. */
const guarded = async (sockets: Parameters<typeof outbound>[1] = {}) => {
  const way = await outbound(false, { limit: 2_000, ca: certificate, ...sockets })
  closing.unshift(way.close)
  return way
}

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
  test("the table holds at least 60 spellings, each once", () => {
    expect(new Set(privateHosts).size).toBe(privateHosts.length)
    expect(privateHosts.length).toBeGreaterThan(60)
  })

  test.each(privateHosts)("https://%s is refused when it is written", (host) => {
    expect(targetProblem(`https://${host}/x`, false)).toBe("target_private")
    expect(targetProblem(`https://${host}:8443`, false)).toBe("target_private")
    expect(targetProblem(`https://${host}/x`, true)).toBeUndefined()
  })

  test.each(brokenHosts)("https://%j is no URL", (host) => {
    expect([targetProblem(`https://${host}/`, false), targetProblem(`https://${host}/`, true)]).toEqual([
      "url_form",
      "url_form"
    ])
  })

  test.each(publicHosts)("https://%s may be written", (host) => {
    expect(targetProblem(`https://${host}/x`, false)).toBeUndefined()
  })

  test.each([
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

  test("no spelling is reached when it was written all the same", async () => {
    const prey = kept(await canary())
    const ask = resolver([PRIVATE])
    const { post } = await guarded({ resolve: ask })
    for (const host of [...privateHosts, ...brokenHosts]) {
      for (const url of [`https://${host}:${prey.port}/`, `http://${host}:${prey.port}/`]) {
        expect([url, await post(url)]).toEqual([url, "forbidden"])
      }
    }
    expect([prey.sockets.length, ask.mock.calls]).toEqual([0, []])
  })
})

describe("SEC-67: where a name leads (CVE-2026-27945, CVE-2026-55671, CVE-2024-49753, CVE-2026-4874)", () => {
  test.each(privateAddresses)("a name that leads to %j is not followed", async (address) => {
    const prey = kept(await canary())
    const { post } = await guarded({ resolve: resolver([address]) })
    expect(await post(`https://${secureName}:${prey.port}/`)).toBe("forbidden")
    expect(prey.sockets.length).toBe(0)
  })

  test("a name that leads to a public and a private address is not followed at all", async () => {
    const open = kept(await receiver((_, response) => response.end(), { secure: true, host: PUBLIC }))
    const prey = kept(await canary({ port: open.port }))
    for (const answer of [
      [PUBLIC, PRIVATE],
      [PRIVATE, PUBLIC]
    ]) {
      const { post } = await guarded({ isAllowed, resolve: resolver(answer) })
      expect(await post(`https://${secureName}:${open.port}/`)).toBe("forbidden")
    }
    expect([open.sockets.length, prey.sockets.length]).toEqual([0, 0])
  })

  test("rebinding: the address that was checked is the one that is called, however the name answers next", async () => {
    const open = kept(
      await receiver((_, response) => response.setHeader("connection", "close").end("public"), {
        secure: true,
        host: PUBLIC
      })
    )
    const prey = kept(await canary({ port: open.port }))
    const ask = resolver([PUBLIC], [PRIVATE])
    const { post } = await guarded({ isAllowed, resolve: ask })
    const url = `https://${secureName}:${open.port}/hook`
    expect(await post(url, { body: "one" })).toEqual({ status: 200, retryAfter: undefined, excerpt: "public" })
    expect([ask.mock.calls.length, prey.sockets.length]).toEqual([1, 0])
    expect(await post(url, { body: "two" })).toBe("forbidden")
    expect([ask.mock.calls.length, prey.sockets.length]).toEqual([2, 0])
    expect(open.requests.map(({ body }) => body)).toEqual(["one"])
  })

  test("a connection that ends at a private address all the same gets not one byte, TLS included", async () => {
    const prey = kept(await canary())
    let asked = 0
    const onlyAtFirst = () => asked++ === 0
    const { post } = await guarded({ isAllowed: onlyAtFirst, resolve: resolver([PRIVATE]) })
    expect(await post(`https://${secureName}:${prey.port}/`)).toBe("forbidden")
    expect(asked).toBe(2)
    await vi.waitFor(() => expect(prey.sockets.map(({ destroyed }) => destroyed)).toEqual([true]))
    expect(prey.received()).toBe(0)
  })

  test("a name that leads nowhere is unreachable", async () => {
    expect(await (await guarded({ resolve: resolver([]) })).post(`https://${secureName}/`)).toBe("unreachable")
    const failing = () => Promise.reject(new Error("ENOTFOUND"))
    expect(await (await guarded({ resolve: failing })).post(`https://${secureName}/`)).toBe("unreachable")
  })
})

describe("SEC-68: ways around (CVE-2025-67494, CVE-2026-27945, CVE-2026-55671, CVE-2024-49753)", () => {
  test.each([301, 302, 303, 307, 308])("a redirect (%i) to loopback is an answer, and not followed", async (status) => {
    const prey = kept(await canary())
    const location = `http://${PRIVATE}:${prey.port}/`
    const open = kept(
      await receiver((_, response) => response.writeHead(status, { location }).end(), { secure: true, host: PUBLIC })
    )
    const plain = kept(await receiver((_, response) => response.writeHead(status, { location }).end()))
    const { post } = await guarded({ isAllowed, resolve: resolver([PUBLIC]) })
    expect(await post(`https://${secureName}:${open.port}/`)).toMatchObject({ status })
    const anywhere = await outbound(true)
    expect(await anywhere.post(`http://${PRIVATE}:${plain.port}/`)).toMatchObject({ status })
    await anywhere.close()
    expect([prey.sockets.length, open.requests.length, plain.requests.length]).toEqual([0, 1, 1])
  })

  test("proxies of the environment are ignored", async () => {
    const proxy = kept(await canary())
    for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]) {
      vi.stubEnv(name, `http://${PRIVATE}:${proxy.port}`)
    }
    vi.stubEnv("NODE_USE_ENV_PROXY", "1")
    const open = kept(await receiver((_, response) => response.end("direct"), { secure: true, host: PUBLIC }))
    const { post } = await guarded({ isAllowed, resolve: resolver([PUBLIC]) })
    expect(await post(`https://${secureName}:${open.port}/`)).toMatchObject({ status: 200, excerpt: "direct" })
    expect(proxy.sockets.length).toBe(0)
  })

  test("a certificate that nobody vouches for, or of another name, gets no request", async () => {
    const open = kept(await receiver((_, response) => response.end(), { secure: true, host: PUBLIC }))
    const resolved = { isAllowed, resolve: resolver([PUBLIC]) }
    expect(await (await guarded({ ...resolved, ca: "" })).post(`https://${secureName}:${open.port}/`)).toBe(
      "unreachable"
    )
    expect(await (await guarded(resolved)).post(`https://other.example.test:${open.port}/`)).toBe("unreachable")
    expect(open.requests).toEqual([])
  })
})

describe("SEC-69: what comes back", () => {
  const excerptOf = async (body: Uint8Array | string) => {
    const open = kept(await receiver((_, response) => response.end(body)))
    const way = await outbound(true)
    const answer = await way.post(`http://${PRIVATE}:${open.port}/`)
    await way.close()
    return typeof answer === "string" ? answer : answer.excerpt
  }

  test("of a target that is forbidden, nothing", async () => {
    const prey = kept(await canary())
    const { post } = await guarded({ resolve: resolver([PRIVATE]) })
    expect(await post(`https://${PRIVATE}:${prey.port}/`)).toBe("forbidden")
    expect(await post(`https://${secureName}:${prey.port}/`)).toBe("forbidden")
  })

  test.each([
    ["short", "thanks", "thanks"],
    ["empty", "", ""],
    ["1,024 bytes", "a".repeat(1_024), "a".repeat(1_024)],
    ["longer", "a".repeat(1_025), "a".repeat(1_024)],
    ["cut within a character", `a${"é".repeat(600)}`, `a${"é".repeat(511)}`],
    ["cut within a surrogate pair", `a${"😀".repeat(300)}`, `a${"😀".repeat(255)}`],
    ["with NUL", "a\0b", "a\uFFFDb"]
  ])("text, %s", async (_, body, excerpt) => {
    expect(await excerptOf(body)).toBe(excerpt)
  })

  test.each([
    ["no text", Buffer.alloc(5_000, 0xff)],
    ["a lone surrogate", Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62])],
    ["NULs alone", Buffer.alloc(5_000)]
  ])("%s becomes text of at most 1 KB", async (_, body) => {
    const excerpt = await excerptOf(body)
    expect(excerpt.isWellFormed()).toBe(true)
    expect(excerpt).not.toContain("\0")
    expect(excerpt).toContain("\uFFFD")
    expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(1_024)
  })
})
