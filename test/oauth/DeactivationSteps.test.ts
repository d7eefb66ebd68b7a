import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { oauthClient } from "../support/oauth.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { service } from "../support/sallyport.ts"
import { authorize, post, redeem, returnedToClient, token, userinfo } from "./peers/conformance/Calls.ts"
import { metadataOf, REDIRECT_URI, type Side } from "./peers/conformance/Side.ts"
import { Person } from "./peers/Person.ts"

/** A realm with a client and a user, called without a client library. */
const provider = async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  await realm.connectedApp()
  const email = `${uniqueText("jo")}@example.test`
  const user = await quickUser(realm, { email })
  const settings = { redirect_uris: [REDIRECT_URI], require_pkce: false, consent: "skip" }
  const made = await oauthClient(realm, { ...settings, allowed_scopes: ["openid", "email", "offline_access"] })
  const { id, secret = "" } = made
  const client = { id, secret, redirectUri: REDIRECT_URI, postLogoutRedirectUri: REDIRECT_URI }
  const issuer = `https://id.example.test/realms/${realm.id}`
  const side: Side = {
    issuer,
    transport,
    metadata: await metadataOf(issuer, transport),
    clients: { basic: client, post: client, other: client },
    always: {},
    person: () => new Person(transport, { name: email }),
    wait: async () => undefined,
    logoutTokens: async () => []
  }
  return { realm, user, client, side }
}

type Provider = Awaited<ReturnType<typeof provider>>

const SCOPES = { scope: "openid email offline_access" }

/** Logs a user in twice and returns an unredeemed code and the tokens of a redeemed code. */
const logInTwice = async ({ side }: Provider) => {
  const person = side.person()
  const { body } = await redeem(side, returnedToClient(await authorize(side, person, SCOPES)))
  const code = returnedToClient(await authorize(side, person, SCOPES))
  return { person, code, access: String(body["access_token"]), refresh: String(body["refresh_token"]) }
}

const basic = ({ client: { id, secret } }: Provider) => `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`

/** The current response of each step: an error code, a status or a result. */
const responsesOfSteps = async (
  at: Provider,
  { person, code, access, refresh }: Awaited<ReturnType<typeof logInTwice>>
) => {
  const { side } = at
  const silent = await authorize(side, person, { ...SCOPES, prompt: "none" })
  const redeemed = await redeem(side, code)
  const refreshed = await token(side, { grant_type: "refresh_token", refresh_token: refresh })
  const told = await userinfo(side, access)
  const introspected = await post(side, "introspection", { token: access }, { authorization: basic(at) })
  return {
    authorize: silent.to === "page" ? silent.status : (silent.got["error"] ?? "a code"),
    code: redeemed.body["error"] ?? redeemed.status,
    refresh: refreshed.body["error"] ?? refreshed.status,
    userinfo: told.status,
    introspect: introspected.body["active"] ?? introspected.body["error"]
  }
}

describe("SEC-184: every step of a login is rejected", () => {
  const GONE = { code: "invalid_grant", refresh: "invalid_grant", userinfo: 401, introspect: false }
  const turned: ReadonlyArray<readonly [string, (at: Provider) => Promise<unknown>, object]> = [
    [
      "nobody",
      async () => undefined,
      { authorize: "a code", code: 200, refresh: 200, userinfo: 200, introspect: true }
    ],
    [
      "the user",
      ({ realm, user }) => realm.put(`/v2/users/${user.id}`, { user: { state: "inactive" } }),
      { authorize: "login_required", ...GONE }
    ],
    [
      "the client",
      ({ realm, client }) => realm.put(`/v2/client_apps/${client.id}`, { client_app: { state: "inactive" } }),
      { authorize: 400, code: "invalid_client", refresh: "invalid_client", userinfo: 401, introspect: "invalid_client" }
    ],
    [
      "the realm",
      ({ realm }) => realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } }),
      { code: "access_denied", refresh: "access_denied", userinfo: 401 }
    ]
  ]

  test.each(turned)("when %s is inactive", async (_, turn, expected) => {
    const at = await provider()
    const logins = await logInTwice(at)
    await turn(at)
    expect(await responsesOfSteps(at, logins)).toMatchObject(expected)
  })
})

test("SEC-185: codes, tokens and clients of one realm don't work in another", async () => {
  const [here, there] = [await provider(), await provider()]
  const logins = await logInTwice(here)
  // First the other realm's client uses this realm's code and tokens, then this realm's client calls the other realm.
  expect(await responsesOfSteps(there, { ...logins, person: there.side.person() })).toEqual({
    authorize: "login_required",
    code: "invalid_grant",
    refresh: "invalid_grant",
    userinfo: 401,
    introspect: false
  })
  const stranger: Side = { ...there.side, clients: here.side.clients }
  const strange = await responsesOfSteps({ ...here, side: stranger }, { ...logins, person: there.side.person() })
  expect(strange).toEqual({
    authorize: 400,
    code: "invalid_client",
    refresh: "invalid_client",
    userinfo: 401,
    introspect: "invalid_client"
  })
  // The failed attempts didn't use up the code or the refresh token.
  expect(await responsesOfSteps(here, logins)).toMatchObject({
    code: 200,
    refresh: 200,
    userinfo: 200,
    introspect: true
  })
})

test("SEC-185: a code or refresh token cannot be used or used up by another client of the realm", async () => {
  const at = await provider()
  const logins = await logInTwice(at)
  const { id, secret = "" } = await oauthClient(at.realm, {
    redirect_uris: [REDIRECT_URI],
    require_pkce: false,
    consent: "skip"
  })
  const other = { ...at.client, id, secret }
  const thief: Side = { ...at.side, clients: { basic: other, post: other, other } }
  expect(
    await responsesOfSteps({ ...at, client: other, side: thief }, { ...logins, person: at.side.person() })
  ).toMatchObject({
    code: "invalid_grant",
    refresh: "invalid_grant",
    introspect: false
  })
  expect(await responsesOfSteps(at, logins)).toMatchObject({ code: 200, refresh: 200, userinfo: 200, introspect: true })
})
