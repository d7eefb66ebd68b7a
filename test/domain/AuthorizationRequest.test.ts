import { DateTime } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { defaultAppearance } from "#domain/Appearance"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { AppId, RealmId } from "#domain/Ids"
import { paramsIn } from "#domain/oauth/AuthorizationParams"
import { AuthorizationRefused, checkAuthorization } from "#domain/oauth/AuthorizationRequest"
import { authorizationResponse } from "#domain/oauth/AuthorizationResponse"
import { oauthProblems } from "#domain/oauth/OAuthProblem"

const CALLBACK = "https://client.example.test/cb"
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"

const client: OAuthClient = {
  id: AppId.make("lpl_1"),
  realmId: RealmId.make("rl_1"),
  clientType: "web",
  state: "active",
  name: "Reports",
  redirectUris: [CALLBACK],
  appearance: defaultAppearance,
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  clientUri: null,
  initiateLoginUri: null,
  grantTypes: ["authorization_code", "refresh_token"],
  tokenEndpointAuthMethod: "client_secret_basic",
  jwks: null,
  jwksUri: null,
  allowedScopes: ["openid", "profile", "email", "offline_access", "reports:read"],
  resources: ["https://api.example.test/"],
  consent: "ask",
  idTokenClaims: "scopes",
  requirePkce: true,
  requirePar: false,
  requireDpop: false,
  accessTokenMinutes: 60,
  refreshTokenDays: 30,
  loginAppId: null,
  registration: null,
  createdAt: DateTime.makeUnsafe(0)
}

const right = {
  client_id: client.id,
  redirect_uri: CALLBACK,
  response_type: "code",
  scope: "openid",
  state: "s1",
  code_challenge: CHALLENGE,
  code_challenge_method: "S256"
}

type Changes = Readonly<Record<string, string | null>>

const check = (changes: Changes, more: Partial<OAuthClient> = {}, extra = "") => {
  const params = new URLSearchParams(right)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) params.delete(name)
    else params.set(name, value)
  }
  return checkAuthorization({ ...client, ...more }, paramsIn(new URLSearchParams(params.toString() + extra)))
}

/** The reason for rejecting a request, and where the error is shown: the redirect URI or "page". */
const refusal = (changes: Changes, more: Partial<OAuthClient> = {}, extra = "") => {
  const found = check(changes, more, extra)
  return found instanceof AuthorizationRefused ? [found.reason, found.target?.redirectUri ?? "page"] : "accepted"
}

describe("RFC 6749 §4.1.2.1: an invalid authorization request", () => {
  const cases: ReadonlyArray<readonly [Changes, string, Partial<OAuthClient>?, string?]> = [
    [{ request: "eyJ" }, "request_object"],
    [{ request_uri: "https://client.example.test/r" }, "request_uri"],
    [{ registration: "{}" }, "registration_parameter"],
    [{}, "par_required", { requirePar: true }],
    [{}, "grant_type_not_allowed", { grantTypes: ["client_credentials"] }],
    [{ response_type: null }, "response_type_missing"],
    [{ response_type: "token" }, "response_type_unknown"],
    [{ response_type: "code id_token" }, "response_type_unknown"],
    [{ response_mode: "fragment" }, "response_mode_unknown"],
    [{ response_mode: "web_message" }, "response_mode_unknown"],
    [{ scope: 'openid "x"' }, "scope_malformed"],
    [{ scope: "admin" }, "scope_none"],
    [{ scope: null }, "scope_none", { allowedScopes: ["openid", "offline_access"] }],
    [{ code_challenge: null, code_challenge_method: null }, "pkce_missing"],
    [{ code_challenge: null }, "pkce_missing", { requirePkce: false }],
    [
      { code_challenge: null, code_challenge_method: null },
      "pkce_missing",
      { requirePkce: false, tokenEndpointAuthMethod: "none" }
    ],
    [{ code_challenge_method: "plain" }, "pkce_plain"],
    [{ code_challenge_method: null }, "pkce_plain"],
    [{ code_challenge: "short" }, "pkce_malformed"],
    [{ prompt: "now" }, "prompt_unknown"],
    [{ prompt: "none login" }, "prompt_contradictory"],
    [{ max_age: "-1" }, "max_age_malformed"],
    [{ max_age: "1e3" }, "max_age_malformed"],
    [{ claims: "{" }, "claims_malformed"],
    [{ claims: "[]" }, "claims_malformed"],
    [{ claims: '{"id_token":{"acr":{"essential":true,"values":["aal9"]}}}' }, "acr_unknown"],
    [{ org_id: "acme" }, "org_malformed"],
    [{ resource: "https://other.example.test/" }, "resource_not_allowed"],
    [{ dpop_jkt: "x" }, "dpop_jkt_malformed"],
    [{ nonce: "\u0000" }, "unreadable_parameter"],
    [{ state: "x".repeat(4_097) }, "unreadable_parameter"],
    [{ id_token_hint: "x".repeat(65_537) }, "unreadable_parameter"],
    [{ id_token_hint: "x\0" }, "unreadable_parameter"],
    [{ state: "x".repeat(4_000), nonce: "x".repeat(4_000) }, "unreadable_parameter"],
    [{}, "repeated_parameter", {}, "&state=s2"],
    [{}, "repeated_parameter", {}, "&scope="]
  ]

  for (const [changes, reason, more, extra = ""] of cases) {
    test(`${JSON.stringify(changes).slice(0, 90)}${extra}: returns ${reason} to the client`, () => {
      expect(refusal(changes, more, extra)).toEqual([reason, CALLBACK])
    })
  }

  const onPages: ReadonlyArray<readonly [Changes, string, string?]> = [
    [{ redirect_uri: null }, "redirect_uri_missing"],
    [{ redirect_uri: "" }, "redirect_uri_missing"],
    [{}, "repeated_parameter", `&redirect_uri=${encodeURIComponent(CALLBACK)}`],
    [{}, "repeated_parameter", "&client_id=lpl_1"]
  ]

  for (const [changes, reason, extra = ""] of onPages) {
    test(`${JSON.stringify(changes)}${extra}: shows ${reason} on a page`, () => {
      expect(refusal(changes, {}, extra)).toEqual([reason, "page"])
    })
  }

  test("has a standard error code and a valid ASCII description for each reason", () => {
    for (const { error, description } of Object.values(oauthProblems)) {
      expect(error).toMatch(/^[a-z_]+$/)
      expect(description).toMatch(/^[ !#-[\]-~]+$/)
    }
  })
})

describe("the access requested by an authorization request", () => {
  test("excludes duplicates and scopes that are not allowed for the client", () => {
    expect(check({ scope: "openid admin openid offline_access" })).toMatchObject({
      scopes: ["openid", "offline_access"]
    })
  })

  test("excludes offline access if the client may not use refresh tokens", () => {
    expect(check({ scope: "openid offline_access" }, { grantTypes: ["authorization_code"] })).toMatchObject({
      scopes: ["openid"]
    })
  })

  test("includes all scopes of the client except OpenID Connect scopes if scope is missing", () => {
    expect(check({ scope: null })).toMatchObject({ scopes: ["profile", "email", "reports:read"] })
  })

  test("uses the first known value of acr_values, unless claims request a level", () => {
    expect(check({ acr_values: "phr aal1 aal2" })).toMatchObject({ acr: { level: "aal1", isEssential: false } })
    const claims = JSON.stringify({ id_token: { acr: { essential: true, value: "aal2" } } })
    expect(check({ acr_values: "aal1", claims })).toMatchObject({ acr: { level: "aal2", isEssential: true } })
  })

  test("ignores unknown parameters, including display", () => {
    expect(refusal({ display: "popup", foo: "bar", id_token_hint: "x" })).toBe("accepted")
  })

  test("is granted without PKCE if the confidential client's settings allow it", () => {
    const none = { code_challenge: null, code_challenge_method: null }
    expect(check(none, { requirePkce: false })).toMatchObject({ codeChallenge: null })
  })
})

describe("SEC-150: exact matching of redirect URIs", () => {
  const tricks = [
    "https://client.example.test/cb/",
    "https://client.example.test/CB",
    "https://CLIENT.example.test/cb",
    "HTTPS://client.example.test/cb",
    "http://client.example.test/cb",
    "https://client.example.test:443/cb",
    "https://client.example.test:8443/cb",
    "https://user@client.example.test/cb",
    "https://client.example.test@evil.example/cb",
    "https://client.example.test.evil.example/cb",
    "https://evil.example/client.example.test/cb",
    "https://client.example.test/cb/../evil",
    "https://client.example.test/x/../cb",
    "https://client.example.test/cb%2f..%2fevil",
    "https://client.example.test/%63b",
    "https://client.example.test/cb#",
    "https://client.example.test/cb#x",
    "https://client.example.test/cb?",
    "https://client.example.test/cb?next=https://evil.example",
    "https://client.example.test/cb\\@evil.example",
    " https://client.example.test/cb",
    "https://client.example.test/cb\n",
    "//client.example.test/cb",
    "/cb",
    "javascript:alert(1)//https://client.example.test/cb",
    "https://client.example.test./cb"
  ]
  test.each(tricks)("rejects %j with an error page", (uri) => {
    expect(refusal({ redirect_uri: uri })).toEqual(["redirect_uri_unregistered", "page"])
  })

  test("C255: allows an ID token hint longer than all other parameters together", () => {
    expect(refusal({ id_token_hint: "x".repeat(12_000), nonce: "x".repeat(4_000) })).toBe("accepted")
  })

  test("always uses a registered redirect URI, regardless of the other parameters", () => {
    const param = fc.tuple(fc.constantFrom(...Object.keys(right), "prompt", "request"), fc.string())
    fc.assert(
      fc.property(fc.array(param, { maxLength: 8 }), fc.webUrl(), (params, uri) => {
        const sent = paramsIn(new URLSearchParams([...params, ["redirect_uri", uri]]))
        const found = checkAuthorization(client, sent)
        if (found instanceof AuthorizationRefused) expect([undefined, CALLBACK]).toContain(found.target?.redirectUri)
        else expect(found.redirectUri).toBe(CALLBACK)
      })
    )
  })

  test("ignores only the port of a native client's loopback address (RFC 8252 §7.3)", () => {
    const native = { clientType: "native", redirectUris: ["http://127.0.0.1/cb", "http://[::1]:1/cb"] } as const
    for (const uri of ["http://127.0.0.1:49152/cb", "http://127.0.0.1/cb", "http://[::1]:8080/cb"]) {
      expect(refusal({ redirect_uri: uri }, native)).toBe("accepted")
    }
    for (const uri of [
      "http://127.0.0.1:49152/cb/",
      "http://127.0.0.1:49152/cb#x",
      "http://localhost:49152/cb",
      "http://127.0.0.2:1/cb",
      "http://127.0.0.1:1@evil.example/cb",
      "http://127.0.0.1:123456/cb",
      "https://127.0.0.1:1/cb",
      "http://127.0.0.1.evil.example:1/cb"
    ]) {
      expect(refusal({ redirect_uri: uri }, native)).toEqual(["redirect_uri_unregistered", "page"])
    }
    expect(refusal({ redirect_uri: "http://127.0.0.1:2/cb" }, { ...native, clientType: "web" })).not.toBe("accepted")
  })
})

describe("the authorization response", () => {
  const target = { redirectUri: CALLBACK, responseMode: "query", state: "a b&c=d#e" } as const

  test("SEC-151: includes the issuer and keeps the redirect URI as registered", () => {
    const issuer = "https://id.example.test/realms/rl_1"
    const response = authorizationResponse(issuer, target, { code: "oac_1" })
    const url = new URL(response._tag === "Redirect" ? response.url : "")
    expect(url.origin + url.pathname).toBe(CALLBACK)
    expect(Object.fromEntries(url.searchParams)).toEqual({ code: "oac_1", state: "a b&c=d#e", iss: issuer })
    expect(url.hash).toBe("")
    const withQuery = authorizationResponse(issuer, { ...target, redirectUri: `${CALLBACK}?a=1` }, { code: "oac_1" })
    expect(withQuery).toMatchObject({ url: expect.stringContaining(`${CALLBACK}?a=1&code=oac_1&`) })
  })

  test("has the same fields as a posted form", () => {
    const response = authorizationResponse("i", { ...target, responseMode: "form_post", state: null }, { code: "c" })
    expect(response).toEqual({ _tag: "FormPost", action: CALLBACK, fields: { code: "c", iss: "i" } })
  })
})
