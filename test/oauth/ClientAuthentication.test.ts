import { generateKeyPairSync } from "node:crypto"
import { type JWTPayload, SignJWT } from "jose"
import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { basic, oauthClient } from "../support/oauth.ts"
import { sendForm } from "../support/oauthTokens.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"
import { clockedService, ownService, service } from "../support/sallyport.ts"

type Form = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

const realmOf = async (settings: object = {}) => (await service()).given.realm({ jwt_algo: "rs256", ...settings })

const machine = { client_type: "machine" }

/** Requests a token by client credentials. */
const requestToken = (realm: GivenRealm, params: Form, authorization?: string) =>
  sendForm(
    realm,
    "token",
    { grant_type: "client_credentials", ...params },
    authorization === undefined ? {} : { authorization }
  )

const statusOf = async (realm: GivenRealm, params: Form, authorization?: string) => {
  const reply = await requestToken(realm, params, authorization)
  return reply.status === 200 ? "ok" : `${reply.status} ${String(reply.member("error"))}`
}

describe("SEC-148: client authentication with a secret", () => {
  test("accepts only the complete secret, in the header or the form", async () => {
    const realm = await realmOf()
    const { id, secret = "" } = await oauthClient(realm, machine)
    const other = await oauthClient(realm, machine)
    const wrong = `${secret.slice(0, -1)}${secret.endsWith("0") ? "1" : "0"}`
    expect(await statusOf(realm, {}, basic(id, secret))).toBe("ok")
    expect(await statusOf(realm, { client_id: id }, basic(id, secret))).toBe("ok")
    expect(await statusOf(realm, { client_id: id, client_secret: secret })).toBe("ok")
    const refused: ReadonlyArray<readonly [Form, string?]> = [
      [{}, basic(id, wrong)],
      [{}, basic(id, "")],
      [{}, basic(id, `${secret} `)],
      [{}, basic(other.id, secret)],
      [{}, basic("lpl_00000000000000000000000000", secret)],
      [{}, basic("'", secret)],
      [{}, "Basic !"],
      [{ client_id: other.id }, basic(id, secret)],
      [{ client_id: id, client_secret: wrong }],
      [{ client_id: id }],
      [{ client_id: id, client_secret: "" }],
      [{}]
    ]
    for (const [params, authorization] of refused) {
      expect([params, authorization, await statusOf(realm, params, authorization)]).toEqual([
        params,
        authorization,
        "401 invalid_client"
      ])
    }
    expect(await statusOf(realm, { client_secret: secret }, basic(id, secret))).toBe("400 invalid_request")
    expect(await statusOf(realm, { client_id: [id, other.id], client_secret: secret })).toBe("400 invalid_request")
    const elsewhere = await realmOf()
    expect(await statusOf(elsewhere, {}, basic(id, secret))).toBe("401 invalid_client")
  })

  test("fails for an inactive client and for a public client that sends a secret", async () => {
    const realm = await realmOf()
    const { id, secret = "" } = await oauthClient(realm, machine)
    await realm.put(`/v2/client_apps/${id}`, { client_app: { state: "inactive" } })
    expect(await statusOf(realm, {}, basic(id, secret))).toBe("401 invalid_client")
    const spa = await oauthClient(realm, { client_type: "spa" })
    const code = { grant_type: "authorization_code", code: "oac_x", client_id: spa.id }
    expect(await statusOf(realm, { ...code, client_secret: "ocs_x" })).toBe("401 invalid_client")
    expect(await statusOf(realm, code)).not.toBe("401 invalid_client")
  })

  test("blocks a client at an address after too many wrong secrets", async () => {
    await ownService(
      async ({ given }) => {
        const realm = await given.realm({ jwt_algo: "rs256", limits: { client_secrets: 3 } })
        const { id, secret = "" } = await oauthClient(realm, machine)
        const other = await oauthClient(realm, machine)
        for (let n = 0; n < 5; n++) expect(await statusOf(realm, {}, basic(id, secret))).toBe("ok")
        for (let n = 0; n < 3; n++) expect(await statusOf(realm, {}, basic(id, "x"))).toBe("401 invalid_client")
        const limited = await requestToken(realm, {}, basic(id, secret))
        expect([limited.status, Number(limited.headers.get("retry-after")) > 0]).toEqual([429, true])
        expect(await statusOf(realm, {}, basic(other.id, other.secret ?? ""))).toBe("ok")
      },
      { limits: "all" }
    )
  })
})

test("the previous secret works for 24 hours after a rotation, and older secrets fail immediately", async () => {
  const { given, advance } = await clockedService()
  const realm = await given.realm({ jwt_algo: "rs256" })
  const { id, secret: first = "" } = await oauthClient(realm, machine)
  const rotate = async () => (await realm.post(`/v2/client_apps/${id}/rotate_secret`, {})).string("client_secret")
  const works = async (...secrets: ReadonlyArray<string>) => {
    const all = []
    for (const secret of secrets) all.push(await statusOf(realm, {}, basic(id, secret)))
    return all
  }
  const second = await rotate()
  expect(await works(first, second)).toEqual(["ok", "ok"])
  const third = await rotate()
  expect(await works(first, second, third)).toEqual(["401 invalid_client", "ok", "ok"])
  await advance("24 hours")
  expect(await works(second, third)).toEqual(["401 invalid_client", "ok"])
})

describe("SEC-149: a signed client assertion", () => {
  const ec = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const rsa = rsaPairOf(0)
  const ed = generateKeyPairSync("ed25519")
  const jwks = {
    keys: [
      { ...ec.publicKey.export({ format: "jwk" }), kid: "ec" },
      { ...rsa.publicKey.export({ format: "jwk" }), kid: "rsa" },
      { ...ed.publicKey.export({ format: "jwk" }), kid: "ed", alg: "EdDSA" }
    ]
  }
  const now = STARTS_AT / 1_000
  const JWT_BEARER = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  let made = 0

  const started = async () => {
    const realm = await realmOf()
    const { id } = await oauthClient(realm, { ...machine, token_endpoint_auth_method: "private_key_jwt", jwks })
    const issuer = `https://id.example.test/realms/${realm.id}`
    const claims = () => ({ iss: id, sub: id, aud: issuer, exp: now + 60, jti: `jti-${made++}` })
    const sign = (changes: object = {}, header: object = {}, key = ec.privateKey) => {
      const payload: JWTPayload = { ...claims(), ...changes }
      return new SignJWT(payload).setProtectedHeader({ alg: "ES256", ...header }).sign(key)
    }
    const send = (client_assertion: string, params: Form = {}) =>
      statusOf(realm, { client_assertion, client_assertion_type: JWT_BEARER, ...params })
    return { realm, id, issuer, sign, send }
  }

  test("is accepted with every supported algorithm and every accepted audience", async () => {
    const { id, issuer, sign, send } = await started()
    expect(await send(await sign())).toBe("ok")
    expect(await send(await sign({ aud: `${issuer}/token` }), { client_id: id })).toBe("ok")
    expect(await send(await sign({ aud: ["https://other.example", issuer] }, { kid: "ec" }))).toBe("ok")
    expect(await send(await sign({}, { alg: "RS256", kid: "rsa" }, rsa.privateKey))).toBe("ok")
    expect(await send(await sign({}, { alg: "PS256" }, rsa.privateKey))).toBe("ok")
    expect(await send(await sign({}, { alg: "EdDSA" }, ed.privateKey))).toBe("ok")
  })

  test("is rejected if any claim or the signature is wrong, or if the assertion is reused", async () => {
    const { realm, id, issuer, sign, send } = await started()
    const other = await oauthClient(realm, { ...machine, token_endpoint_auth_method: "private_key_jwt", jwks })
    const secretive = await oauthClient(realm, machine)
    const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey
    const good = await sign()
    const unsigned = (text: string) => Buffer.from(text).toString("base64url")
    const none = `${unsigned('{"alg":"none"}')}.${good.split(".")[1]}.`
    const hs256 = await new SignJWT({ iss: id, sub: id, aud: issuer, exp: now + 60, jti: "hs" })
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(String(rsa.publicKey.export({ format: "pem", type: "spki" }))))
    const wrong = [
      await sign({ aud: "https://other.example" }),
      await sign({ aud: undefined }),
      await sign({ aud: `${issuer}x` }),
      await sign({ exp: now }),
      await sign({ exp: undefined }),
      await sign({ exp: now + 601 }),
      await sign({ nbf: now + 60 }),
      await sign({ iat: now + 60 }),
      await sign({ jti: undefined }),
      await sign({ iss: other.id }),
      await sign({ iss: secretive.id, sub: secretive.id }),
      await sign({}, { kid: "rsa" }),
      await sign({}, {}, stranger),
      none,
      hs256,
      `${good}.x`,
      `${good}x`,
      good.slice(0, -4),
      "x",
      "a".repeat(9_000)
    ]
    for (const [index, assertion] of wrong.entries()) {
      expect([index, await send(assertion)]).toEqual([index, "401 invalid_client"])
    }
    expect(await send(good, { client_id: other.id })).toBe("401 invalid_client")
    expect(await send(good, { client_assertion_type: "x" })).toBe("401 invalid_client")
    expect(await send(good, { client_secret: "ocs_x" })).toBe("400 invalid_request")
    expect(await statusOf(realm, { client_id: id })).toBe("401 invalid_client")
    expect(await send(good)).toBe("ok")
    expect(await send(good)).toBe("401 invalid_client")
  })

  test("is accepted only once even if sent several times at once", async () => {
    const { sign, send } = await started()
    const assertion = await sign()
    const all = await Promise.all(Array.from({ length: 8 }, () => send(assertion)))
    expect(all.toSorted().slice(-1)).toEqual(["ok"])
    expect(all.filter((one) => one === "ok")).toEqual(["ok"])
  })
})
