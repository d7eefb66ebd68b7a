import * as oauth from "oauth4webapi"
import type { Party, PartyAuth, PartyMaker, PartyTokens } from "./Party.ts"
import { peerFetch } from "./PeerFetch.ts"

const authentication = (auth: PartyAuth): oauth.ClientAuth => {
  if (auth.method === "none") return oauth.None()
  if (auth.method === "private_key_jwt") return oauth.PrivateKeyJwt({ key: auth.key, kid: "party" })
  return auth.method === "client_secret_basic"
    ? oauth.ClientSecretBasic(auth.secret)
    : oauth.ClientSecretPost(auth.secret)
}

const tokensOf = (got: oauth.TokenEndpointResponse): PartyTokens => ({
  access: got.access_token,
  refresh: got.refresh_token,
  idToken: got.id_token,
  type: got.token_type,
  sub: oauth.getValidatedIdTokenClaims(got)?.sub
})

const code = (error: unknown): string => {
  if (error instanceof oauth.ResponseBodyError) return error.error
  throw error
}

/** A relying party on `oauth4webapi` that follows the steps of its examples. */
export const oauth4webapiParty: PartyMaker = async (settings) => {
  const { issuer, clientId, redirectUri, transport, clockSkew, dpop } = settings
  const fetched = peerFetch(transport)
  const http = {
    [oauth.allowInsecureRequests]: issuer.protocol === "http:",
    [oauth.customFetch]: (
      url: string,
      { body, ...init }: oauth.CustomFetchOptions<string, URLSearchParams | undefined>
    ) => fetched(url, { ...init, ...(body === undefined ? {} : { body }) })
  }
  const asked = await oauth.discoveryRequest(issuer, {
    [oauth.allowInsecureRequests]: http[oauth.allowInsecureRequests],
    [oauth.customFetch]: (url, init) => fetched(url, { method: "GET", headers: init.headers })
  })
  const as = await oauth.processDiscoveryResponse(issuer, asked)
  const self: oauth.Client = { client_id: clientId, [oauth.clockSkew]: clockSkew }
  const auth = authentication(settings.auth)
  const options = { ...http, ...(dpop === undefined ? {} : { DPoP: oauth.DPoP(self, dpop) }) }
  const form = (parameters: Readonly<Record<string, string>>) => new URLSearchParams(parameters)

  /** Verifies the ID token's signature, which the library's processing leaves out. */
  const checked = async (response: Response, got: oauth.TokenEndpointResponse) => {
    if (got.id_token === undefined) return tokensOf(got)
    await oauth.validateApplicationLevelSignature(as, response, {
      [oauth.allowInsecureRequests]: http[oauth.allowInsecureRequests],
      [oauth.customFetch]: (url, init) => fetched(url, { method: "GET", headers: init.headers })
    })
    return tokensOf(got)
  }

  const party: Party = {
    begin: async (parameters, { par = false } = {}) => {
      const verifier = oauth.generateRandomCodeVerifier()
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
      const all = form({
        client_id: clientId,
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "openid",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
        ...parameters
      })
      const url = new URL(as.authorization_endpoint ?? "")
      if (par) {
        const pushed = await oauth.pushedAuthorizationRequest(as, self, auth, all, options)
        const { request_uri } = await oauth.processPushedAuthorizationResponse(as, self, pushed)
        url.search = form({ client_id: clientId, request_uri }).toString()
      } else url.search = all.toString()
      return { url, verifier, state, nonce }
    },
    finish: async ({ verifier, state, nonce }, arrived) => {
      const came = oauth.validateAuthResponse(as, self, arrived.form ?? arrived.url, state)
      const response = await oauth.authorizationCodeGrantRequest(as, self, auth, came, redirectUri, verifier, options)
      const got = await oauth.processAuthorizationCodeResponse(as, self, response, {
        expectedNonce: nonce,
        requireIdToken: true
      })
      return checked(response, got)
    },
    userinfo: async ({ access, sub = "" }) =>
      oauth.processUserInfoResponse(as, self, sub, await oauth.userInfoRequest(as, self, access, options)),
    refresh: async ({ refresh = "" }) => {
      const response = await oauth.refreshTokenGrantRequest(as, self, auth, refresh, options)
      return checked(response, await oauth.processRefreshTokenResponse(as, self, response))
    },
    introspect: async (token) => ({
      ...(await oauth.processIntrospectionResponse(
        as,
        self,
        await oauth.introspectionRequest(as, self, auth, token, http)
      ))
    }),
    revoke: async (token) => {
      await oauth.processRevocationResponse(await oauth.revocationRequest(as, self, auth, token, http))
    },
    clientCredentials: async (parameters) =>
      tokensOf(
        await oauth.processClientCredentialsResponse(
          as,
          self,
          await oauth.clientCredentialsGrantRequest(as, self, auth, form(parameters), options)
        )
      ),
    device: async (parameters) => {
      const all = form({ scope: "openid", ...parameters })
      const asking = await oauth.deviceAuthorizationRequest(as, self, auth, all, http)
      const begun = await oauth.processDeviceAuthorizationResponse(as, self, asking)
      const poll = async () => {
        const response = await oauth.deviceCodeGrantRequest(as, self, auth, begun.device_code, options)
        return checked(response, await oauth.processDeviceCodeResponse(as, self, response))
      }
      return {
        userCode: begun.user_code,
        verificationUri: begun.verification_uri,
        verificationUriComplete: begun.verification_uri_complete,
        poll: () => poll().catch(code)
      }
    },
    endSession: (parameters) => {
      const url = new URL(as.end_session_endpoint ?? "")
      url.search = form(parameters).toString()
      return url
    }
  }
  return party
}
