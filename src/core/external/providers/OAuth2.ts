import type { OAuth2Provider } from "#domain/AuthProvider"
import { asymmetricAlgorithms, type Preset } from "./Preset.ts"
import { memberAt } from "./ProviderClaims.ts"

/** How the client secret is sent, for each value of the setting. */
const secretPlaces = { client_secret_basic: "basic", client_secret_post: "post", none: "either" } as const

/**
 * Returns the preset of a generic OAuth 2.0 provider. Its settings contain the endpoints and the names of the profile's
 * fields.
 */
export const oauth2Preset = (provider: OAuth2Provider): Preset => {
  const optionalMember = (profile: unknown, field: string | null) =>
    field === null ? undefined : memberAt(profile, field)
  return {
    endpoints: {
      authorization: provider.authorizationUrl,
      token: provider.tokenUrl,
      profile: provider.profileUrl
    },
    scopes: [],
    supportsPkce: true,
    ...(provider.scopes.includes("openid")
      ? {
          idTokens: {
            algorithms: asymmetricAlgorithms,
            nonce: true,
            subjectIsProfileId: provider.idField === "sub"
          }
        }
      : {}),
    clientSecret: secretPlaces[provider.tokenEndpointAuthMethod ?? "none"],
    retryParameters: {},
    claimsOf: (profile) => ({
      id: memberAt(profile, provider.idField),
      email: memberAt(profile, provider.emailField),
      emailVerified: optionalMember(profile, provider.emailVerifiedField),
      firstName: optionalMember(profile, provider.firstNameField),
      lastName: optionalMember(profile, provider.lastNameField),
      name: optionalMember(profile, provider.nameField)
    })
  }
}
