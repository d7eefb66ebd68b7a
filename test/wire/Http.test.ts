import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { lists, operations, pathOf } from "../support/operations.ts"
import { raw } from "../support/rawHttp.ts"
import { resourceFor } from "../support/resources.ts"
import { wireService } from "../support/sallyport.ts"

const realmOf = async () => (await wireService()).given.realm()

let untouched: ReturnType<typeof realmOf> | undefined

/** The realm shared by all tests that leave it unchanged. */
const untouchedRealm = () => (untouched ??= realmOf())

const expectSafe = (headers: Pick<Headers, "get">, isPublic = false) => {
  expect(headers.get("cache-control")).toBe(isPublic ? "public, max-age=60" : "no-store")
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'")
  expect(headers.get("referrer-policy")).toBe("no-referrer")
  expect(headers.get("x-content-type-options")).toBe("nosniff")
  expect(headers.get("x-request-id")).toMatch(/^[\w.-]{8,128}$/)
  for (const name of ["server", "x-powered-by", "set-cookie"]) expect(headers.get(name)).toBe(null)
}

describe("every response, including errors, has safe headers (SEC-38)", () => {
  test.each(operations)("$name", async (operation) => {
    const realm = await untouchedRealm()
    const body = operation.method === "GET" ? undefined : "{nonsense"
    const path = pathOf(operation)
    const replies = [
      await realm.call(operation.method, path, body === undefined ? {} : { body }),
      await (await realm.as("read")).call(operation.method, path, body === undefined ? {} : { body }),
      await realm.call("PATCH", path),
      await realm.call("GET", `${path}/nowhere/at/all`)
    ]
    for (const { headers } of replies) expectSafe(headers)
    const found = operation.method === "GET" && operation.params.length > 0
    if (found) {
      const own = await realmOf()
      const id = await resourceFor(operation, own)
      expectSafe((await own.get(pathOf(operation, () => id))).headers)
    }
  })

  test.each(["/healthz", "/readyz", "/metrics", "/nowhere", "/"])("%s", async (path) => {
    expectSafe((await (await untouchedRealm()).get(path)).headers)
  })

  test("only a realm's public keys may be cached and read from any origin", async () => {
    const realm = await realmOf()
    for (const name of ["jwks", ".well-known/openid-configuration"]) {
      const reply = await realm.get(`/realms/${realm.id}/${name}`)
      expectSafe(reply.headers, true)
      expect(reply.headers.get("access-control-allow-origin")).toBe("*")
      expectSafe((await realm.get(`/realms/rl_x/${name}`)).headers)
    }
    const origin = { origin: "https://evil.example" }
    expect((await realm.call("GET", "/v2/users", { headers: origin })).headers.get("access-control-allow-origin")).toBe(
      null
    )
  })
})

describe("HEAD returns the same status and Content-Length as GET, without a body", () => {
  test.each(operations.filter(({ method }) => method === "GET"))("$name", async (operation) => {
    const realm = await (operation.params.length === 0 ? untouchedRealm() : realmOf())
    const id = operation.params.length === 0 ? "" : await resourceFor(operation, realm)
    const path = pathOf(operation, () => id)
    const [get, head] = [await realm.get(path), await realm.call("HEAD", path)]
    const length = (reply: Reply) => reply.headers.get("content-length")
    expect([head.status, head.text, length(head)]).toEqual([get.status, "", length(get)])
    expectSafe(head.headers)
  })
})

test.each(lists)("a trailing slash in the path is ignored: $name", async ({ template }) => {
  const realm = await untouchedRealm()
  const [plain, slashed] = [await realm.get(template), await realm.get(`${template}/`)]
  expect(slashed.status).toBe(plain.status)
})

/** Builds a request with additional header lines and `Connection: close`. */
const request = (line: string, ...rest: ReadonlyArray<string>) =>
  `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest.join("\r\n")}\r\n\r\n`

const authorized = async () => `Authorization: Bearer ${(await wireService()).key}`
const post = (key: string, ...lines: ReadonlyArray<string>) =>
  `POST /v2/realms HTTP/1.1\r\nHost: x\r\n${key}\r\nContent-Type: application/json\r\n${lines.join("\r\n")}\r\n\r\n`

const smuggled = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

describe("invalid HTTP gets a single 400 in JSON and closes the connection (SEC-78)", () => {
  test.each([
    ["two different lengths", ["Content-Length: 3", "Content-Length: 4"], `abcd${smuggled}`],
    ["a length and chunks", ["Content-Length: 6", "Transfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`],
    ["chunks and a length", ["Transfer-Encoding: chunked", "Content-Length: 6"], `0\r\n\r\n${smuggled}`],
    ["an unknown transfer encoding", ["Transfer-Encoding: xchunked"], `0\r\n\r\n${smuggled}`],
    ["chunked before another encoding", ["Transfer-Encoding: chunked, identity"], `0\r\n\r\n${smuggled}`],
    ["a transfer encoding after a tab", ["Transfer-Encoding:\tchunked", "Content-Length: 4"], `0\r\n\r\n${smuggled}`],
    [
      "a transfer encoding twice",
      ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
      `0\r\n\r\n${smuggled}`
    ],
    ["a negative length", ["Content-Length: -1"], smuggled],
    ["a length with a sign", ["Content-Length: +1"], `a${smuggled}`],
    ["a hexadecimal length", ["Content-Length: 0x1"], `a${smuggled}`],
    ["a list of lengths", ["Content-Length: 1, 1"], `a${smuggled}`],
    ["a length that overflows", ["Content-Length: 99999999999999999999999"], smuggled],
    ["a space before the colon", ["Content-Length : 1"], `a${smuggled}`],
    ["a folded header", ["X-A: a", " b", "Content-Length: 0"], smuggled],
    ["a header without a name", [": a", "Content-Length: 0"], smuggled],
    ["a NUL in a header", ["X-A: a\0b", "Content-Length: 0"], smuggled],
    ["a lone CR in a header", ["X-A: a\rContent-Length: 0"], smuggled],
    ["an invalid chunk size", ["Transfer-Encoding: chunked"], `zz\r\n\r\n${smuggled}`],
    ["a chunk size that overflows", ["Transfer-Encoding: chunked"], `fffffffffffffffff\r\n${smuggled}`],
    ["a chunk longer than its size", ["Transfer-Encoding: chunked"], `1\r\nabc\r\n0\r\n\r\n${smuggled}`]
  ])("%s", async (_, lines, body) => {
    const responses = await raw(post(await authorized(), ...lines) + body)
    expect(responses.map(({ status }) => status)).toEqual([400])
    for (const answer of responses) {
      expectSafe(answer.headers)
      expect(answer.headers.get("content-type")).toBe("application/json")
      expect(answer.headers.get("connection")).toBe("close")
      expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(answer.body)))
      const { errors, request_id } = JSON.parse(answer.body)
      expect([errors, request_id]).toEqual([["The request is not valid HTTP."], answer.headers.get("x-request-id")])
    }
  })

  test.each([
    ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["an unknown version", "GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n"],
    ["an unknown method", "FROB /healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a method in lower case", "get /healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a path without a slash", "GET healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a NUL in the path", "GET /heal\0thz HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["non-ASCII bytes in the path", "GET /v2/users/\xff HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["line endings without CR", "GET /healthz HTTP/1.1\nHost: x\n\n"],
    ["a space in the path", "GET /v2/users /x HTTP/1.1\r\nHost: x\r\n\r\n"]
  ])("%s", async (_, bytes) => {
    const answers = await raw(bytes)
    expect(answers.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual([
      [400, "application/json"]
    ])
    for (const { headers } of answers) expectSafe(headers)
  })

  test("a request that ends too early", async () => {
    for (const bytes of [
      "GET /heal",
      "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A",
      post(await authorized(), "Content-Length: 9")
    ]) {
      expect((await raw(bytes, true)).filter(({ status }) => status !== 400)).toEqual([])
    }
  })

  test("a body that breaks off after the response gets no second response", async () => {
    const answers = await raw(post("X-No: key", "Transfer-Encoding: chunked") + `zz\r\n\r\n${smuggled}`)
    expect(answers.length).toBeLessThanOrEqual(1)
    for (const { status } of answers) expect([400, 401]).toContain(status)
  })
})

describe("a request head that is too large returns 431", () => {
  test.each([
    ["one header", request("GET /healthz", `X-A: ${"a".repeat(20_000)}`)],
    ["many headers", request("GET /healthz", ...Array.from({ length: 3_000 }, (_, n) => `X-${n}: ${n}`))],
    ["the URL", request(`GET /healthz?${"a".repeat(20_000)}`)]
  ])("%s", async (_, bytes) => {
    const answers = await raw(bytes)
    expect(answers.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual([
      [431, "application/json"]
    ])
  })
})

describe("an unusual path", () => {
  const unknownPaths = [
    "/v2/users/%",
    "/v2/users/%zz",
    "/v2/../healthz",
    "//healthz",
    "/./healthz",
    "/healthz;a=b",
    "/healthz#a",
    "/v2\\users",
    "/V2/users",
    "/v2/users;realm_id=x",
    "/v2//users"
  ]
  const nobody = ["/v2/users/%00", "/v2/users/a%2fb", "/v2/users/usr_1;x=1", "/v2/users/%2e%2e", "/v2/users/.."]

  const asked = async (path: string) => {
    const [answer] = await raw(request(`GET ${path}`, await authorized()))
    return [answer?.status, JSON.parse(answer?.body ?? "").errors]
  }

  test.each(unknownPaths)("finds no resource: %s", async (path) => {
    expect(await asked(path)).toEqual([404, ["There is nothing at this address."]])
  })

  test.each(nobody)("finds no user: %s", async (path) => {
    expect(await asked(path)).toEqual([404, ["User could not be found."]])
  })

  test("finds no user at the maximum path length", async () => {
    expect(await asked(`/v2/users/${"a".repeat(15_000)}`)).toEqual([404, ["User could not be found."]])
  })

  test("may be an absolute URL, whose host is ignored", async () => {
    const answers = await raw(request("GET http://elsewhere.example/healthz"))
    expect(answers.map(({ status, body }) => [status, body])).toEqual([[200, '{"status":"ok"}']])
  })
})

describe("HTTP connections", () => {
  test("ignore an unknown Expect header", async () => {
    const answers = await raw(request("GET /healthz", "Expect: the-impossible"))
    expect(answers.map(({ status }) => status)).toEqual([200])
  })

  test("ignore an upgrade to another protocol", async () => {
    for (const lines of [["Upgrade: websocket"], ["Upgrade: h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"]]) {
      const answers = await raw(
        `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\n${lines.join("\r\n")}\r\n\r\n`
      )
      expect(answers.map(({ status }) => status)).toEqual([200])
    }
  })

  test("are closed after a CONNECT request", async () => {
    expect(await raw("CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: elsewhere.example:443\r\n\r\n")).toEqual([])
  })

  test("require exactly one Host header, except with HTTP/1.0", async () => {
    for (const hosts of ["", "Host: a.example\r\nHost: b.example\r\n", "Host: a.example\r\nHOST: a.example\r\n"]) {
      const [answer, ...more] = await raw(`GET /healthz HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
      expect([hosts, answer?.status, more]).toEqual([hosts, 400, []])
      expect(JSON.parse(answer?.body ?? "").errors).toEqual(["The request is not valid HTTP."])
    }
    expect((await raw("GET /healthz HTTP/1.0\r\n\r\n")).map(({ status }) => status)).toEqual([200])
  })

  test("return the responses to pipelined requests in order", async () => {
    const first = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    const answers = await raw(first + request("GET /nowhere"))
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
  })
})
