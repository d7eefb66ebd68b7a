import { base64url, decodeJwt } from "jose"
import { decodedOf } from "../../Decoded.ts"
import { nowMillis } from "../../Now.ts"
import { addressOf } from "../../Options.ts"
import { randomKey } from "../../Randomness.ts"
import {
  LoginMisconfigured,
  type OpenIdLoginOptions,
  originOf,
  pathsOf,
  required,
  requireEncryption
} from "./LoginOptions.ts"
import type { Established, LoginProvider, ProviderSource, Stored } from "./LoginProvider.ts"
import { discoverIssuer, type OpenIdTokens } from "./OpenIdIssuer.ts"
import { type SealedSession, sealing } from "./SealedSession.ts"

/**
 * How long a browser stores a session that can be refreshed, in seconds. Without a refresh, requests can't use it longer
 * than its ID token is valid.
 */
const COOKIE_SECONDS = 30 * 86_400

/** How long a session that can be refreshed outlives its ID token, in seconds. Bridges short outages of the issuer. */
const GRACE_SECONDS = 60

/** Encryption makes a token a third longer. */
const MAX_TOKEN_BYTES = 7_500

/** The parameters of the app's login URL that the authorization request includes. */
const PASSED_ON = ["max_age", "acr_values", "login_hint", "prompt", "ui_locales"]

/** The code challenge of a verifier (RFC 7636 §4.2). */
const challengeOf = async (verifier: string): Promise<string> =>
  base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))))

/** Logs users in as an OpenID Connect client, with PKCE and a nonce. Throws if an option is missing or invalid. */
export const openIdProvider = (options: OpenIdLoginOptions): ProviderSource => {
  const { scope = "openid profile email", fetch } = options
  const given = required("issuer", options.issuer, "the URL of the realm, such as https://id.example.com/realms/rl_…")
  const issuer = requireEncryption("issuer", addressOf(given))
  const clientId = required("clientId", options.clientId, "the ID of the OAuth client")
  const clientSecret = required("clientSecret", options.clientSecret, "the secret of the OAuth client")
  const publicUrl = String(options.publicUrl ?? "")
  const origin = originOf(required("publicUrl", publicUrl, "the origin at which browsers reach this app"))
  const paths = pathsOf(options.paths)
  const scopes = scope.split(" ")
  if (!scopes.includes("openid")) throw new LoginMisconfigured("`scope` must include openid.")
  const time = () => nowMillis(options.now)
  const { seal, open } = sealing(clientSecret, `${issuer} ${clientId}`)
  const rid = issuer.split("/").at(-1) ?? issuer

  /** Login tokens name their realm and session; ID tokens have the issuer, and no session if the grant has none. */
  const sessionIn = ({ idToken, refreshToken, expiresAt }: SealedSession): Stored | null => {
    const claims = decodeJwt(idToken)
    const session = decodedOf({ ...claims, rid, sid: claims["sid"] ?? claims["at_hash"] }, idToken)
    const now = time() / 1000
    if (session === undefined || expiresAt <= now) return null
    const grace = refreshToken === undefined ? 0 : GRACE_SECONDS
    return { session, isUsable: Number(claims.exp) + grace > now }
  }

  const established = async ({ idToken, claims, refreshToken }: OpenIdTokens): Promise<Established | undefined> => {
    const canRefresh = refreshToken !== undefined
    const expiresAt = canRefresh ? Math.floor(time() / 1000) + COOKIE_SECONDS : Number(claims.exp)
    const sealed = { idToken, ...(canRefresh ? { refreshToken } : {}), expiresAt }
    const stored = sessionIn(sealed)
    return stored === null ? undefined : { session: stored.session, value: await seal(sealed), expiresAt }
  }

  const load: ProviderSource["load"] = async (report): Promise<LoginProvider> => {
    const at = await discoverIssuer({ issuer, clientId, clientSecret, fetch, time })
    /** Reports that the issuer has rejected a request, after which trying again doesn't help. Rethrows other errors. */
    const rejected = (error: unknown): undefined => {
      if (!(error instanceof LoginMisconfigured)) throw error
      report(error)
      return undefined
    }

    return {
      origin,
      paths,
      result: "code",
      rotates: true,
      maxTokenBytes: MAX_TOKEN_BYTES,
      begin: async (page, state, query) => {
        const [verifier, nonce] = [randomKey() + randomKey(), randomKey()]
        const parameters = {
          ...Object.fromEntries([...query].filter(([name]) => PASSED_ON.includes(name))),
          ...(page === "signup" ? { prompt: "create" } : {}),
          // Userinfo has the orgs without this parameter, ID tokens don't.
          ...(scopes.includes("orgs") ? { claims: JSON.stringify({ id_token: { orgs: null } }) } : {}),
          response_type: "code",
          client_id: clientId,
          redirect_uri: origin + paths.callback,
          scope,
          state,
          nonce,
          code_challenge: await challengeOf(verifier),
          code_challenge_method: "S256"
        }
        const url = new URL(at.authorizationEndpoint)
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
        return { url: url.href, verifier, nonce }
      },
      complete: async (query, { verifier, nonce }) => {
        // Another issuer's response could pass its code to this one (RFC 9207).
        const iss = query.get("iss")
        if (iss === null ? at.namesItself : iss !== issuer) return undefined
        if (verifier === undefined || nonce === undefined) return undefined
        const tokens = await at.tokens({
          grant_type: "authorization_code",
          code: query.get("code") ?? "",
          redirect_uri: origin + paths.callback,
          code_verifier: verifier
        })
        return tokens === undefined || tokens.claims["nonce"] !== nonce ? undefined : established(tokens)
      },
      read: async (value) => {
        const sealed = await open(value)
        return sealed === undefined ? null : sessionIn(sealed)
      },
      refresh: async (value) => {
        const sealed = await open(value)
        if (sealed?.refreshToken === undefined) return sealed === undefined ? undefined : unchanged(value, sealed)
        const { refreshToken: refresh_token } = sealed
        const tokens = await at.tokens({ grant_type: "refresh_token", refresh_token }).catch(rejected)
        const isSame = tokens !== undefined && tokens.claims.sub === decodeJwt(sealed.idToken).sub
        return isSame ? established({ refreshToken: refresh_token, ...tokens }) : undefined
      },
      end: async (value, afterLogout) => {
        const sealed = value === undefined ? undefined : await open(value)
        if (sealed?.refreshToken !== undefined) await at.revoke(sealed.refreshToken).catch(rejected)
        if (sealed === undefined || at.endSessionEndpoint === undefined) return undefined
        const url = new URL(at.endSessionEndpoint)
        url.searchParams.set("id_token_hint", sealed.idToken)
        url.searchParams.set("post_logout_redirect_uri", afterLogout)
        return url.href
      }
    }
  }

  /** A session that can't be refreshed ends with its ID token. */
  const unchanged = (value: string, sealed: SealedSession): Established | undefined => {
    const stored = sessionIn(sealed)
    return stored === null ? undefined : { session: stored.session, value, expiresAt: sealed.expiresAt }
  }
  return { paths, load }
}
