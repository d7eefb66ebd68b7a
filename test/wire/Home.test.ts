import { expect, test } from "vitest"
import { wantsPage } from "#http/PagePreference"
import { Api } from "#testing/Api"
import { getWith } from "../support/getWith.ts"
import { withMailbox } from "../support/mailbox.ts"
import { ownService, wireService } from "../support/sallyport.ts"

/** The Accept header of browsers. */
const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

const linksIn = (text: string) => [...text.matchAll(/<li><a href="([^"]*)"/g)].map(([, link]) => link)

const browser = async (headers: Readonly<Record<string, string>> = {}) =>
  getWith(`${(await wireService()).url}/`, { accept: ACCEPT, host: "id.example.test", ...headers })

test("GET / links to the mailbox and metrics only for requests from the same machine", async () => {
  const { given } = await wireService()
  const realm = await given.realm()
  expect(await realm.seen.caused(browser)).toEqual([])
  const page = await browser()
  expect(page.status).toBe(200)
  expect(page.text).toContain("<h1>Sallyport is running</h1>")
  expect(page.text).toContain("Version 0.1.0")
  expect(linksIn(page.text)).toEqual(["/console", "/docs/guides", "/docs", "/openapi.json", "/readyz"])
  await ownService(
    async ({ url }) => {
      const local = await getWith(url, { accept: ACCEPT, host: "localhost:3000" })
      expect(linksIn(local.text)).toEqual(["/console", "/docs/guides", "/docs", "/openapi.json", "/readyz", "/metrics"])
    },
    { publicUrl: "http://localhost:3000" }
  )
  await withMailbox(async ({ url }) => {
    const reply = await new Api(url, undefined).call("GET", "/", { headers: { accept: ACCEPT } })
    expect(linksIn(reply.text)).toEqual([
      "/console",
      "/docs/guides",
      "/docs",
      "/openapi.json",
      "/mailbox",
      "/readyz",
      "/metrics"
    ])
    expect(linksIn((await getWith(url, { accept: ACCEPT, host: "id.example.test" })).text)).not.toContain("/mailbox")
  })
})

test("GET / has safe headers and is in the reader's language", async () => {
  const { headers } = await browser()
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/
  )
  expect([headers.get("cache-control"), headers.get("vary")]).toEqual([
    "no-store",
    "accept, accept-language, accept-encoding"
  ])
  const spanish = await browser({ "accept-language": "es-MX, en;q=0.5" })
  expect(spanish.headers.get("content-language")).toBe("es")
  expect(spanish.text).toContain('<html lang="es">')
  expect(spanish.text).toContain("<h1>Sallyport está en marcha</h1>")
})

test("GET / returns the same links as JSON to clients that don't prefer HTML", async () => {
  const { url } = await wireService()
  const nobody = new Api(url, undefined)
  const paths = {
    console: "/console",
    guides: "/docs/guides",
    docs: "/docs",
    openapi: "/openapi.json",
    health: "/readyz"
  }
  for (const accept of [undefined, "*/*", "application/json", "application/json, text/html;q=0.9", "text/*"]) {
    const reply = await nobody.call("GET", "/", { headers: accept === undefined ? {} : { accept } })
    const body = { service: "Sallyport", version: "0.1.0", ...paths }
    expect([accept, reply.status, reply.headers.get("vary"), reply.body]).toEqual([accept, 200, "accept", body])
    for (const path of Object.values(paths)) expect([path, (await nobody.get(path)).status]).toEqual([path, 200])
  }
  await ownService(
    async (own) => {
      const local = await getWith(own.url, { accept: "*/*", host: "localhost:3000" })
      expect(local.body).toEqual({ service: "Sallyport", version: "0.1.0", ...paths, metrics: "/metrics" })
      const elsewhere = await getWith(own.url, { accept: "*/*", host: "id.example.test" })
      expect(elsewhere.body).toEqual({ service: "Sallyport", version: "0.1.0", ...paths })
    },
    { publicUrl: "http://localhost:3000" }
  )
  expect((await nobody.call("HEAD", "/")).status).toBe(200)
})

test("other methods at / and requests for /index.json return 404", async () => {
  const { url } = await wireService()
  const nobody = new Api(url, undefined)
  const noSuchAddress = { code: "no_such_address", field: null, message: "There is nothing at this address." }
  for (const [method, path] of [
    ["POST", "/"],
    ["PUT", "/"],
    ["DELETE", "/"],
    ["GET", "/index.json"]
  ] as const) {
    const reply = await nobody.call(method, path, { headers: { accept: "*/*" } })
    expect([method, path, reply.status, reply.body]).toEqual([
      method,
      path,
      404,
      { errors: [noSuchAddress.message], error_details: [noSuchAddress], request_id: reply.headers.get("x-request-id") }
    ])
    expect((await nobody.call(method, path, { headers: { accept: ACCEPT } })).status).toBe(404)
  }
})

test("GET / redirects to the login page on an app's host, and returns 404 on an unknown host", async () => {
  const { given, url } = await wireService()
  const realm = await given.realm()
  const host = (await realm.connectedApp()).string("domains", 0)
  const login = await browser({ host })
  expect([login.status, login.headers.get("location"), login.text]).toEqual([302, "/login", ""])
  expect((await getWith(`${url}/`, { accept: "*/*", host })).status).toBe(404)
  expect((await browser({ host: `x-${host}` })).status).toBe(404)
})

test("GET / serves HTML only if Accept prefers text/html", () => {
  for (const accept of [ACCEPT, "text/html", "TEXT/HTML; q=0.5, */*", "application/json;q=0.5, text/html;q=0.5"]) {
    expect([accept, wantsPage(accept)]).toEqual([accept, true])
  }
  for (const accept of ["", "text/html;q=0", "text/html;q=x", "text/htmlx", "application/json, text/html;q=0.9"]) {
    expect([accept, wantsPage(accept)]).toEqual([accept, false])
  }
})
