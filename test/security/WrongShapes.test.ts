import { generateKeyPairSync } from "node:crypto"
import { Context } from "effect"
import fc from "fast-check"
import { decodeJwt, SignJWT } from "jose"
import { describe, expect, test } from "vitest"
import { UserRow } from "#api/imports/Rows"
import { WellKnown } from "#core/external/providers/Presets"
import { profileOf } from "#core/external/providers/ProviderClaims"
import type { Reply } from "#testing/Api"
import { dpopKey } from "../support/dpop.ts"
import { encode, forged } from "../support/forgedTokens.ts"
import { hostedAt } from "../support/hostedApi.ts"
import { importRows } from "../support/imports.ts"
import { basic, oauthClient } from "../support/oauth.ts"
import { CALLBACK, sendForm, userinfo } from "../support/oauthTokens.ts"
import { agent, openRealm, register } from "../support/registration.ts"
import { service } from "../support/sallyport.ts"

const RUNS = 60

/** Any JSON value. `changed` generates objects with some of the given members and any values. */
const anything = fc.jsonValue({ maxDepth: 2 })

const objectWithMembers = (names: ReadonlyArray<string>) =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), anything), { minLength: 1, maxLength: 3 })
    .map((entries) => Object.fromEntries(entries))

const checkProperty = (property: fc.IAsyncProperty<unknown>) => fc.assert(property, { numRuns: RUNS })

/** Asserts that the service returned a result or a client error, not a server error. */
const expectNoServerError = (reply: Reply) =>
  expect([reply.status, reply.text.slice(0, 300)]).toSatisfy(([status]) => Number(status) < 500)

const newRealm = async (settings: object = {}) =>
  (await service()).given.realm({ limits: { oauth: 100_000 }, ...settings })

describe("SEC-236: decoded values of any shape never cause a server error", () => {
  test("SEC-236: in DPoP proofs with any header and claims", async () => {
    const realm = await newRealm({ jwt_algo: "rs256" })
    const { id, secret = "" } = await oauthClient(realm, { client_type: "machine" })
    const { proof } = await dpopKey()
    const ask = (dpop: string) =>
      sendForm(realm, "token", { grant_type: "client_credentials" }, { authorization: basic(id, secret), dpop })
    await checkProperty(
      fc.asyncProperty(objectWithMembers(["jti", "htm", "htu", "iat", "ath", "exp"]), async (claims) => {
        expectNoServerError(await ask(await proof(realm, "token", { claims })))
      })
    )
    await checkProperty(
      fc.asyncProperty(objectWithMembers(["typ", "alg", "jwk", "crit", "kid"]), anything, async (header, body) => {
        expectNoServerError(await ask(`${encode(header)}.${encode(body)}.AAAA`))
        expectNoServerError(await ask(`${encode({ alg: "ES256", typ: "dpop+jwt", ...header })}.${encode(body)}.AAAA`))
        expectNoServerError(await userinfo(realm, `${encode(header)}.${encode(body)}.AAAA`))
      })
    )
  })

  test("SEC-236: in client assertions with any claims", async () => {
    const realm = await newRealm({ jwt_algo: "rs256" })
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
    const jwks = { keys: [publicKey.export({ format: "jwk" })] }
    const settings = { client_type: "machine", token_endpoint_auth_method: "private_key_jwt", jwks }
    const { id } = await oauthClient(realm, settings)
    const good = { iss: id, sub: id, aud: `https://id.example.test/realms/${realm.id}` }
    await checkProperty(
      fc.asyncProperty(objectWithMembers(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]), async (claims) => {
        const client_assertion = await new SignJWT({ ...good, exp: 1_767_225_660, jti: "x", ...claims })
          .setProtectedHeader({ alg: "ES256" })
          .sign(privateKey)
        const client_assertion_type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
        const form = { grant_type: "client_credentials", client_assertion, client_assertion_type }
        expectNoServerError(await sendForm(realm, "token", form))
      })
    )
  })

  test("SEC-236: in login tokens and hints with any claims, signed with the realm's own key", async () => {
    const realm = await newRealm({ jwt_algo: "hs256" })
    const hosted = await hostedAt(realm)
    const secret = (await realm.get(`/v2/realms/${realm.id}`)).string("jwt_key")
    const token = (await realm.session((await realm.user()).id)).string("token")
    const kid = (await realm.get("/v2/jwt_keys")).items[0]?.["id"]
    const names = ["iss", "sub", "aud", "exp", "iat", "rid", "sid", "amr", "acr", "auth_time", "ar", "act"]
    await checkProperty(
      fc.asyncProperty(objectWithMembers(names), objectWithMembers(["typ", "kid", "x"]), async (claims, header) => {
        const created = [
          forged({ alg: "HS256", typ: "JWT", kid }, { ...decodeJwt(token), ...claims }, secret),
          forged({ alg: "HS256", typ: "JWT", kid, ...header }, { ...decodeJwt(token), ...claims }, secret),
          forged({ alg: "HS256", kid }, claims, secret)
        ]
        for (const one of created) {
          expectNoServerError(await realm.get(`/v1/sessions/${encodeURIComponent(one)}`))
          expectNoServerError(await hosted.form("checkSession", { token: one }))
          expectNoServerError(await userinfo(realm, one))
          expectNoServerError(await sendForm(realm, "end_session", { id_token_hint: one }))
        }
      })
    )
  })

  test("SEC-236: in registrations with any metadata", async () => {
    const realm = await newRealm({ ...openRealm, limits: { registrations: 100_000 } })
    const names =
      "redirect_uris grant_types response_types client_name scope jwks jwks_uri contacts application_type logo_uri".split(
        " "
      )
    await checkProperty(
      fc.asyncProperty(objectWithMembers(names), anything, async (metadata, other) => {
        expectNoServerError(await register(realm, { ...agent, ...metadata }))
        expectNoServerError(await register(realm, { ...agent, jwks: { keys: other } }))
        expectNoServerError(await register(realm, { ...agent, jwks: { keys: [other] } }))
        expectNoServerError(await register(realm, other))
      })
    )
  })

  test("SEC-236: in claims parameters and passkey responses", async () => {
    const realm = await newRealm({ jwt_algo: "rs256", limits: { hosted: 100_000, hosted_sustained: 100_000 } })
    const hosted = await hostedAt(realm)
    const { id } = await oauthClient(realm)
    const pkce = { code_challenge: "v".repeat(43), code_challenge_method: "S256" }
    const query = { client_id: id, response_type: "code", scope: "openid", redirect_uri: CALLBACK, ...pkce }
    const nested = fc.oneof(
      anything,
      objectWithMembers(["id_token", "userinfo"]),
      fc.dictionary(fc.constantFrom("id_token", "userinfo"), objectWithMembers(["acr", "sub", "email", "auth_time"]))
    )
    await checkProperty(
      fc.asyncProperty(nested, objectWithMembers(["id", "response", "type"]), async (claims, response) => {
        const sent = new URLSearchParams({ ...query, claims: JSON.stringify(claims) })
        expectNoServerError(await realm.get(`/realms/${realm.id}/authorize?${sent}`))
        const form = { token: `tpk:${"A".repeat(43)}`, response: JSON.stringify(response) }
        expectNoServerError(await hosted.form("passkeyLogin", form))
      })
    )
  })

  test("SEC-236: in members of imported rows", async () => {
    const realm = await newRealm()
    const good = { reference: "r", email: "r@example.test" }
    const row = objectWithMembers(Object.keys(UserRow.fields)).map((members) => ({ ...good, ...members }))
    const credential = objectWithMembers([
      "credential_type",
      "password_hash",
      "otp_secret",
      "provider_user_id",
      "state",
      "name"
    ])
    const membership = objectWithMembers(["org", "org_id", "permissions", "custom", "expires_at"])
    await checkProperty(
      fc.asyncProperty(row, credential, membership, anything, async (one, inner, member, other) => {
        const rows = [one, { ...good, credentials: [inner] }, { ...good, memberships: [member] }, other]
        const { summary } = await importRows(
          realm,
          rows.map((each) => JSON.stringify(each)),
          "?dry_run=true"
        )
        expect(summary["object"]).toBe("import")
      })
    )
  })

  test("SEC-236: in provider profiles and token responses", async () => {
    const presets = Object.values(Context.get(Context.empty(), WellKnown))
    const claims = fc.oneof(
      anything,
      objectWithMembers(["id", "sub", "email", "email_verified", "name", "data", "app", "aud"])
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...presets),
        claims,
        fc.oneof(anything, fc.array(claims)),
        (preset, profile, more) => {
          const found = profileOf(preset.claimsOf(profile, more))
          expect([undefined, "string"]).toContain(found && typeof found.providerUserId)
          expect(preset.inspection?.isOurs(profile, "client") ?? false).toBe(false)
        }
      )
    )
  })
})
