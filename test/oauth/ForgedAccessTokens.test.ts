import { createPublicKey, sign } from "node:crypto"
import { exportJWK, SignJWT } from "jose"
import { expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { encode, forged } from "../support/forgedTokens.ts"
import { claimsIn, loggedIn, sendAs, userinfo } from "../support/oauthTokens.ts"
import { rsaPairOf } from "../support/rsaKeys.ts"
import { service, workerSql } from "../support/sallyport.ts"

const started = async (settings: object = {}) => {
  const [{ given }, sql] = [await service(), await workerSql()]
  const realm = await given.realm({ ...settings })
  const login = await loggedIn(sql, realm)
  const claims = claimsIn(login.reply)
  const [head = ""] = login.accessToken.split(".")
  const header: { readonly kid: string } = JSON.parse(Buffer.from(head, "base64url").toString())
  return { realm, ...login, claims, header }
}

const pemOf = async (realm: GivenRealm) => {
  const { keys } = JSON.parse(await (await fetch(`${realm.url}/realms/${realm.id}/jwks`)).text())
  return String(createPublicKey({ key: keys[0], format: "jwk" }).export({ type: "spki", format: "pem" }))
}

test("SEC-159: rejects an access token that isn't signed with the realm's RS256 key, whatever its header claims", async () => {
  const { realm, client, accessToken, claims, header } = await started({ jwt_algo: "rs256" })
  const pem = await pemOf(realm)
  const { publicKey, privateKey } = rsaPairOf(0)
  const jwk = await exportJWK(publicKey)
  const signedWithHeader = (extra: object) =>
    new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ: "at+jwt", ...extra }).sign(privateKey)
  const { kid } = header
  const tokens = [
    `${encode({ alg: "none", typ: "at+jwt", kid })}.${encode(claims)}.`,
    `${encode({ alg: "none", typ: "at+jwt" })}.${encode(claims)}.`,
    forged({ alg: "HS256", typ: "at+jwt", kid }, claims, pem),
    forged({ alg: "HS256", typ: "at+jwt", kid }, claims, pem.trim()),
    forged({ alg: "HS256", typ: "at+jwt", kid }, claims, ""),
    await signedWithHeader({ kid }),
    await signedWithHeader({}),
    await signedWithHeader({ kid: "jky_0" }),
    await signedWithHeader({ kid: "../../jwks" }),
    await signedWithHeader({ kid, jwk }),
    await signedWithHeader({ kid, jku: "https://evil.example/jwks" }),
    await signedWithHeader({ kid, x5u: "https://evil.example/cert" }),
    `${accessToken}=`,
    ` ${accessToken}`
  ]
  for (const token of tokens) {
    expect([token, (await userinfo(realm, token)).member("error")]).toEqual([
      token,
      token.startsWith(" ") ? undefined : "invalid_token"
    ])
    expect((await sendAs(client, realm, "introspect", { token })).body).toEqual({ active: false })
  }
  expect((await userinfo(realm, accessToken)).status).toBe(200)
})

test("SEC-159: rejects an access token signed with the realm's HS256 key for login tokens", async () => {
  const { realm, claims } = await started({ jwt_algo: "hs256" })
  const key = (await realm.get("/v2/jwt_keys")).items.find(({ algo }) => algo === "hs256") ?? {}
  const secret = (await realm.get(`/v2/realms/${realm.id}`)).string("jwt_key")
  const token = forged({ alg: "HS256", typ: "at+jwt", kid: key["id"] }, claims, secret)
  expect((await userinfo(realm, token)).member("error")).toBe("invalid_token")
})

test("SEC-40: rejects an access token with a critical header even if its signature is valid", async () => {
  const { realm, accessToken } = await started({ jwt_algo: "rs256" })
  const [, body = ""] = accessToken.split(".")
  const { privateKey } = rsaPairOf(0)
  const head = encode({ alg: "RS256", typ: "at+jwt", crit: ["exp"] })
  const signature = sign("sha256", Buffer.from(`${head}.${body}`), privateKey)
  const reply = await userinfo(realm, `${head}.${body}.${signature.toString("base64url")}`)
  expect(reply.member("error")).toBe("invalid_token")
})
