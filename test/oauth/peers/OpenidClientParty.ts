import * as client from "openid-client"
import type { Party, PartyAuth, PartyMaker, PartyTokens } from "./Party.ts"
import { peerFetch } from "./PeerFetch.ts"

const authentication = (auth: PartyAuth): client.ClientAuth => {
  if (auth.method === "none") return client.None()
  if (auth.method === "private_key_jwt") return client.PrivateKeyJwt({ key: auth.key, kid: "party" })
  return auth.method === "client_secret_basic"
    ? client.ClientSecretBasic(auth.secret)
    : client.ClientSecretPost(auth.secret)
}

const tokensOf = (got: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers): PartyTokens => ({
  access: got.access_token,
  refresh: got.refresh_token,
  idToken: got.id_token,
  type: got.token_type,
  sub: got.claims()?.sub
})

const code = (error: unknown): string => {
  if (error instanceof client.ResponseBodyError) return error.error
  throw error
}

/** A relying party on the certified library `openid-client`. */
export const openidClientParty: PartyMaker = async (settings) => {
  const { issuer, clientId, redirectUri, transport, clockSkew, dpop } = settings
  const metadata = { [client.clockSkew]: clockSkew, redirect_uris: [redirectUri] }
  const config = await client.discovery(issuer, clientId, metadata, authentication(settings.auth), {
    [client.customFetch]: (url, { body, ...init }) =>
      peerFetch(transport)(url, { ...init, ...(body === undefined ? {} : { body }) }),
    ...(issuer.protocol === "http:" ? { execute: [client.allowInsecureRequests] } : {})
  })
  client.enableNonRepudiationChecks(config)
  const options = dpop === undefined ? {} : { DPoP: client.getDPoPHandle(config, dpop) }

  const party: Party = {
    begin: async (parameters, { par = false } = {}) => {
      const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()]
      const all = {
        redirect_uri: redirectUri,
        scope: "openid",
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
        state,
        nonce,
        ...parameters
      }
      const url = par
        ? await client.buildAuthorizationUrlWithPAR(config, all, options)
        : client.buildAuthorizationUrl(config, all)
      return { url, verifier, state, nonce }
    },
    finish: async ({ verifier, state, nonce }, { url, form }) => {
      const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce }
      const came =
        form === undefined
          ? url
          : new Request(url, {
              method: "POST",
              headers: { "content-type": "application/x-www-form-urlencoded" },
              body: form.toString()
            })
      return tokensOf(await client.authorizationCodeGrant(config, came, checks, {}, options))
    },
    userinfo: ({ access, sub = "" }) => client.fetchUserInfo(config, access, sub, options),
    refresh: async ({ refresh = "" }) => tokensOf(await client.refreshTokenGrant(config, refresh, {}, options)),
    introspect: async (token) => ({ ...(await client.tokenIntrospection(config, token)) }),
    revoke: (token) => client.tokenRevocation(config, token),
    clientCredentials: async (parameters) => tokensOf(await client.clientCredentialsGrant(config, parameters, options)),
    device: async (parameters) => {
      const begun = await client.initiateDeviceAuthorization(config, { scope: "openid", ...parameters })
      const once = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: begun.device_code }
      return {
        userCode: begun.user_code,
        verificationUri: begun.verification_uri,
        verificationUriComplete: begun.verification_uri_complete,
        poll: () => client.genericGrantRequest(config, once.grant_type, once, options).then(tokensOf, code)
      }
    },
    endSession: (parameters) => client.buildEndSessionUrl(config, parameters)
  }
  return party
}
