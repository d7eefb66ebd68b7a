import { request } from "node:http"
import { expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { getWith } from "../support/getWith.ts"
import { raw } from "../support/rawHttp.ts"
import { ownService, type Service, wireService } from "../support/sallyport.ts"
import { onProfilePage, Visitor } from "../support/visitor.ts"

const YEAR = "max-age=31536000"

const hstsOf = ({ status, headers }: Pick<Reply, "status" | "headers">) => [
  status,
  headers.get("strict-transport-security")
]

/** Responses of every kind: API, public keys, pages of a realm and an app, hosted login, documents, unknown paths. */
const everySurface = async ({ given, url }: Service) => {
  const realm = await given.realm()
  const { visitor, origin, host } = await onProfilePage(realm)
  const nobody = new Api(url, undefined)
  const json = { "content-type": "application/json" }
  const document = await nobody.get("/openapi.json")
  const known = { "if-none-match": document.headers.get("etag") ?? "" }
  return [
    [200, await realm.get("/v2/users")],
    [401, await nobody.get("/v2/users")],
    [404, await realm.get("/v2/users/usr_00000000000000000000000000")],
    [405, await realm.call("PATCH", "/v2/users")],
    [422, await realm.post("/v2/users", { user: {} })],
    [200, await nobody.get(`/realms/${realm.id}/jwks`)],
    [410, await nobody.get(`/realms/${realm.id}/verify?token=x`)],
    [200, await new Visitor(url, origin).browser.go(`${origin}/login`)],
    [303, await visitor.browser.go(`${origin}/login`)],
    [303, await new Visitor(url, origin).browser.go(`${origin}/profile`)],
    [404, await getWith(`${url}/login`, { host: `x-${host}` })],
    [200, await visitor.browser.go(`${origin}/v1/login`, { method: "POST", body: "{}", headers: json })],
    [200, document],
    [304, await nobody.call("GET", "/openapi.json", { headers: known })],
    [200, await nobody.get("/healthz")],
    [404, await nobody.get("/nowhere")]
  ] as const
}

test("SEC-100: every HTTPS response has Strict-Transport-Security, without subdomains", async () => {
  for (const [status, reply] of await everySurface(await wireService())) expect(hstsOf(reply)).toEqual([status, YEAR])
  for (const [status, bytes] of [
    [400, "nonsense\r\n\r\n"],
    [400, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
    [431, `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`]
  ] as const) {
    const [answer] = await raw(bytes)
    expect([answer?.status, answer?.headers.get("strict-transport-security")]).toEqual([status, YEAR])
  }
})

test("SEC-100: no HTTP response has Strict-Transport-Security", () =>
  ownService(
    async (own) => {
      for (const [status, reply] of await everySurface(own)) expect(hstsOf(reply)).toEqual([status, null])
      const { port } = new URL(own.url)
      const unreadable = await new Promise<unknown>((resolve) => {
        const headers = { x: "x".repeat(20_000) }
        request({ port, host: "127.0.0.1", headers }, (response) => resolve(response.headers))
          .on("error", resolve)
          .end()
      })
      expect(unreadable).not.toHaveProperty("strict-transport-security")
      expect(unreadable).toHaveProperty("x-request-id")
    },
    { publicUrl: "http://localhost:3000" }
  ))
