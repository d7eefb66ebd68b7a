import { generateKeyPairSync } from "node:crypto"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { appVersions, minimalApp } from "../support/apps.ts"
import { oauthClient } from "../support/oauth.ts"
import { service } from "../support/sallyport.ts"

const realmOf = async () => (await service()).given.realm({ jwt_algo: "rs256" })

const problemsOf = (reply: Reply) => {
  const details = reply.member("error_details")
  return Array.isArray(details) ? details.map(({ field, code }) => `${field} ${code}`).toSorted() : []
}

const callback = "https://app.example.test/callback"

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" })
const good = ec.publicKey.export({ format: "jwk" })
const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "jwk" })
const keySet = (...keys: ReadonlyArray<unknown>) => ({ jwks: { keys } })

const least: Readonly<Record<string, object>> = {
  web: { redirect_uris: [callback] },
  spa: { redirect_uris: [callback] },
  native: { redirect_uris: [callback] }
}

/** Settings that are invalid for a client type, and the problems reported. */
const wrong: ReadonlyArray<readonly [type: string, settings: object, ...problems: ReadonlyArray<string>]> = [
  ["web", { name: null }, "name blank"],
  ["web", { redirect_uris: [] }, "redirect_uris blank"],
  ["spa", { redirect_uris: null }, "redirect_uris blank"],
  ["web", { redirect_uris: [callback, "http://app.example.test/callback"] }, "redirect_uris page_scheme"],
  ["web", { redirect_uris: ["com.example.app:/callback"] }, "redirect_uris url_form"],
  ["spa", { redirect_uris: ["com.example.app:/callback"] }, "redirect_uris url_form"],
  ["web", { redirect_uris: [`${callback}#x`] }, "redirect_uris url_parts"],
  ["web", { redirect_uris: ["https://user@app.example.test/"] }, "redirect_uris url_parts"],
  ["web", { redirect_uris: ["https://app.example.test/*"] }, "redirect_uris uri_wildcard"],
  ["web", { redirect_uris: ["https://*.example.test/"] }, "redirect_uris uri_wildcard"],
  ["web", { redirect_uris: ["/callback"] }, "redirect_uris url_form"],
  ["web", { redirect_uris: [`${callback}/${"p".repeat(2_048)}`] }, "redirect_uris too_long"],
  ["web", { redirect_uris: Array.from({ length: 101 }, (_, n) => `${callback}/${n}`) }, "redirect_uris too_many"],
  ["native", { redirect_uris: ["javascript:alert(1)"] }, "redirect_uris program_uri_form"],
  ["native", { redirect_uris: ["editor:/callback"] }, "redirect_uris program_uri_form"],
  ["native", { redirect_uris: ["editor:///callback"] }, "redirect_uris program_uri_form"],
  ["native", { redirect_uris: ["editor://user@back/"] }, "redirect_uris url_parts"],
  ["native", { redirect_uris: ["editor://back/#x"] }, "redirect_uris url_parts"],
  ["native", { redirect_uris: ["http://app.example.test/callback"] }, "redirect_uris program_uri_form"],
  ["spa", { redirect_uris: ["editor://back/"] }, "redirect_uris url_form"],
  ["native", { redirect_uris: ["com.example.app:/callback#x"] }, "redirect_uris url_parts"],
  ["native", { redirect_uris: ["com.example.*:/callback"] }, "redirect_uris program_uri_form"],
  ["machine", { redirect_uris: [callback] }, "redirect_uris other_client_type"],
  ["device", { redirect_uris: [callback] }, "redirect_uris other_client_type"],
  ["web", { post_logout_redirect_uris: ["http://app.example.test/"] }, "post_logout_redirect_uris page_scheme"],
  ["machine", { post_logout_redirect_uris: [callback] }, "post_logout_redirect_uris other_client_type"],
  ["web", { backchannel_logout_uri: "ftp://app.example.test/" }, "backchannel_logout_uri url_form"],
  ["web", { backchannel_logout_uri: `${callback}#x` }, "backchannel_logout_uri url_parts"],
  ["machine", { backchannel_logout_uri: callback }, "backchannel_logout_uri other_client_type"],
  ["web", { grant_types: [] }, "grant_types blank"],
  ["web", { grant_types: ["password"] }, "grant_types inclusion"],
  ["web", { grant_types: ["urn:ietf:params:oauth:grant-type:device_code"] }, "grant_types inclusion"],
  ["web", { grant_types: ["refresh_token", "client_credentials"] }, "grant_types refresh_alone"],
  ["spa", { grant_types: ["authorization_code", "client_credentials"] }, "grant_types inclusion"],
  ["native", { grant_types: ["client_credentials"] }, "grant_types inclusion"],
  ["machine", { grant_types: ["authorization_code"] }, "grant_types inclusion", "redirect_uris blank"],
  ["device", { grant_types: ["refresh_token"] }, "grant_types refresh_alone"],
  ["web", { token_endpoint_auth_method: "none" }, "token_endpoint_auth_method inclusion"],
  ["machine", { token_endpoint_auth_method: "none" }, "token_endpoint_auth_method inclusion"],
  ["spa", { token_endpoint_auth_method: "client_secret_basic" }, "token_endpoint_auth_method inclusion"],
  ["web", { token_endpoint_auth_method: "tls_client_auth" }, "token_endpoint_auth_method inclusion"],
  ["spa", { require_pkce: false }, "require_pkce pkce_public"],
  ["web", { token_endpoint_auth_method: "private_key_jwt" }, "jwks blank"],
  ["web", { jwks: [] }, "jwks not_object"],
  ["web", { jwks: "x" }, "jwks not_object"],
  ["web", { jwks: {} }, "jwks jwks_form"],
  ["web", { jwks: { keys: [] } }, "jwks jwks_form"],
  ["web", keySet(null), "jwks jwks_form"],
  ["web", keySet({ kty: "EC" }), "jwks jwks_form"],
  ["web", keySet({ ...good, x: "AAAA" }), "jwks jwks_form"],
  ["web", keySet({ ...good, use: "enc" }), "jwks jwks_form"],
  ["web", keySet({ ...good, alg: "RS256" }), "jwks jwks_form"],
  ["web", keySet({ ...good, alg: "none" }), "jwks jwks_form"],
  ["web", keySet({ ...good, kid: 7 }), "jwks jwks_form"],
  ["web", keySet(...Array.from({ length: 11 }, () => good)), "jwks jwks_form"],
  ["web", keySet(good, ec.privateKey.export({ format: "jwk" })), "jwks jwks_private"],
  ["web", keySet({ kty: "oct", k: "c2VjcmV0" }), "jwks jwks_private"],
  ["web", keySet(generateKeyPairSync("x25519").publicKey.export({ format: "jwk" })), "jwks jwks_form"],
  [
    "web",
    keySet(generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey.export({ format: "jwk" })),
    "jwks jwks_form"
  ],
  ["web", keySet(rsa(1_024)), "jwks jwks_form"],
  ["web", keySet({ ...rsa(2_048), e: "_".repeat(12) }), "jwks jwks_form"],
  ["web", { allowed_scopes: ["openid", "notes:read"] }, "allowed_scopes scope_unknown"],
  ["web", { allowed_scopes: ['a"b'] }, "allowed_scopes scope_form"],
  ["machine", { allowed_scopes: ["openid"] }, "allowed_scopes scope_unknown"],
  ["web", { resources: ["/notes"] }, "resources resource_form"],
  ["web", { resources: ["https://api.example.test/#x"] }, "resources resource_form"],
  ["web", { resources: Array.from({ length: 21 }, (_, n) => `urn:example:${n}`) }, "resources too_many"],
  ["web", { consent: "never" }, "consent inclusion"],
  [
    "web",
    { access_token_minutes: 0, refresh_token_days: 366 },
    "access_token_minutes range",
    "refresh_token_days range"
  ],
  ["web", { access_token_minutes: 1.5, require_par: 7 }, "access_token_minutes not_number", "require_par not_boolean"],
  ["web", { login_app_id: "lpl_00000000000000000000000000" }, "login_app_id unknown"],
  ["web", { login_app_id: "x" }, "login_app_id unknown"],
  ["web", { subdomain: "acme", header: "<b>x</b>" }, "header other_client_type", "subdomain other_client_type"],
  [
    "web",
    { signup_mode: "user", logout_uris: [callback] },
    "logout_uris other_client_type",
    "signup_mode other_client_type"
  ],
  [
    "web",
    { allow_jsonp: true, login_handler: callback },
    "allow_jsonp other_client_type",
    "login_handler other_client_type"
  ],
  ["web", { appearance: { color: "red" } }, "appearance.color color_form"]
]

describe.each(appVersions)("OAuth clients: $path", ({ path, wrapper }) => {
  test("reports each broken rule on creation without creating a client", async () => {
    const realm = await realmOf()
    const events = await realm.seen.caused(async () => {
      for (const [type, settings, ...problems] of wrong) {
        const sent = { name: "x", client_type: type, ...least[type], ...settings }
        const reply = await realm.post(path, { [wrapper]: sent })
        expect([type, settings, reply.status, problemsOf(reply)]).toEqual([type, settings, 422, problems])
      }
    })
    expect(events).toEqual([])
    expect((await realm.get(path)).items).toEqual([])
  })

  test("reports each broken rule on update and rejects a change of the client type", async () => {
    const realm = await realmOf()
    const clients = new Map<string, string>()
    for (const type of ["web", "spa", "native", "machine", "device"]) {
      clients.set(type, (await oauthClient(realm, { client_type: type })).id)
    }
    const events = await realm.seen.caused(async () => {
      for (const [type, settings, ...problems] of wrong) {
        const reply = await realm.put(`${path}/${clients.get(type)}`, { [wrapper]: settings })
        expect([type, settings, reply.status, problemsOf(reply)]).toEqual([type, settings, 422, problems])
      }
      for (const client_type of ["standard", "spa"]) {
        const reply = await realm.put(`${path}/${clients.get("web")}`, { [wrapper]: { client_type } })
        expect([reply.status, problemsOf(reply)]).toEqual([422, ["client_type unchangeable"]])
      }
    })
    expect(events).toEqual([])
  })

  test("rejects OAuth client settings for a connected app", async () => {
    const realm = await realmOf()
    const app = await realm.connectedApp()
    const settings = {
      post_logout_redirect_uris: [callback],
      grant_types: ["authorization_code"],
      jwks: { keys: [good] },
      require_pkce: true,
      access_token_minutes: 60,
      login_app_id: app.id
    }
    const problems = Object.keys(settings)
      .map((name) => `${name} other_client_type`)
      .toSorted()
    const made = await realm.post(path, { [wrapper]: minimalApp(settings) })
    expect([made.status, problemsOf(made)]).toEqual([422, problems])
    const changed = await realm.put(`${path}/${app.id}`, { [wrapper]: { ...settings, client_type: "web" } })
    expect([changed.status, problemsOf(changed)]).toEqual([422, ["client_type unchangeable", ...problems].toSorted()])
    const read = await realm.get(`${path}/${app.id}`)
    const same = await realm.put(`${path}/${app.id}`, { [wrapper]: { ...Object(read.body), client_type: "standard" } })
    expect([same.status, same.body]).toEqual([200, read.body])
  })

  test("rejects a login app that is an OAuth client or belongs to another realm", async () => {
    const realm = await realmOf()
    const elsewhere = (await (await realmOf()).connectedApp()).id
    const { id } = await oauthClient(realm, { client_type: "device" })
    for (const login_app_id of [elsewhere, id]) {
      const reply = await realm.put(`${path}/${id}`, { [wrapper]: { login_app_id } })
      expect([reply.status, problemsOf(reply)]).toEqual([422, ["login_app_id unknown"]])
    }
  })
})
