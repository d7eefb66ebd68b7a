import type { AuthProviderPayload } from "#api/providers/Fields"
import type { AuthProviderInput } from "#domain/AuthProviderInput"
import { omitUndefined } from "../WireMapping.ts"

/** The auth provider settings in a request. */
export const providerInput = (sent: AuthProviderPayload): AuthProviderInput =>
  omitUndefined({
    state: sent.state,
    minLength: sent.min_length,
    preset: sent.preset,
    requiredChars: sent.required_chars,
    secondFactor: sent.second_factor,
    name: sent.name,
    clientId: sent.client_id,
    clientSecret: sent.client_secret,
    scopes: sent.scopes,
    callbackByType: sent.callback_by_type,
    teamId: sent.team_id,
    keyId: sent.key_id,
    tenant: sent.tenant,
    issuer: sent.issuer,
    responseMode: sent.response_mode,
    authorizationUrl: sent.authorization_url,
    tokenUrl: sent.token_url,
    profileUrl: sent.profile_url,
    tokenEndpointAuthMethod: sent.token_endpoint_auth_method,
    idField: sent.id_field,
    emailField: sent.email_field,
    emailVerifiedField: sent.email_verified_field,
    firstNameField: sent.first_name_field,
    lastNameField: sent.last_name_field,
    nameField: sent.name_field,
    userVerification: sent.user_verification,
    attestation: sent.attestation,
    attestationRoots: sent.attestation_roots
  })
