import type { GivenRealm } from "#testing/Given"
import { ACCESS_TOKEN, mapping, oauth2StandIn, profile, stateFor } from "./external.ts"
import { newStandIn } from "./standIns.ts"

/** Prepares a login by access token: replaces a provider with a stand-in and returns a token issued by the stand-in. */
export const providerToAsk = async (realm: GivenRealm, provider: string) => {
  const { url } = await newStandIn({ profile: profile() })
  await realm.put(`/v2/auth_providers/${provider}`, { auth_provider: { profile_url: `${url}/profile`, ...mapping } })
  return { access_token: ACCESS_TOKEN }
}

/** Prepares a test of a provider: replaces it with a stand-in that responds immediately, without a name server. */
export const providerToTest = async (realm: GivenRealm, provider: string) => {
  const { url } = await newStandIn({ authorize: {}, token: { error: "invalid_grant" }, profile: profile() })
  const auth_provider = {
    authorization_url: `${url}/authorize`,
    token_url: `${url}/token`,
    profile_url: `${url}/profile`
  }
  await realm.put(`/v2/auth_providers/${provider}`, { auth_provider })
  return {}
}

/** Prepares a login by code: returns the callback parameters of a provider after a new request. */
export const pendingCallback = async (realm: GivenRealm, nonce: string) => {
  const { provider } = await oauth2StandIn(realm, profile())
  return { code: "a-code", state: await stateFor(realm, provider.id, nonce), nonce }
}
