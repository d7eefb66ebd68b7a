import { type JWTPayload, type JWTVerifyGetKey, jwtVerify } from "jose"
import { globalFetch, KeysUnavailable, keyFailure, setAt } from "../../DecodeKeys.ts"
import type { Fetch } from "../../Fetch.ts"
import { type Members, membersOf } from "../../TokenParts.ts"
import { LoginMisconfigured, requireEncryptedEndpoint } from "./LoginOptions.ts"

/** The timeout of a call to the issuer, in milliseconds. Users are waiting for it. */
const TIMEOUT = 5_000

/** The tolerance for clock differences, in seconds. */
const CLOCK_TOLERANCE = 5

/** The client of an issuer. */
export interface OpenIdClient {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly fetch?: Fetch | undefined
  /** The time in Unix milliseconds. */
  readonly time: () => number
}

/** The tokens that an issuer has returned. */
export interface OpenIdTokens {
  readonly idToken: string
  readonly claims: JWTPayload
  readonly refreshToken?: string
}

type Form = Readonly<Record<string, string>>

/** An issuer, as its discovery document describes it. */
export interface OpenIdIssuer {
  readonly authorizationEndpoint: string
  readonly endSessionEndpoint: string | undefined
  /** Whether responses name the issuer (RFC 9207). */
  readonly namesItself: boolean
  /**
   * Gets tokens, with a verified ID token. Undefined if the code or the refresh token is invalid. Rejects with
   * `LoginMisconfigured` if the issuer rejects the request for another reason, and with other errors in an outage.
   */
  readonly tokens: (form: Form) => Promise<OpenIdTokens | undefined>
  /** Revokes a refresh token (RFC 7009), if the issuer can revoke tokens. Rejects like `tokens`. */
  readonly revoke: (refreshToken: string) => Promise<void>
}

const textIn = (members: Members, name: string): string | undefined => {
  const value = members[name]
  return typeof value === "string" ? value : undefined
}

/** The statuses with which an issuer asks clients to try again later. Other 4xx responses are final. */
const temporary: ReadonlySet<number> = new Set([408, 425, 429])

/** The error for a response with another status than 200. */
const failure = (endpoint: string, status: number, why = ""): Error => {
  const message = `${endpoint} returned status ${status}. ${why}`.trim()
  const isRejection = status >= 400 && status < 500 && !temporary.has(status)
  return isRejection ? new LoginMisconfigured(message) : new Error(message)
}

/** Encodes a client's name or secret for its header (RFC 6749 §2.3.1). */
const encoded = (text: string): string => new URLSearchParams({ "": text }).toString().slice(1)

/** Reads an issuer's discovery document (OpenID Connect Discovery 1.0). */
export const discoverIssuer = async (client: OpenIdClient): Promise<OpenIdIssuer> => {
  const { issuer, clientId, clientSecret, fetch = globalFetch, time } = client
  const call = async (url: string, method: string, headers: Record<string, string>, body?: string) => {
    const signal = AbortSignal.timeout(TIMEOUT)
    const sent = { method, headers: { accept: "application/json", ...headers }, signal, redirect: "manual" } as const
    const response = await fetch(url, body === undefined ? sent : { ...sent, body })
    return { status: response.status, members: membersOf(await response.text()) ?? {} }
  }

  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`
  const { status, members } = await call(address, "GET", {})
  if (status === 404) throw new LoginMisconfigured(`${address} doesn't exist. Check \`issuer\`.`)
  if (status !== 200) throw new Error(`${address} returned status ${status}.`)
  if (members["issuer"] !== issuer)
    throw new LoginMisconfigured(`${address} belongs to the issuer ${members["issuer"]}. Set \`issuer\` to it.`)
  const optionalEndpoint = (name: string): string | undefined => {
    const url = textIn(members, name)
    return url === undefined ? undefined : requireEncryptedEndpoint(name, url, issuer)
  }
  const endpoint = (name: string): string => {
    const url = optionalEndpoint(name)
    if (url !== undefined) return url
    throw new LoginMisconfigured(`${issuer} has no ${name}, so it has no OpenID Connect clients. Is its realm hs256?`)
  }
  const [authorizationEndpoint, tokenEndpoint] = [endpoint("authorization_endpoint"), endpoint("token_endpoint")]
  const [endSessionEndpoint, revocationEndpoint] = ["end_session_endpoint", "revocation_endpoint"].map(optionalEndpoint)
  const keys = setAt(new URL(endpoint("jwks_uri")), fetch)
  const authorization = `Basic ${btoa(`${encoded(clientId)}:${encoded(clientSecret)}`)}`

  const key: JWTVerifyGetKey = (header) =>
    keys({ ...header, alg: "RS256" }).catch((error: unknown) => {
      // Throws another error if the keys can't be fetched.
      keyFailure(error)
      throw error
    })

  /** Verifies an ID token (OpenID Connect Core §3.1.3.7). Undefined if it is invalid. */
  const verify = async (idToken: string): Promise<JWTPayload | undefined> => {
    try {
      const { payload } = await jwtVerify(idToken, key, {
        issuer,
        audience: clientId,
        algorithms: ["RS256"],
        requiredClaims: ["exp", "iat", "sub"],
        clockTolerance: CLOCK_TOLERANCE,
        currentDate: new Date(time())
      })
      const { azp = clientId } = payload
      return azp === clientId ? payload : undefined
    } catch (error) {
      if (error instanceof KeysUnavailable) throw error
      return undefined
    }
  }

  const post = (to: string, form: Form) => {
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" }
    return call(to, "POST", headers, new URLSearchParams(form).toString())
  }

  return {
    authorizationEndpoint,
    endSessionEndpoint,
    namesItself: members["authorization_response_iss_parameter_supported"] === true,
    tokens: async (form) => {
      const answer = await post(tokenEndpoint, form)
      const [error, why] = [textIn(answer.members, "error"), textIn(answer.members, "error_description") ?? ""]
      if (error === "invalid_grant") return undefined
      if (error === "invalid_client")
        throw new LoginMisconfigured(
          `${issuer} rejects the client. Check \`clientId\` and \`clientSecret\`. ${why}`.trim()
        )
      if (answer.status !== 200) throw failure(tokenEndpoint, answer.status, `${error ?? ""} ${why}`)
      const idToken = textIn(answer.members, "id_token")
      const claims = idToken === undefined ? undefined : await verify(idToken)
      if (idToken === undefined || claims === undefined) return undefined
      const refreshToken = textIn(answer.members, "refresh_token")
      return { idToken, claims, ...(refreshToken === undefined ? {} : { refreshToken }) }
    },
    revoke: async (token) => {
      if (revocationEndpoint === undefined) return
      const answer = await post(revocationEndpoint, { token, token_type_hint: "refresh_token" })
      if (answer.status !== 200) throw failure(revocationEndpoint, answer.status)
    }
  }
}
