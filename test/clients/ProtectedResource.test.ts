import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import { describe, expect, test } from "vitest"
import * as onExpress from "#client/frameworks/Express"
import * as onFastify from "#client/frameworks/Fastify"
import * as onHono from "#client/frameworks/Hono"
import * as onNext from "#client/frameworks/Next"
import { protectedResource } from "#client/resource/ProtectedResource"
import { memoryReplays } from "#client/resource/Replays"
import { API, accessToken, ISSUER, jkt, jwks, now, proofOf } from "../support/accessTokens.ts"

const settings = { resource: API, issuer: ISSUER, jwks, now }

const METADATA = "https://api.example.test/.well-known/oauth-protected-resource/notes"

type Ask = (headers: Readonly<Record<string, string>>) => Promise<Response>

const bodyOf = async (response: Response): Promise<unknown> => JSON.parse(await response.text())

describe("protectedResource", () => {
  test("describes the API as RFC 9728 requires", () => {
    expect(protectedResource(settings).metadata).toStrictEqual({
      resource: API,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ["header"]
    })
    const api = protectedResource({
      ...settings,
      scopes: ["notes:read"],
      name: "Notes",
      documentation: "https://x.test",
      replays: memoryReplays(),
      requireDpop: true
    })
    expect(api.metadata).toStrictEqual({
      resource: API,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ["header"],
      scopes_supported: ["notes:read"],
      resource_name: "Notes",
      resource_documentation: "https://x.test",
      dpop_signing_alg_values_supported: ["ES256", "RS256", "PS256", "EdDSA"],
      dpop_bound_access_tokens_required: true
    })
  })

  test("serves the metadata at the URL where clients look for it", () => {
    for (const [resource, path] of [
      [API, "/.well-known/oauth-protected-resource/notes"],
      ["https://api.example.test", "/.well-known/oauth-protected-resource"],
      ["https://api.example.test/", "/.well-known/oauth-protected-resource"],
      ["http://127.0.0.1:8080/mcp", "/.well-known/oauth-protected-resource/mcp"]
    ] as const) {
      const api = protectedResource({ ...settings, resource })
      expect([api.metadataPath, api.metadataUrl]).toEqual([path, new URL(resource).origin + path])
    }
  })

  test("requires a URL that clients can use", () => {
    for (const resource of [
      "notes",
      "http://api.example.test",
      "https://api.example.test/#x",
      "https://api.example.test/#"
    ]) {
      expect(() => protectedResource({ ...settings, resource })).toThrow(TypeError)
    }
  })

  test("SEC-170: ignores the host in a request's URL, so a proxy or client can't change the host in a proof", async () => {
    const api = protectedResource({ ...settings, replays: memoryReplays() })
    const token = await accessToken({ cnf: { jkt } })
    const proof = await proofOf(token)
    const headers: Readonly<Record<string, string>> = {
      authorization: `DPoP ${token}`,
      dpop: proof,
      host: "evil.example.test"
    }
    const access = await api.authenticate({
      method: "GET",
      url: "http://10.0.0.1/notes?a=b",
      header: (name) => headers[name]
    })
    expect(access).toMatchObject({ jkt })
  })
})

const api = protectedResource(settings)

const inExpress = async (use: (ask: Ask) => Promise<void>) => {
  const app = express()
  const inner = express.Router()
  inner.get("/", onExpress.requireAccessToken(api, "notes:read"), (request, response) => {
    response.json(request.accessToken?.sub)
  })
  app.use("/notes", inner)
  const server = app.listen(0, "127.0.0.1")
  try {
    await new Promise((resolve) => server.once("listening", resolve))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    await use((headers) => fetch(`http://127.0.0.1:${port}/notes`, { headers }))
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const inFastify = async (use: (ask: Ask) => Promise<void>) => {
  const app = fastify()
  const onRequest = onFastify.requireAccessToken(api, "notes:read")
  app.get("/notes", { onRequest }, async ({ accessToken: token }) => JSON.stringify(token?.sub))
  await use(async (headers) => {
    const answer = await app.inject({ url: "/notes", headers })
    const fields = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    return new Response(answer.body, { status: answer.statusCode, headers: fields })
  })
  await app.close()
}

const inHono = async (use: (ask: Ask) => Promise<void>) => {
  const app = new Hono<onHono.AccessEnv>()
  app.get("/notes", onHono.requireAccessToken(api, "notes:read"), (c) => c.json(c.get("accessToken").sub))
  await use(async (headers) => app.request("/notes", { headers }))
}

const inNext = async (use: (ask: Ask) => Promise<void>) => {
  const handler = onNext.withAccessToken(api, ["notes:read"], (_request, { sub }) => Response.json(sub))
  await use((headers) => handler(new Request(API, { headers }), {}))
}

describe.each([
  ["Express", inExpress],
  ["Fastify", inFastify],
  ["Hono", inHono],
  ["Next", inNext]
])("An API in %s", (_, running) => {
  test("accepts requests with a valid token, and tells other callers what they need", () =>
    running(async (ask) => {
      const good = await ask({ authorization: `Bearer ${await accessToken()}` })
      expect([good.status, await bodyOf(good)]).toEqual([200, "us_1"])

      const missing = await ask({})
      expect([missing.status, missing.headers.get("www-authenticate"), await bodyOf(missing)]).toEqual([
        401,
        `Bearer scope="notes:read", resource_metadata="${METADATA}"`,
        { error: "token_missing", message: "The request has no access token." }
      ])

      const expired = await ask({ authorization: `bearer ${await accessToken({ exp: 1 })}` })
      expect([expired.status, expired.headers.get("www-authenticate"), await bodyOf(expired)]).toEqual([
        401,
        `Bearer error="invalid_token", error_description="The token has expired.", resource_metadata="${METADATA}"`,
        { error: "expired", message: "The token has expired." }
      ])

      const narrow = await ask({ authorization: `Bearer ${await accessToken({ scope: "openid" })}` })
      expect([narrow.status, narrow.headers.get("www-authenticate")]).toEqual([
        403,
        `Bearer error="insufficient_scope", error_description="The token needs the scope notes:read.", scope="notes:read", resource_metadata="${METADATA}"`
      ])
      expect(narrow.headers.get("cache-control")).toBe("no-store")

      for (const authorization of ["Basic eDp5", "Bearer", `Bearer a b`, `Token ${await accessToken()}`]) {
        expect((await ask({ authorization })).status).toBe(401)
      }
    }))
})

test("the challenge for proofs names the DPoP scheme and its algorithms", async () => {
  const both = protectedResource({ ...settings, replays: memoryReplays() })
  const missing = both.refuse(
    await both.authenticate({ method: "GET", url: API, header: () => null }).catch((error: unknown) => error)
  )
  const algs = `algs="ES256 RS256 PS256 EdDSA"`
  expect(missing.headers["www-authenticate"]).toBe(
    `Bearer resource_metadata="${METADATA}", DPoP resource_metadata="${METADATA}", ${algs}`
  )
  const token = await accessToken({ cnf: { jkt } })
  const header = (name: string) => (name === "authorization" ? `Bearer ${token}` : null)
  const stolen = both.refuse(
    await both.authenticate({ method: "GET", url: API, header }).catch((error: unknown) => error)
  )
  expect(stolen).toMatchObject({ status: 401, body: { error: "proof_missing" } })
  expect(stolen.headers["www-authenticate"]).toMatch(/^DPoP error="invalid_token", .*algs=/)
})

test("a protected API returns 503 if the realm's keys are unavailable, and rethrows errors of the app", async () => {
  const away = protectedResource({
    ...settings,
    jwks: new URL("https://nowhere.test/jwks"),
    fetch: async () => new Response(null, { status: 404 })
  })
  const token = await accessToken()
  const failure = await away
    .authenticate({ method: "GET", url: API, header: () => `Bearer ${token}` })
    .catch((error: unknown) => error)
  expect(away.refuse(failure)).toMatchObject({
    status: 503,
    headers: { "retry-after": "5" },
    body: { error: "keys_unavailable" }
  })
  expect(() => away.refuse(new RangeError("x"))).toThrow(RangeError)
})
