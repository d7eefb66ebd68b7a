import { exportJWK, generateKeyPair } from "jose"
import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { oauthClient } from "../../support/oauth.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { service } from "../../support/sallyport.ts"
import { dpopKey, type Journey, runWholeFlow } from "./Journeys.ts"
import type { PartyAuth, PartyMaker, PartySettings } from "./Party.ts"
import { finalPage, Person } from "./Person.ts"

const CALLBACK = "https://app.example.test/callback"
const BYE = "https://app.example.test/bye"

/** The differences between a client and a web server that uses client_secret_basic. */
interface Variant {
  readonly client?: Readonly<Record<string, unknown>>
  readonly redirectUri?: string
  readonly dpop?: boolean
  readonly journey?: Pick<Journey, "how" | "parameters" | "introspects">
}

const NOT_CONFIDENTIAL = { introspects: false }

const variants: Readonly<Record<string, Variant>> = {
  "a web server with client_secret_basic": {},
  "a web server with client_secret_post": { client: { token_endpoint_auth_method: "client_secret_post" } },
  "a web server with private_key_jwt": { client: { token_endpoint_auth_method: "private_key_jwt" } },
  "a web server that asks for consent": { client: { consent: "ask" } },
  "a web server with pushed authorization requests": {
    client: { require_par: true },
    journey: { how: { par: true } }
  },
  "a web server with private_key_jwt, pushed authorization requests and DPoP": {
    client: { token_endpoint_auth_method: "private_key_jwt", require_par: true, require_dpop: true },
    dpop: true,
    journey: { how: { par: true } }
  },
  "a web server with response_mode=form_post": { journey: { parameters: { response_mode: "form_post" } } },
  "a browser app": { client: { client_type: "spa" }, journey: NOT_CONFIDENTIAL },
  "a browser app with DPoP": {
    client: { client_type: "spa", require_dpop: true },
    dpop: true,
    journey: NOT_CONFIDENTIAL
  },
  "a native app with an unregistered loopback port": {
    client: { client_type: "native", redirect_uris: ["http://127.0.0.1/callback"] },
    redirectUri: "http://127.0.0.1:49152/callback",
    journey: NOT_CONFIDENTIAL
  },
  "a native app with a private-use scheme": {
    client: { client_type: "native", redirect_uris: ["com.example.app:/callback"] },
    redirectUri: "com.example.app:/callback",
    journey: NOT_CONFIDENTIAL
  }
}

/** A realm with a user and the client of a variant. */
const prepare = async ({ client: attributes = {}, redirectUri = CALLBACK, dpop = false }: Variant) => {
  const { given, transport } = await service()
  const realm = await given.realm()
  await realm.connectedApp({ name: "Acme" })
  const email = `${uniqueText("jo")}@example.test`
  await quickUser(realm, { email, first_name: "Jo", last_name: "March" })
  const method = attributes["token_endpoint_auth_method"]
  const keys = method === "private_key_jwt" ? await generateKeyPair("ES256") : undefined
  const jwks = keys && { keys: [{ ...(await exportJWK(keys.publicKey)), kid: "party", alg: "ES256", use: "sig" }] }
  const type = attributes["client_type"] ?? "web"
  const machine = type === "machine" || type === "device"
  const { id, secret = "" } = await oauthClient(realm, {
    consent: "skip",
    allowed_scopes: ["openid", "profile", "email", "offline_access"],
    ...(machine ? {} : { redirect_uris: [redirectUri], post_logout_redirect_uris: [BYE] }),
    ...(jwks === undefined ? {} : { jwks }),
    ...attributes
  })
  const auth = (): PartyAuth => {
    if (keys !== undefined) return { method: "private_key_jwt", key: keys.privateKey }
    if (secret === "") return { method: "none" }
    return { method: method === "client_secret_post" ? method : "client_secret_basic", secret }
  }
  const settings: PartySettings = {
    issuer: new URL(`https://id.example.test/realms/${realm.id}`),
    clientId: id,
    auth: auth(),
    redirectUri,
    transport,
    clockSkew: Math.round((STARTS_AT - Date.now()) / 1_000),
    ...(dpop ? { dpop: await dpopKey() } : {})
  }
  const person = new Person(transport, { name: email, presses: ["Continue", "Allow", "Log out"] })
  return { realm, email, settings, person }
}

/** Tests the relying parties of a library in every variant of a client. */
export const testParties = (make: PartyMaker): void => {
  describe("log in, refresh, introspect, revoke and log out as", () => {
    test.each(Object.entries(variants))("%s", async (_, variant) => {
      const { realm, email, settings, person } = await prepare(variant)
      const party = await make(settings)
      const journey = { party, person, settings, postLogoutRedirectUri: BYE, ...variant.journey }
      const told = await runWholeFlow(journey)
      expect(told).toMatchObject({ email, email_verified: false, name: "Jo March", given_name: "Jo" })
      const { items } = await realm.get("/v2/events?event_type=oauth.grant.created,oauth.consent.granted")
      const asksForConsent = variant.client?.["consent"] === "ask"
      expect(items.map(({ event_type }) => event_type).toSorted()).toEqual(
        asksForConsent ? ["oauth.consent.granted", "oauth.grant.created"] : ["oauth.grant.created"]
      )
    })
  })

  test("need no second login for another client of the same login app", async () => {
    const { realm, settings, person } = await prepare({})
    const party = await make(settings)
    const first = await person.walk((await party.begin({})).url)
    const other = await oauthClient(realm, { redirect_uris: ["https://other.example.test/callback"], consent: "skip" })
    const redirectUri = "https://other.example.test/callback"
    const auth = { method: "client_secret_basic", secret: other.secret ?? "" } as const
    const second = await make({ ...settings, clientId: other.id, redirectUri, auth })
    const begun = await second.begin({ prompt: "none" })
    const arrived = await person.walk(begun.url)
    expect([first.asked.logins, arrived.asked.logins]).toEqual([1, 0])
    expect((await second.finish(begun, arrived)).sub).toMatch(/^usr_/)
  })

  test("get tokens for a backend itself", async () => {
    const { settings } = await prepare({ client: { client_type: "machine", allowed_scopes: [], consent: undefined } })
    const tokens = await (await make(settings)).clientCredentials({})
    expect([tokens.type.toLowerCase(), tokens.refresh, tokens.idToken]).toEqual(["bearer", undefined, undefined])
  })

  test("get tokens for a device once its user code is approved", async () => {
    const { settings, person } = await prepare({ client: { client_type: "device" } })
    const party = await make(settings)
    const device = await party.device({ scope: "openid profile offline_access" })
    expect(await device.poll()).toBe("authorization_pending")
    const end = await finalPage(person.walk(device.verificationUriComplete ?? device.verificationUri))
    expect(end.page.status).toBe(200)
    const tokens = await device.poll()
    if (typeof tokens === "string") throw new Error(`The device got ${tokens} after ${end.message}`)
    expect(await party.userinfo(tokens)).toMatchObject({ sub: tokens.sub, name: "Jo March" })
    expect((await party.refresh(tokens)).refresh).not.toBe(tokens.refresh)
  })
}
