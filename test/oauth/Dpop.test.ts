import { SignJWT } from "jose"
import { describe, expect, test } from "vitest"
import { dpopKey } from "../support/dpop.ts"
import { oauthClient } from "../support/oauth.ts"
import { claimsIn, loggedIn, redeem, refresh, storedCode, userinfo } from "../support/oauthTokens.ts"
import { service, workerSql } from "../support/sallyport.ts"

const started = async () => {
  const [{ given }, sql] = [await service(), await workerSql()]
  return { sql, realm: await given.realm() }
}

const spa = { client_type: "spa" }

describe("SEC-156: DPoP (RFC 9449)", () => {
  test.each([
    "ES256",
    "RS256",
    "PS256",
    "EdDSA"
  ])("binds the access token to the key of a %s proof, which userinfo then requires", async (algorithm) => {
    const { sql, realm } = await started()
    const key = await dpopKey(algorithm)
    const headers = { dpop: await key.proof(realm, "token") }
    const { reply, accessToken, user } = await loggedIn(sql, realm, { settings: spa, headers })
    expect(reply.member("token_type")).toBe("DPoP")
    expect(claimsIn(reply)["cnf"]).toEqual({ jkt: key.thumbprint })
    const proof = await key.proof(realm, "userinfo", { accessToken })
    const told = await userinfo(realm, accessToken, "DPoP", { dpop: proof })
    expect([told.status, told.body]).toEqual([200, { sub: user.id }])
    const again = await userinfo(realm, accessToken, "DPoP", { dpop: proof })
    expect([again.status, again.member("error")]).toEqual([401, "invalid_dpop_proof"])
  })

  test("rejects a bound access token without a proof or with a proof of another key", async () => {
    const { sql, realm } = await started()
    const [key, thief] = [await dpopKey(), await dpopKey()]
    const headers = { dpop: await key.proof(realm, "token") }
    const { accessToken } = await loggedIn(sql, realm, { settings: spa, headers })
    const replies = [
      await userinfo(realm, accessToken),
      await userinfo(realm, accessToken, "DPoP"),
      await userinfo(realm, accessToken, "DPoP", { dpop: await thief.proof(realm, "userinfo", { accessToken }) }),
      await userinfo(realm, accessToken, "DPoP", { dpop: await key.proof(realm, "userinfo") }),
      await userinfo(realm, accessToken, "DPoP", { dpop: await key.proof(realm, "token", { accessToken }) })
    ]
    for (const { status, headers: sent } of replies) {
      expect(status).toBe(401)
      expect(sent.get("www-authenticate")).toContain("DPoP algs=")
    }
    expect(replies.map((reply) => reply.member("error"))).toEqual([
      "invalid_token",
      "invalid_dpop_proof",
      "invalid_token",
      "invalid_dpop_proof",
      "invalid_dpop_proof"
    ])
  })

  test("rejects an unbound access token presented with a DPoP proof", async () => {
    const { sql, realm } = await started()
    const { accessToken } = await loggedIn(sql, realm)
    const key = await dpopKey()
    const proof = await key.proof(realm, "userinfo", { accessToken })
    expect((await userinfo(realm, accessToken, "DPoP", { dpop: proof })).member("error")).toBe("invalid_token")
  })

  test("binds a public client's refresh tokens to its key, but not a confidential client's refresh tokens", async () => {
    const { sql, realm } = await started()
    const [key, thief] = [await dpopKey(), await dpopKey()]
    const first = { dpop: await key.proof(realm, "token") }
    const { client, reply } = await loggedIn(sql, realm, { settings: spa, headers: first })
    const token = reply.string("refresh_token")
    expect((await refresh(client, realm, token)).member("error")).toBe("invalid_grant")
    const stolen = await refresh(client, realm, token, {}, { dpop: await thief.proof(realm, "token") })
    expect(stolen.member("error")).toBe("invalid_grant")
    const own = await refresh(client, realm, token, {}, { dpop: await key.proof(realm, "token") })
    expect([own.status, own.member("token_type")]).toEqual([200, "DPoP"])

    const second = { dpop: await key.proof(realm, "token") }
    const web = await loggedIn(sql, realm, { headers: second })
    const bare = await refresh(web.client, realm, web.reply.string("refresh_token"))
    expect([bare.status, bare.member("token_type")]).toEqual([200, "Bearer"])
  })

  test("redeems a code bound to a key only with a proof of that key", async () => {
    const { sql, realm } = await started()
    const [key, thief] = [await dpopKey(), await dpopKey()]
    const client = await oauthClient(realm, spa)
    const user = await realm.user()
    const code = await storedCode(sql, realm, client, user.id, { jkt: key.thumbprint })
    expect((await redeem(client, realm, code)).member("error")).toBe("invalid_grant")
    const stolen = await redeem(client, realm, code, {}, { dpop: await thief.proof(realm, "token") })
    expect(stolen.member("error")).toBe("invalid_grant")
    expect((await redeem(client, realm, code, {}, { dpop: await key.proof(realm, "token") })).status).toBe(200)
  })

  test("requires a proof from a client with require_dpop", async () => {
    const { sql, realm } = await started()
    const client = await oauthClient(realm, { require_dpop: true })
    const code = await storedCode(sql, realm, client, (await realm.user()).id)
    expect((await redeem(client, realm, code)).member("error")).toBe("invalid_dpop_proof")
    const key = await dpopKey()
    expect((await redeem(client, realm, code, {}, { dpop: await key.proof(realm, "token") })).status).toBe(200)
  })

  test("rejects invalid proofs without using up the code", async () => {
    const { sql, realm } = await started()
    const client = await oauthClient(realm, spa)
    const code = await storedCode(sql, realm, client, (await realm.user()).id)
    const [key, other] = [await dpopKey(), await dpopKey()]
    const good = await key.proof(realm, "token")
    const [head = "", body = "", signature = ""] = good.split(".")
    const symmetric = { kty: "oct", k: Buffer.from("secret".repeat(8)).toString("base64url") }
    const hs256 = await new SignJWT({ jti: "1", htm: "POST", htu: "x", iat: 0 })
      .setProtectedHeader({ alg: "HS256", typ: "dpop+jwt", jwk: symmetric })
      .sign(new TextEncoder().encode("secret".repeat(8)))
    const none = Buffer.from(JSON.stringify({ alg: "none", typ: "dpop+jwt", jwk: key.jwk })).toString("base64url")
    const wrong = [
      "",
      "x",
      `${good}, ${good}`,
      `${none}.${body}.`,
      `${head}.${body}.`,
      `${head}.${body}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      hs256,
      await key.proof(realm, "token", { header: { jwk: other.jwk } }),
      await key.proof(realm, "token", { header: { typ: "JWT" } }),
      await key.proof(realm, "token", { method: "GET" }),
      await key.proof(realm, "userinfo", { method: "POST" }),
      await key.proof(realm, "token", { claims: { iat: 1 } }),
      await key.proof(realm, "token", { claims: { jti: "" } }),
      "a".repeat(5_000)
    ]
    for (const dpop of wrong) {
      const reply = await redeem(client, realm, code, {}, { dpop })
      expect([dpop, reply.status, reply.member("error")]).toEqual([dpop, 400, "invalid_dpop_proof"])
    }
    expect((await redeem(client, realm, code, {}, { dpop: good })).status).toBe(200)
  })

  test("accepts a proof only once", async () => {
    const { sql, realm } = await started()
    const key = await dpopKey()
    const dpop = await key.proof(realm, "token")
    const { client } = await loggedIn(sql, realm, { settings: spa, headers: { dpop } })
    const code = await storedCode(sql, realm, client, (await realm.user()).id)
    expect((await redeem(client, realm, code, {}, { dpop })).body).toEqual({
      error: "invalid_dpop_proof",
      error_description: "The DPoP proof was used before."
    })
  })
})
