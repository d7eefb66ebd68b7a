import type { GivenRealm } from "#testing/Given"
import { newDouble } from "./doubles.ts"
import { ACCESS_TOKEN, mapping, oauth2Double, person, stateFor } from "./external.ts"

/** What a login by access token needs: puts a double in the place of a provider, and brings a token of it. */
export const providerToAsk = async (realm: GivenRealm, provider: string) => {
  const { url } = await newDouble({ profile: person() })
  await realm.put(`/v2/auth_providers/${provider}`, { auth_provider: { profile_url: `${url}/profile`, ...mapping } })
  return { access_token: ACCESS_TOKEN }
}

/** What a test of a provider needs: puts a double in its place, which answers at once and without a name server. */
export const providerToTest = async (realm: GivenRealm, provider: string) => {
  const { url } = await newDouble({ authorize: {}, token: { error: "invalid_grant" }, profile: person() })
  const auth_provider = {
    authorization_url: `${url}/authorize`,
    token_url: `${url}/token`,
    profile_url: `${url}/profile`
  }
  await realm.put(`/v2/auth_providers/${provider}`, { auth_provider })
  return {}
}

/** What a login by code needs: what comes back from a provider that has just been asked. */
export const comingBack = async (realm: GivenRealm, nonce: string) => {
  const { provider } = await oauth2Double(realm, person())
  return { code: "a-code", state: await stateFor(realm, provider.id, nonce), nonce }
}
