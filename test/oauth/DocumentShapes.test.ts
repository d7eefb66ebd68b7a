import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { beforeAll, expect, test } from "vitest"
import { JWT_BEARER } from "#domain/oauth/ClientAssertion"
import { authorize } from "../support/authorize.ts"
import { CALLBACK, fetchCount, published, request, verified } from "../support/documents.ts"
import { redeem, sendForm } from "../support/oauthTokens.ts"
import { canary } from "../support/receivers.ts"
import { agent, documentOf, openRealm, publishing, register } from "../support/registration.ts"

const DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
const BEARER_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"

type At = Awaited<ReturnType<typeof published>>

beforeAll(publishing)

/** Logs in at a redirect URI with a client that has a metadata document, and redeems the code. */
const logIn = async (at: At, redirect_uri: string) => {
  const { code = "" } = await authorize(at, { ...request, redirect_uri }, redirect_uri)
  return redeem(at.client, at.realm, code, { ...verified, redirect_uri })
}

const appOf = async (at: At) => {
  const [app] = (await at.realm.get("/v2/client_apps")).items.filter(({ name }) => name === "Desktop agent")
  return (await at.realm.get(`/v2/client_apps/${String(app?.["id"])}`)).body
}

test("C271: ignores grant types in a metadata document that the client isn't allowed to use", async () => {
  const grant_types = ["authorization_code", DEVICE, BEARER_GRANT, "refresh_token"]
  const at = await published((url) => ({
    body: documentOf(url, { grant_types, response_types: ["code", "id_token"] })
  }))
  expect((await logIn(at, CALLBACK)).status).toBe(200)
  expect(await appOf(at)).toMatchObject({ grant_types: ["authorization_code", "refresh_token"] })
})

test("C271: the registration response contains only the accepted grant types", async () => {
  const { given } = await publishing()
  const realm = await given.realm({ ...openRealm })
  const { key } = await realm.as("admin_realm")
  const grant_types = ["authorization_code", "refresh_token", "client_credentials", DEVICE, BEARER_GRANT]
  const site = { redirect_uris: [CALLBACK], grant_types }
  const open = await register(realm, { ...agent, grant_types })
  expect([open.status, open.member("grant_types")]).toEqual([201, ["authorization_code", "refresh_token"]])
  const web = await register(realm, site, key)
  expect([web.status, web.member("grant_types")]).toEqual([
    201,
    ["authorization_code", "refresh_token", "client_credentials"]
  ])
  const native = await register(realm, { ...agent, grant_types }, key)
  expect(native.member("grant_types")).toEqual(["authorization_code", "refresh_token", DEVICE])
})

test.each([
  ["http://localhost/callback", "http://localhost:53682/callback"],
  ["http://localhost:3000/callback", "http://localhost:53682/callback"],
  ["http://localhost:3000/callback", "http://localhost/callback"]
])("C271: a client that registered %s may use %s", async (registered, redirect_uri) => {
  const at = await published((url) => ({ body: documentOf(url, { redirect_uris: [registered] }) }))
  expect((await logIn(at, redirect_uri)).status).toBe(200)
})

test("a client's redirect URI may have a private-use scheme", async () => {
  const uri = "cursor://anysphere.cursor-mcp/oauth/callback"
  const at = await published((url) => ({ body: documentOf(url, { redirect_uris: [uri] }) }))
  expect((await logIn(at, uri)).status).toBe(200)
})

/** A client whose document refers to published keys. */
const signingClient = async (cacheControl = "max-age=3600", elsewhere?: string) => {
  const { documents, clock } = await publishing()
  const at = await published((url) => ({ body: documentOf(url, { jwks_uri: elsewhere ?? `${url}/jwks` }) }))
  const jwksUri = elsewhere ?? `${at.url}/jwks`
  const pairOf = async (kid: string) => {
    const { publicKey, privateKey } = await generateKeyPair("ES256")
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: "sig", x5t: "ignored" } }
  }
  const publish = (...keys: ReadonlyArray<object>) => documents.set(jwksUri, { body: { keys }, cacheControl })
  /** The response status when the client authenticates with the given key. */
  const authenticateWith = async ({ kid, privateKey }: Awaited<ReturnType<typeof pairOf>>) => {
    const client_assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: "ES256", kid })
      .setIssuer(at.url)
      .setSubject(at.url)
      .setAudience(`https://id.example.test/realms/${at.realm.id}`)
      .setExpirationTime(Math.floor(clock.currentTimeMillisUnsafe() / 1_000) + 60)
      .sign(privateKey)
    const proof = { client_id: at.url, client_assertion_type: JWT_BEARER, client_assertion }
    const reply = await sendForm(at.realm, "par", {
      ...proof,
      ...request,
      response_type: "code",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256"
    })
    return reply.status
  }
  return { at, jwksUri, pairOf, publish, authenticateWith }
}

test("C272: a client authenticates with the keys at its jwks_uri, which is fetched again for an unknown key", async () => {
  const { at, jwksUri, pairOf, publish, authenticateWith } = await signingClient()
  const [first, second, third] = [await pairOf("1"), await pairOf("2"), await pairOf("3")]
  // Keys for other uses are ignored.
  publish({ kty: "oct", k: "c2VjcmV0", kid: "9" }, { kty: "RSA", use: "enc", n: "AQAB", e: "AQAB" }, first.jwk)
  expect([await authenticateWith(first), await authenticateWith(first)]).toEqual([201, 201])
  expect(await appOf(at)).toMatchObject({ client_type: "web", jwks: null, jwks_uri: jwksUri })
  expect(await fetchCount(jwksUri)).toBe(1)
  publish(first.jwk, second.jwk)
  expect([await authenticateWith(second), await authenticateWith(first), await fetchCount(jwksUri)]).toEqual([
    201, 201, 2
  ])
  publish(third.jwk)
  expect([await authenticateWith(third), await fetchCount(jwksUri)]).toEqual([401, 2])
  const { advance } = await publishing()
  await advance("31 seconds")
  expect([await authenticateWith(third), await authenticateWith(first), await fetchCount(jwksUri)]).toEqual([
    201, 401, 3
  ])
})

test("SEC-254: keys are fetched with the same limits as documents and dropped when a fetch fails", async () => {
  const { jwksUri, pairOf, publish, authenticateWith } = await signingClient("max-age=600")
  const { documents, fetched, advance } = await publishing()
  const key = await pairOf("1")
  expect([await authenticateWith(key), await authenticateWith(key), await fetchCount(jwksUri)]).toEqual([401, 401, 2])
  await advance("31 seconds")
  publish(key.jwk)
  expect(await authenticateWith(key)).toBe(201)
  expect(fetched.find(({ url }) => url === jwksUri)).toMatchObject({
    method: "GET",
    timeLimit: 5_000,
    maxBytes: 65_536
  })
  documents.delete(jwksUri)
  expect(await authenticateWith(key)).toBe(201)
  await advance("10 minutes")
  expect(await authenticateWith(key)).toBe(401)
  documents.set(jwksUri, { body: { keys: [key.jwk] }, contentType: "text/html" })
  await advance("31 seconds")
  expect(await authenticateWith(key)).toBe(401)
})

test("SEC-254: keys are never fetched from a private address", async () => {
  const prey = await canary()
  for (const host of ["127.0.0.1", "localhost", "[::ffff:7f00:1]"]) {
    const { pairOf, authenticateWith } = await signingClient("max-age=600", `https://${host}:${prey.port}/jwks`)
    expect([host, await authenticateWith(await pairOf("1"))]).toEqual([host, 401])
  }
  expect(prey.sockets.length).toBe(0)
  await prey.stop()
})
