import { describe, expect, test } from "vitest"
import { hostedOperations } from "#api/hosted/V1"
import { hostedPaths } from "#domain/HostedPaths"
import { oauthEndpoints } from "#domain/oauth/OAuthPaths"
import { Api, type Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { atHost } from "../support/apps.ts"
import { withAt } from "../support/bodyWays.ts"
import { authenticate } from "../support/logins.ts"
import { everyOperation, operations, pathOf, requiredQuery } from "../support/operations.ts"
import { raw } from "../support/rawHttp.ts"
import { service, wireService } from "../support/sallyport.ts"
import { untouchedRealm } from "../support/untouchedRealm.ts"

const FORM = "application/x-www-form-urlencoded"

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"))

/**
 * Bytes that are not UTF-8: Latin-1, a byte that never occurs in UTF-8, an overlong form, half a surrogate pair, half
 * a character.
 */
const notUtf8 = ["\xDF", "\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xE2\x82"]

const escaped = (bytes: string) => [...bytes].map((byte) => `%${byte.charCodeAt(0).toString(16)}`).join("")

const errorOf = ({ status, errors }: Reply) => [status, errors]

const badBody = [400, ["The request body is not valid UTF-8."]]
const badUrl = [400, ["The request URL is not valid UTF-8."]]
const badCharset = [415, ["The request body must be encoded as UTF-8."]]
const compressed = [415, ["The request body can't be compressed. Send it without Content-Encoding."]]

/** The form field name for a member path. */
const fieldAt = ([first = "", ...rest]: ReadonlyArray<string>) =>
  first + rest.map((step) => `[${step === "0" ? "" : step}]`).join("")

describe("SEC-237: the management API accepts only UTF-8 text", () => {
  const writing = everyOperation.filter(({ method }) => method !== "GET")
  const withBody = operations.filter(({ scalars, method }) => scalars.length > 0 && method !== "GET")

  test.each(
    withBody.map((operation) => [operation.name, operation] as const)
  )("SEC-237: %s rejects bodies that are not UTF-8 without storing data", async (_, operation) => {
    const untouched = await untouchedRealm()
    const { realm } = untouched
    const [thing, body] = [await untouched.thing(operation), await untouched.body(operation)]
    const path = pathOf(operation, () => thing) + requiredQuery(operation)
    const send = (text: string, type: string) =>
      realm.call(operation.method, path, { body: latin1(text), headers: { "content-type": type } })
    await untouched.expectUnchanged(async () => {
      for (const [index, way] of operation.scalars.entries()) {
        const bytes = notUtf8[index % notUtf8.length] ?? ""
        const json = JSON.stringify(withAt(body, way, `pa${bytes}wort`))
        expect([way, errorOf(await send(json, "application/json"))]).toEqual([way, badBody])
        const form = `${encodeURIComponent(fieldAt(way))}=pa${escaped(bytes)}wort`
        expect([way, errorOf(await send(form, FORM))]).toEqual([way, badBody])
        expect(errorOf(await send(`${fieldAt(way)}=pa${bytes}wort`, FORM))).toEqual(badBody)
      }
    })
  })

  test.each(
    writing.map((operation) => [operation.name, operation] as const)
  )("SEC-237: %s rejects other charsets and compressed bodies with 415 without storing data", async (_, operation) => {
    const untouched = await untouchedRealm()
    const { realm } = untouched
    const body = operation.scalars.length > 0 ? JSON.stringify(await untouched.body(operation)) : "{}"
    const path = pathOf(operation, () => "x")
    const send = (headers: Readonly<Record<string, string>>) =>
      realm.call(operation.method, path, { body, headers: { "content-type": "application/json", ...headers } })
    await untouched.expectUnchanged(async () => {
      for (const charset of ["iso-8859-1", "UTF-16", '"windows-1252"', "x"]) {
        expect(errorOf(await send({ "content-type": `application/json; charset=${charset}` }))).toEqual(badCharset)
      }
      for (const encoding of ["gzip", "br", "deflate, gzip", "zstd"]) {
        expect(errorOf(await send({ "content-encoding": encoding }))).toEqual(compressed)
      }
    })
  })

  test.each(
    everyOperation.map((operation) => [operation.name, operation] as const)
  )("SEC-237: %s rejects queries and paths with escapes that are not UTF-8", async (_, operation) => {
    const untouched = await untouchedRealm()
    const { realm, method } = { ...untouched, ...operation }
    await untouched.expectUnchanged(async () => {
      for (const bytes of notUtf8) {
        expect(errorOf(await realm.call(method, `${pathOf(operation)}?x=a${escaped(bytes)}`))).toEqual(badUrl)
        expect(errorOf(await realm.call(method, `${pathOf(operation)}?${escaped(bytes)}=a`))).toEqual(badUrl)
        if (operation.params.length === 0) continue
        expect(
          errorOf(
            await realm.call(
              method,
              pathOf(operation, () => `a${escaped(bytes)}`)
            )
          )
        ).toEqual(badUrl)
      }
    })
  })
})

describe("SEC-237: hosted login and OAuth accept only UTF-8 text", () => {
  const send = async (path: string, host: string, init: Readonly<Record<string, unknown>>) => {
    const { transport } = await service()
    return new Api(transport, undefined).call(String(init["method"] ?? "POST"), path, {
      ...(init["body"] === undefined ? {} : { body: init["body"] }),
      headers: { host, "content-type": FORM, ...Object(init["headers"]) }
    })
  }

  test.each(Object.entries(hostedOperations))("SEC-237: in the operation %s", async (_, { path }) => {
    const { realm } = await untouchedRealm()
    const host = (await realm.connectedApp()).string("domains", 0)
    // Hosted login always returns 200 (`v1.hosted`).
    const badInput = [200, ["The request body is not valid UTF-8."]]
    for (const bytes of notUtf8) {
      const json = { headers: { "content-type": "application/json" }, body: latin1(`{"username":"a${bytes}"}`) }
      expect(errorOf(await send(path, host, json))).toEqual(badInput)
      expect(errorOf(await send(path, host, { body: `username=a${escaped(bytes)}` }))).toEqual(badInput)
      expect(errorOf(await send(path, host, { body: latin1(`username=a${bytes}`) }))).toEqual(badInput)
      expect(errorOf(await send(`${path}?username=a${escaped(bytes)}`, host, { method: "GET" }))).toEqual(badUrl)
    }
    expect(
      errorOf(await send(path, host, { headers: { "content-type": `${FORM}; charset=latin1` }, body: "a=b" }))
    ).toEqual(badCharset)
    expect(errorOf(await send(path, host, { headers: { "content-encoding": "gzip" }, body: "a=b" }))).toEqual(
      compressed
    )
  })

  test.each(hostedPaths.map((page) => [page.path, page] as const))("SEC-237: on the page %s", async (_, {
    path,
    methods
  }) => {
    const { realm } = await untouchedRealm()
    const host = /^\/(?:realms|console)\//.test(path)
      ? "id.example.test"
      : (await realm.connectedApp()).string("domains", 0)
    const page = path.replace(":realm_id", realm.id).replace(/:\w+/, "google")
    const shown = ({ status, text }: Reply) => [
      status,
      text.includes("couldn&#39;t be read") || text.includes("couldn't be read")
    ]
    const browser = { accept: "text/html" }
    for (const bytes of notUtf8) {
      const method = methods[0]
      const reply = await send(`${page}?state=a${escaped(bytes)}`, host, { method, headers: browser })
      expect(shown(reply)).toEqual([400, true])
      if (!methods.includes("POST")) continue
      const origin = { ...browser, "sec-fetch-site": "same-origin" }
      for (const body of [`a=b${escaped(bytes)}`, latin1(`a=b${bytes}`)]) {
        expect(shown(await send(page, host, { headers: origin, body }))).toEqual([400, true])
      }
    }
    if (!methods.includes("POST")) return
    const packed = { headers: { ...browser, "content-encoding": "gzip" }, body: "a=b" }
    expect(shown(await send(page, host, packed))).toEqual([415, true])
  })

  test.each(Object.entries(oauthEndpoints))("SEC-237: at the endpoint %s", async (_, { suffix, methods }) => {
    const { realm } = await untouchedRealm()
    const path = `/realms/${realm.id}/${suffix.replace(":client_id", "x")}`
    const errorOf = (reply: Reply) => [reply.status, reply.member("error")]
    for (const bytes of notUtf8) {
      const url = await send(`${path}?state=a${escaped(bytes)}`, "id.example.test", { method: methods[0] })
      expect(errorOf(url)).toEqual([400, "invalid_request"])
      for (const body of [`a=b${escaped(bytes)}`, latin1(`a=b${bytes}`)]) {
        for (const method of methods.filter((one) => one === "POST" || one === "PUT")) {
          const reply = await send(path, "id.example.test", { method, body })
          expect(reply.status === 401 || reply.status === 400 || reply.status === 403).toBe(true)
          if (["token", "par", "introspect", "revoke", "device_authorization"].includes(suffix)) {
            expect(reply.body).toEqual({ error: "invalid_request", error_description: "The body must be valid UTF-8." })
          }
        }
      }
    }
    for (const method of methods.filter((one) => one === "POST" || one === "PUT")) {
      const packed = { method, headers: { "content-encoding": "gzip" }, body: "a=b" }
      expect(errorOf(await send(path, "id.example.test", packed))).toEqual([415, "invalid_request"])
      const other = { method, headers: { "content-type": `${FORM}; charset=iso-8859-1` }, body: "a=b" }
      expect(errorOf(await send(path, "id.example.test", other))).toEqual([415, "invalid_request"])
    }
  })
})

describe("SEC-237: headers that contain text", () => {
  let cachedRealm: Promise<GivenRealm> | undefined

  const authorized = async (path: string, header: string) => {
    const realm = await (cachedRealm ??= wireService().then(({ given }) => given.realm()))
    const lines = ["Host: x", "Connection: close", `Authorization: Bearer ${realm.key}`, header]
    const [answer] = await raw(
      `GET ${path}${path.includes("?") ? "&" : "?"}realm_id=${realm.id} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`
    )
    return [answer?.status, answer?.status === 200 ? undefined : JSON.parse(answer?.body ?? "{}").errors]
  }

  test.each([
    "Idempotency-Key",
    "X-Service-Realm",
    "X-Service-Api-Key"
  ])("SEC-237: return 400 if %s is not UTF-8", async (name) => {
    const sentence = `The header ${name.toLowerCase()} is not valid UTF-8.`
    expect(await authorized("/v2/users", `${name}: a\xDF`)).toEqual([400, [sentence]])
  })

  test("SEC-237: may contain any bytes elsewhere, and are decoded if valid UTF-8", async () => {
    expect(await authorized("/v2/users", "X-Geo-City: Z\xFCrich")).toEqual([200, undefined])
    expect(await authorized("/v2/users", "Cookie: other=\xDF")).toEqual([200, undefined])
    expect(await authorized("/v2/users", "User-Agent: Caf\xE9")).toEqual([200, undefined])
    expect(await authorized("/v2/users", `User-Agent: ${Buffer.from("Größe/1").toString("latin1")}`)).toEqual([
      200,
      undefined
    ])
  })

  test("SEC-237: a URL with unescaped non-ASCII bytes is rejected as invalid HTTP", async () => {
    for (const path of [`/v2/users?search=${Buffer.from("jö").toString("latin1")}`, "/v2/users/j\xF6"]) {
      expect(await authorized(path, "X: y")).toEqual([400, ["The request is not valid HTTP."]])
    }
  })
})

test("SEC-237: U+FFFD is accepted like any other character in JSON, forms and queries", async () => {
  const realm = await (await service()).given.realm()
  const user = await realm.user({ username: "a\uFFFDb", password: "pa\uFFFDwort und mehr" })
  const form = { body: `user[password]=pa%EF%BF%BDwort+und+mehr`, headers: { "content-type": FORM } }
  expect((await authenticate(realm, user.id, "pa\uFFFDwort und mehr")).status).toBe(200)
  expect((await realm.call("POST", `/v2/users/${user.id}/authenticate`, form)).status).toBe(200)
  expect((await realm.get("/v2/users?username=a%EF%BF%BDb")).items.map(({ id }) => id)).toEqual([user.id])
})

test("SEC-237: an app's login page returns 400 for invalid UTF-8", async () => {
  const { realm } = await untouchedRealm()
  const host = (await realm.connectedApp()).string("domains", 0)
  expect((await atHost(host, "/login?state=%DF")).status).toBe(400)
})
