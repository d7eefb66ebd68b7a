import { createHash } from "node:crypto"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import type { Fetch } from "#client/Fetch"
import type { OpenIdLoginOptions } from "#client/frameworks/login/LoginOptions"
import { STARTS_AT } from "#testing/TestSallyport"
import { SITE } from "./LoginVisitor.ts"

export const ISSUER = "https://id.example.test/realms/rl_1"

/** An issuer whose responses a test can falsify. */
export interface FakeIssuer {
  readonly options: OpenIdLoginOptions
  readonly log: Array<string>
  /** The refresh tokens that were revoked. */
  readonly revoked: Array<string>
  /** Whether the issuer can't be reached. */
  isDown: boolean
  /** The forms that the token endpoint has received. */
  readonly forms: Array<Readonly<Record<string, string>>>
  /** Claims that replace those of the next ID tokens. */
  claims: Record<string, unknown>
  /** Members that replace those of the next token responses. */
  answer: Record<string, unknown>
  /** The status of the next token responses. */
  status: number
  /** Members that replace those of the discovery document. */
  document: Record<string, unknown>
  /** Lets time pass, in seconds. */
  readonly pass: (seconds: number) => void
  /** Signs an ID token. */
  readonly idToken: (claims?: object) => Promise<string>
}

/** Creates an issuer. It remembers the nonce and the code challenge of the last authorization request. */
export const fakeIssuer = async (settings: Partial<OpenIdLoginOptions> = {}): Promise<FakeIssuer & { begun: URL }> => {
  const { publicKey, privateKey } = await generateKeyPair("RS256")
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: "1", alg: "RS256", use: "sig" }] }
  let millis = STARTS_AT
  let refreshes = 0

  const idToken = (claims: object = {}): Promise<string> => {
    const iat = Math.floor(millis / 1000)
    const usual = {
      iss: ISSUER,
      aud: "lpl_1",
      azp: "lpl_1",
      sub: "usr_1",
      sid: "kss_1",
      name: "Ada",
      iat,
      exp: iat + 600
    }
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(privateKey)
  }

  const tokens = async (form: URLSearchParams) => {
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    const isCode = form.get("grant_type") === "authorization_code"
    if (isCode && challenge !== at.begun.searchParams.get("code_challenge")) return { error: "invalid_grant" }
    refreshes += 1
    const nonce = isCode ? { nonce: at.begun.searchParams.get("nonce") } : {}
    return { id_token: await idToken({ ...nonce, ...at.claims }), refresh_token: `ort_${refreshes}`, ...at.answer }
  }

  const fetch: Fetch = async (url, { headers, body }) => {
    if (at.isDown) throw new TypeError("fetch failed")
    if (url.endsWith("/jwks")) return Response.json(jwks)
    if (url.endsWith("/.well-known/openid-configuration"))
      return Response.json({
        issuer: ISSUER,
        authorization_endpoint: `${ISSUER}/authorize`,
        token_endpoint: `${ISSUER}/token`,
        end_session_endpoint: `${ISSUER}/end_session`,
        revocation_endpoint: `${ISSUER}/revoke`,
        jwks_uri: `${ISSUER}/jwks`,
        authorization_response_iss_parameter_supported: true,
        ...at.document
      })
    if (headers["authorization"] !== `Basic ${btoa("lpl_1:a+secret%2B")}`)
      return Response.json({ error: "invalid_client" }, { status: 401 })
    const form = new URLSearchParams(String(body))
    if (url.endsWith("/revoke")) {
      if (at.status === 200) at.revoked.push(`${form.get("token_type_hint")} ${form.get("token")}`)
      return new Response(null, { status: at.status })
    }
    at.forms.push(Object.fromEntries(form))
    return Response.json(await tokens(form), { status: at.status })
  }

  const at: FakeIssuer & { begun: URL } = {
    log: [],
    revoked: [],
    isDown: false,
    forms: [],
    claims: {},
    answer: {},
    status: 200,
    document: {},
    begun: new URL(ISSUER),
    idToken,
    pass: (seconds) => {
      millis += seconds * 1_000
    },
    options: {
      issuer: ISSUER,
      clientId: "lpl_1",
      clientSecret: "a secret+",
      publicUrl: SITE,
      log: (message) => void at.log.push(message),
      now: () => millis,
      fetch,
      ...settings
    }
  }
  return at
}
