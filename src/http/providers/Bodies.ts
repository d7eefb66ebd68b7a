import type { AuthProviderBody } from "#api/providers/Endpoints"
import type { AuthProvider, OAuth2Provider } from "#domain/AuthProvider"
import { timeT } from "../WireMapping.ts"

const oauth2Members = (provider: OAuth2Provider) => ({
  authorization_url: provider.authorizationUrl,
  token_url: provider.tokenUrl,
  profile_url: provider.profileUrl,
  token_endpoint_auth_method: provider.tokenEndpointAuthMethod,
  id_field: provider.idField,
  email_field: provider.emailField,
  email_verified_field: provider.emailVerifiedField,
  first_name_field: provider.firstNameField,
  last_name_field: provider.lastNameField,
  name_field: provider.nameField
})

/** An auth provider in both versions, without its client secret. */
export const providerBody = (provider: AuthProvider): typeof AuthProviderBody.Type => {
  const common = {
    id: provider.id,
    object: "auth_provider" as const,
    state: provider.state,
    realm_id: provider.realmId,
    created_at: timeT(provider.createdAt)
  }
  if (provider.providerType === "totp") return { ...common, provider_type: "totp" }
  if (provider.providerType === "email_code") {
    return { ...common, provider_type: "email_code", second_factor: provider.secondFactor }
  }
  if (provider.providerType === "password") {
    return {
      ...common,
      provider_type: "password",
      min_length: provider.minLength,
      preset: provider.preset,
      required_chars: provider.requiredChars
    }
  }
  if (provider.providerType === "passkey") {
    return {
      ...common,
      provider_type: "passkey",
      user_verification: provider.userVerification,
      attestation: provider.attestation,
      attestation_roots: provider.attestationRoots
    }
  }
  const client = {
    ...common,
    name: provider.name,
    client_id: provider.clientId,
    scopes: provider.scopes,
    callback_by_type: provider.callbackByType
  }
  switch (provider.providerType) {
    case "apple":
      return { ...client, provider_type: "apple", team_id: provider.teamId, key_id: provider.keyId }
    case "microsoft":
      return { ...client, provider_type: "microsoft", tenant: provider.tenant }
    case "oidc":
      return {
        ...client,
        provider_type: "oidc",
        issuer: provider.issuer,
        token_endpoint_auth_method: provider.tokenEndpointAuthMethod,
        response_mode: provider.responseMode
      }
    case "oauth2":
      return { ...client, provider_type: "oauth2", ...oauth2Members(provider) }
    default:
      return { ...client, provider_type: provider.providerType }
  }
}
