import type { OAuth2Provider } from "#domain/AuthProvider"
import type { Preset } from "./Preset.ts"
import { memberAt } from "./ProviderClaims.ts"

/** By whatever key: nobody has told us where it is. Our own secret is none, nor is nothing at all. */
const algorithms = ["RS", "PS", "ES"].flatMap((family) => ["256", "384", "512"].map((size) => family + size))

/** Any other provider, by its settings: where it is, and what it calls the attributes of a person. */
export const oauth2Preset = (provider: OAuth2Provider): Preset => {
  const named = (profile: unknown, field: string | null) => (field === null ? undefined : memberAt(profile, field))
  return {
    endpoints: {
      authorization: provider.authorizationUrl,
      token: provider.tokenUrl,
      profile: provider.profileUrl
    },
    scopes: [],
    challenge: true,
    ...(provider.scopes.includes("openid")
      ? {
          idTokens: { algorithms: [...algorithms, "EdDSA", "Ed25519"], nonce: true, names: provider.idField === "sub" }
        }
      : {}),
    clientSecret: "either",
    retry: {},
    person: (profile) => ({
      id: memberAt(profile, provider.idField),
      email: memberAt(profile, provider.emailField),
      emailVerified: named(profile, provider.emailVerifiedField),
      firstName: named(profile, provider.firstNameField),
      lastName: named(profile, provider.lastNameField),
      name: named(profile, provider.nameField)
    })
  }
}
