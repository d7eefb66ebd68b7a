import { vi } from "vitest"
import type { Module } from "./Basic.ts"
import { authorize, claimsOf, endSession, idTokenOf, loggedIn } from "./Calls.ts"
import { claimNames, type Facts } from "./Facts.ts"
import type { Side } from "./Side.ts"

type Filled = Readonly<Record<string, string>>

/** Logs in, calls end_session with these parameters, confirms if asked and checks whether the user is logged out. */
const logOut = async (side: Side, parameters: (idToken: string) => Filled): Promise<Facts> => {
  const { person, tokens } = await loggedIn(side)
  const outcome = await endSession(side, person, parameters(String(tokens.body["id_token"])))
  const after = await authorize(side, person, { prompt: "none" })
  const loggedOut = after.to === "client" && after.got["error"] === "login_required"
  if (outcome.to === "page") return { to: "page", status: outcome.status, loggedOut }
  const { url } = outcome.arrived
  return { to: url.origin + url.pathname, state: outcome.got["state"] ?? null, loggedOut }
}

const modified = (jwt: string): string => {
  const [header = "", claims = "", signature = ""] = jwt.split(".")
  const turned = signature.startsWith("A") ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  return [header, claims, turned].join(".")
}

const to = ({ clients: { basic } }: Side) => basic.postLogoutRedirectUri

/** The metadata members with these names. */
const published = ({ metadata }: Side, ...names: ReadonlyArray<string>): Facts =>
  Object.fromEntries(names.map((name) => [name, name.endsWith("_endpoint") ? typeof metadata[name] : metadata[name]]))

/** The modules of the plan `oidcc-rp-initiated-logout-certification-test-plan`, by name. */
export const logoutModules: Readonly<Record<string, Module>> = {
  "oidcc-rp-initiated-logout-discovery-endpoint-verification": async (side) => published(side, "end_session_endpoint"),
  "oidcc-rp-initiated-logout": (side) =>
    logOut(side, (id_token_hint) => ({ id_token_hint, post_logout_redirect_uri: to(side), state: "bye" })),
  "oidcc-rp-initiated-logout-bad-post-logout-redirect-uri": (side) =>
    logOut(side, (id_token_hint) => ({
      id_token_hint,
      post_logout_redirect_uri: "https://evil.example.test/",
      state: "bye"
    })),
  "oidcc-rp-initiated-logout-modified-id-token-hint": (side) =>
    logOut(side, (jwt) => ({ id_token_hint: modified(jwt), post_logout_redirect_uri: to(side), state: "bye" })),
  "oidcc-rp-initiated-logout-no-id-token-hint": (side) =>
    logOut(side, () => ({ post_logout_redirect_uri: to(side), state: "bye" })),
  "oidcc-rp-initiated-logout-no-params": (side) => logOut(side, () => ({})),
  "oidcc-rp-initiated-logout-no-post-logout-redirect-uri": (side) =>
    logOut(side, (id_token_hint) => ({ id_token_hint, state: "bye" })),
  "oidcc-rp-initiated-logout-no-state": (side) =>
    logOut(side, (id_token_hint) => ({ id_token_hint, post_logout_redirect_uri: to(side) })),
  "oidcc-rp-initiated-logout-only-state": (side) => logOut(side, () => ({ state: "bye" }))
}

/** The modules of the plan `oidcc-backchannel-rp-initiated-logout-certification-test-plan`, by name. */
export const backchannelModules: Readonly<Record<string, Module>> = {
  "oidcc-backchannel-logout-discovery-endpoint-verification": async (side) =>
    published(side, "end_session_endpoint", "backchannel_logout_supported", "backchannel_logout_session_supported"),
  "oidcc-backchannel-rp-initiated-logout": async (side) => {
    await side.logoutTokens()
    const { person, tokens } = await loggedIn(side)
    const idToken = await idTokenOf(side, tokens)
    await endSession(side, person, {
      id_token_hint: String(tokens.body["id_token"]),
      post_logout_redirect_uri: to(side),
      state: "bye"
    })
    const sent = await vi.waitUntil(async () => {
      const tokens = await side.logoutTokens()
      return tokens.length > 0 && tokens
    })
    const claims = claimsOf(sent[0])
    return {
      count: sent.length,
      claims: claimNames(claims).filter((name) => name !== "exp"),
      events: claims["events"],
      sameUser: claims.sub === idToken.sub,
      sameSession: claims["sid"] !== undefined && claims["sid"] === idToken["sid"],
      audience: [claims.aud].flat()[0] === side.clients.basic.id
    }
  }
}

/** The modules of the plan `oidcc-config-certification-test-plan`, by name. */
export const configModules: Readonly<Record<string, Module>> = {
  "oidcc-discovery-endpoint-verification": async (side) => ({
    ...published(
      side,
      "authorization_endpoint",
      "token_endpoint",
      "userinfo_endpoint",
      "response_types_supported",
      "subject_types_supported",
      "id_token_signing_alg_values_supported",
      "claims_parameter_supported",
      "request_parameter_supported",
      "request_uri_parameter_supported",
      "authorization_response_iss_parameter_supported",
      "code_challenge_methods_supported"
    ),
    issuer: side.metadata["issuer"] === side.issuer,
    openid: [side.metadata["scopes_supported"]].flat().includes("openid")
  })
}
