import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { anonymousCaller } from "../support/console.ts"
import { ownService, service } from "../support/sallyport.ts"

const host = "id.example.test"

const page = { accept: "text/html", host }

test("C202: serves an uncached page at every URL of the console", async () => {
  const { transport } = await service()
  const nobody = anonymousCaller(transport)
  for (const path of ["/console", "/console/", "/console/users/usr_1?tab=events", "/console/realms/a/b/c"]) {
    const reply = await nobody.call("GET", path, { headers: page })
    expect([path, reply.status, reply.headers.get("content-type"), reply.headers.get("cache-control")]).toEqual([
      path,
      200,
      "text/html; charset=utf-8",
      "no-store"
    ])
    expect(reply.text).toContain('<div id="console"></div>')
  }
  expect((await nobody.call("HEAD", "/console", { headers: page })).status).toBe(200)
  const wrong = await nobody.call("POST", "/console/users", { headers: page })
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"])
})

test("C202: serves the build's compressed assets, cacheable for a year", async () => {
  const { transport } = await service()
  const get = (path: string, headers = {}) =>
    anonymousCaller(transport).call("GET", path, { headers: { host, ...headers } })
  const script = await get("/console/assets/console-4e5f6a7b.js", { "accept-encoding": "br" })
  expect([script.status, script.headers.get("content-encoding"), script.text]).toEqual([
    200,
    "br",
    'export const name = "Console" // Compressed before\n'
  ])
  expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
  const etag = script.headers.get("etag") ?? ""
  const known = await get("/console/assets/console-4e5f6a7b.js", { "accept-encoding": "br", "if-none-match": etag })
  expect(known.status).toBe(304)
  const plain = await get("/console/assets/console-0a1b2c3d.css")
  expect([plain.headers.get("content-type"), plain.headers.get("content-encoding"), plain.text]).toEqual([
    "text/css; charset=utf-8",
    null,
    "body {\n  margin: 0;\n}\n"
  ])
  const packed = await get("/console/assets/console-0a1b2c3d.css", { "accept-encoding": "gzip" })
  expect([packed.headers.get("content-encoding"), packed.text]).toEqual(["gzip", plain.text])
})

test("SEC-204: forbids frames and inline scripts on the page, and sends no referrer", async () => {
  const { transport } = await service()
  const { headers, text } = await anonymousCaller(transport).call("GET", "/console/users", { headers: page })
  const policy = headers.get("content-security-policy") ?? ""
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ])
  expect(headers.get("x-content-type-options")).toBe("nosniff")
  expect(headers.get("referrer-policy")).toBe("no-referrer")
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin")
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000")
  expect(headers.get("access-control-allow-origin")).toBeNull()
  expect(text).not.toMatch(/<style|<script(?![^>]* src=)[^>]*>|\son\w+=|\sstyle=|javascript:/i)
})

test("SEC-205: serves only built files at any URL", async () => {
  const { transport } = await service()
  for (const name of [
    "../index.html",
    "..%2findex.html",
    "%2e%2e/index.html",
    "..%5cindex.html",
    "%2e%2e%2f%2e%2e%2fSessions.test.ts",
    "..%252f..%252fSessions.test.ts",
    "%2fetc%2fpasswd",
    "/etc/passwd",
    "console-4e5f6a7b.js%00.css",
    "console-4e5f6a7b.js.br",
    "__proto__",
    "constructor",
    "",
    "."
  ]) {
    const reply = await anonymousCaller(transport).call("GET", `/console/assets/${name}`, { headers: { host } })
    expect([name, reply.status]).toEqual([name, 404])
  }
})

test("C202: serves no page, assets, sessions or API of the console on apps' hosts", async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  const app = await realm.connectedApp()
  const browser = new Api(transport, undefined)
  const headers = {
    host: `${app.string("subdomain")}.local.localhost`,
    "x-sallyport-console": "1",
    "sec-fetch-site": "same-origin"
  }
  for (const [method, path] of [
    ["GET", "/console"],
    ["GET", "/console/users"],
    ["GET", "/console/assets/console-4e5f6a7b.js"],
    ["GET", "/console/session"],
    ["POST", "/console/session"],
    ["DELETE", "/console/session"],
    ["GET", "/console/api/v2/users"],
    ["POST", "/console/api/v2/users"]
  ] as const) {
    const body = method === "POST" ? { api_key: given.root.key } : undefined
    const reply = await browser.call(method, path, { body, headers })
    expect([method, path, reply.status, reply.headers.getSetCookie()]).toEqual([method, path, 404, []])
  }
})

test("C202: explains how to build the console if the console was not built", async () => {
  const consoleFolder = new URL("nowhere/", import.meta.url)
  await ownService(
    async ({ transport }) => {
      const get = (path: string) => anonymousCaller(transport).call("GET", path, { headers: { host } })
      const reply = await get("/console")
      expect([reply.status, reply.errors]).toEqual([404, ["The console has not been built. Run npm run build."]])
      expect((await get("/console/assets/console-4e5f6a7b.js")).status).toBe(404)
    },
    { consoleFolder }
  )
})
