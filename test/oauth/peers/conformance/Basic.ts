import { authorize, headerOf, idTokenOf, loggedIn, post, redeem, returnedToClient, token, userinfo } from "./Calls.ts"
import { claimNames, codeFacts, type Facts, facts, responseFacts } from "./Facts.ts"
import type { Side } from "./Side.ts"

/** A module of the suite: sends its requests to a provider and returns the results. */
export type Module = (side: Side) => Promise<Facts>

/** Requests user info in the given way. */
const userinfoModule =
  (how: "get" | "header" | "body"): Module =>
  async (side) => {
    const { tokens } = await loggedIn(side)
    const told = await userinfo(side, tokens.body["access_token"], how)
    const { sub } = await idTokenOf(side, tokens)
    return { ...responseFacts(told), same: told.body["sub"] === sub }
  }

/** The claims returned for these scopes. */
const scopeModule =
  (scope: string): Module =>
  async (side) => {
    const { first, tokens } = await loggedIn(side, { scope })
    const told = await userinfo(side, tokens.body["access_token"])
    return { ...codeFacts(first), ...responseFacts(tokens), told: claimNames(told.body) }
  }

/** A login with a parameter that a provider may ignore if it lacks the feature. */
const parameterModule =
  (parameters: Readonly<Record<string, string>>): Module =>
  async (side) => {
    const { first, tokens } = await loggedIn(side, parameters)
    return { ...codeFacts(first), ...responseFacts(tokens) }
  }

/** A second authorization of a user who is already logged in. */
const authorizeAgain = async (
  side: Side,
  parameters: Readonly<Record<string, string>>,
  seconds = 0
): Promise<Facts> => {
  const { person, tokens } = await loggedIn(side, { max_age: "86400" })
  const before = await idTokenOf(side, tokens)
  await side.wait(seconds)
  const second = await authorize(side, person, parameters)
  if (second.to !== "client" || second.got["code"] === undefined) return codeFacts(second)
  const { sub, auth_time = before["auth_time"] } = await idTokenOf(side, await redeem(side, second))
  const later = Number(auth_time) - Number(before["auth_time"])
  return { ...codeFacts(second), sameUser: sub === before.sub, later }
}

/** Redeems a code a second time. */
const redeemTwice =
  (seconds: number): Module =>
  async (side) => {
    const { first, tokens } = await loggedIn(side)
    await side.wait(seconds)
    const second = await redeem(side, first)
    const after = await userinfo(side, tokens.body["access_token"])
    return { first: responseFacts(tokens), second: responseFacts(second), userinfo: after.status }
  }

/** The modules of the plan `oidcc-basic-certification-test-plan`, by name. */
export const basicModules: Readonly<Record<string, Module>> = {
  "oidcc-server": async (side) => {
    const { first, tokens } = await loggedIn(side)
    const claims = await idTokenOf(side, tokens)
    const type = String(tokens.body["token_type"]).toLowerCase()
    const { nonce, aud } = claims
    const needed = ["aud", "exp", "iat", "iss", "nonce", "sub"].filter((name) => name in claims)
    return {
      ...facts(first),
      ...responseFacts(tokens),
      type,
      cache: tokens.headers.get("cache-control"),
      needed,
      nonce,
      audience: aud === side.clients.basic.id
    }
  },
  "oidcc-response-type-missing": async (side) => facts(await authorize(side, side.person(), { response_type: "" })),
  "oidcc-idtoken-signature": async (side) => {
    const { tokens } = await loggedIn(side)
    await idTokenOf(side, tokens)
    const { alg, kid } = headerOf(tokens)
    return { alg, kid: typeof kid }
  },
  "oidcc-idtoken-unsigned": async ({ metadata }) => {
    const algorithms = metadata["id_token_signing_alg_values_supported"]
    return { none: Array.isArray(algorithms) && algorithms.includes("none") }
  },
  "oidcc-userinfo-get": userinfoModule("get"),
  "oidcc-userinfo-post-header": userinfoModule("header"),
  "oidcc-userinfo-post-body": userinfoModule("body"),
  "oidcc-ensure-request-without-nonce-succeeds-for-code-flow": async (side) => {
    const { first, tokens } = await loggedIn(side, { nonce: "" })
    return { ...codeFacts(first), nonce: (await idTokenOf(side, tokens))["nonce"] ?? null }
  },
  "oidcc-scope-profile": scopeModule("openid profile"),
  "oidcc-scope-email": scopeModule("openid email"),
  "oidcc-scope-address": scopeModule("openid address"),
  "oidcc-scope-phone": scopeModule("openid phone"),
  "oidcc-scope-all": scopeModule("openid address email phone profile"),
  "oidcc-ensure-other-scope-order-succeeds": scopeModule("email openid"),
  "oidcc-display-page": parameterModule({ display: "page" }),
  "oidcc-display-popup": parameterModule({ display: "popup" }),
  "oidcc-prompt-login": (side) => authorizeAgain(side, { prompt: "login" }, 2),
  "oidcc-prompt-none-not-logged-in": async (side) => facts(await authorize(side, side.person(), { prompt: "none" })),
  "oidcc-prompt-none-logged-in": (side) => authorizeAgain(side, { prompt: "none" }),
  "oidcc-max-age-1": (side) => authorizeAgain(side, { max_age: "1" }, 2),
  "oidcc-max-age-10000": (side) => authorizeAgain(side, { max_age: "10000" }, 2),
  "oidcc-ensure-request-with-unknown-parameter-succeeds": parameterModule({ extra: "foobar" }),
  "oidcc-id-token-hint": async (side) => {
    const { person, tokens } = await loggedIn(side)
    const hinted = { prompt: "none", id_token_hint: String(tokens.body["id_token"]) }
    return codeFacts(await authorize(side, person, hinted))
  },
  "oidcc-login-hint": parameterModule({ login_hint: "buffy@example.test" }),
  "oidcc-ui-locales": parameterModule({ ui_locales: "se" }),
  "oidcc-claims-locales": parameterModule({ claims_locales: "se" }),
  "oidcc-ensure-request-with-acr-values-succeeds": parameterModule({ acr_values: "1 2" }),
  "oidcc-codereuse": redeemTwice(0),
  "oidcc-codereuse-30seconds": redeemTwice(30),
  "oidcc-ensure-registered-redirect-uri": async (side) =>
    facts(await authorize(side, side.person(), { redirect_uri: `${side.clients.basic.redirectUri}/other` })),
  "oidcc-ensure-post-request-succeeds": async (side) => {
    const { first, tokens } = await loggedIn(side, {}, { method: "POST" })
    return { ...codeFacts(first), ...responseFacts(tokens) }
  },
  "oidcc-server-client-secret-post": async (side) => {
    const client = side.clients.post
    const first = returnedToClient(await authorize(side, side.person(), {}, { client }))
    const tokens = await redeem(side, first, { client, inBody: true })
    return { ...codeFacts(first), ...responseFacts(tokens) }
  },
  "oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported": async (side) =>
    facts(await authorize(side, side.person(), { request_uri: "https://app.example.test/request.jwt" })),
  "oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported": async (side) =>
    facts(await authorize(side, side.person(), { request: unsignedRequest(side, {}) })),
  "oidcc-claims-essential": async (side) => {
    const { tokens } = await loggedIn(side, {
      scope: "openid profile",
      claims: JSON.stringify({ userinfo: { name: { essential: true } } })
    })
    const told = await userinfo(side, tokens.body["access_token"])
    return { ...responseFacts(tokens), name: typeof told.body["name"] }
  },
  "oidcc-ensure-request-object-with-redirect-uri": async (side) => {
    const request = unsignedRequest(side, { redirect_uri: side.clients.basic.redirectUri })
    return facts(await authorize(side, side.person(), { request, redirect_uri: "https://evil.example.test/" }))
  },
  "oidcc-refresh-token": async (side) => {
    const { tokens } = await loggedIn(side, { scope: "openid offline_access", prompt: "consent" })
    const refresh_token = String(tokens.body["refresh_token"])
    const grant = { grant_type: "refresh_token", refresh_token }
    const foreign = await token(side, grant, { client: side.clients.other })
    const own = await token(side, grant)
    const [before, after] = [await idTokenOf(side, tokens), await idTokenOf(side, own)]
    return {
      foreign: responseFacts(foreign),
      own: responseFacts(own),
      newAccess: own.body["access_token"] !== tokens.body["access_token"],
      rotated: own.body["refresh_token"] !== refresh_token,
      same: ["iss", "sub", "aud", "auth_time"].filter((name) => before[name] === after[name])
    }
  },
  "oidcc-ensure-request-with-valid-pkce-succeeds": async (side) => {
    const verifier = "a-verifier-of-at-least-forty-three-characters"
    const digest = await crypto.subtle.digest("SHA-256", Buffer.from(verifier))
    const code_challenge = Buffer.from(digest).toString("base64url")
    const asked = { code_challenge, code_challenge_method: "S256" }
    const right = returnedToClient(await authorize(side, side.person(), asked))
    const redeemed = await redeem(side, right, {}, { code_verifier: verifier })
    const wrong = returnedToClient(await authorize(side, side.person(), asked))
    const refused = await redeem(side, wrong, {}, { code_verifier: `${verifier}-` })
    return { right: responseFacts(redeemed), wrong: responseFacts(refused) }
  }
}

/** An unsigned request object. */
const unsignedRequest = ({ clients: { basic } }: Side, more: object): string => {
  const part = (content: object) => Buffer.from(JSON.stringify(content)).toString("base64url")
  const claims = {
    client_id: basic.id,
    response_type: "code",
    redirect_uri: basic.redirectUri,
    scope: "openid",
    ...more
  }
  return `${part({ alg: "none" })}.${part(claims)}.`
}

/** Requests of clients that the plans don't cover. */
export const otherModules: Readonly<Record<string, Module>> = {
  "an unknown grant type": async (side) => responseFacts(await token(side, { grant_type: "password" })),
  "a wrong client secret": async (side) => {
    const client = { ...side.clients.basic, secret: "wrong" }
    const refused = await token(side, { grant_type: "authorization_code", code: "c", redirect_uri: "r" }, { client })
    return { ...responseFacts(refused), challenge: refused.headers.get("www-authenticate")?.split(" ")[0] }
  },
  "no client": async (side) =>
    responseFacts(await post(side, "token", { grant_type: "authorization_code", code: "c" })),
  "another client's code": async (side) => {
    const first = returnedToClient(await authorize(side, side.person()))
    return responseFacts(await redeem(side, first, { client: side.clients.other }))
  },
  "a different redirect URI than in the request": async (side) => {
    const first = returnedToClient(await authorize(side, side.person()))
    return responseFacts(await redeem(side, first, {}, { redirect_uri: "https://app.example.test/elsewhere" }))
  },
  "user info with a wrong token": async (side) => {
    const refused = await userinfo(side, "wrong")
    return { status: refused.status, challenge: refused.headers.get("www-authenticate")?.split(" ")[0] }
  },
  "introspection of an unknown token": async (side) => {
    const { id, secret } = side.clients.basic
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`
    const { status, body } = await post(side, "introspection", { token: "wrong" }, { authorization })
    return { status, body }
  },
  "revocation of an unknown token": async (side) => {
    const { id, secret } = side.clients.basic
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`
    return responseFacts(await post(side, "revocation", { token: "wrong" }, { authorization }))
  },
  "an unsupported response type": async (side) =>
    facts(await authorize(side, side.person(), { response_type: "id_token" })),
  "an unsupported response mode": async (side) =>
    facts(await authorize(side, side.person(), { response_mode: "smoke" })),
  "an unknown prompt": async (side) => facts(await authorize(side, side.person(), { prompt: "nothing" })),
  "prompt=none with another prompt": async (side) =>
    facts(await authorize(side, side.person(), { prompt: "none login" })),
  "a max_age that is not a number": async (side) => facts(await authorize(side, side.person(), { max_age: "soon" })),
  "an unknown client": async (side) => facts(await authorize(side, side.person(), { client_id: "nobody" })),
  "no redirect URI": async (side) => codeFacts(await authorize(side, side.person(), { redirect_uri: "" })),
  "a code challenge with method plain": async (side) => {
    const asked = { code_challenge: "a".repeat(43), code_challenge_method: "plain" }
    return facts(await authorize(side, side.person(), asked))
  }
}
