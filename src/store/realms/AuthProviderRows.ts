import type {
  AuthProvider,
  OAuth2Provider,
  PasswordProvider,
  PasswordRules,
  ProviderState,
  ResponseMode,
  SecretMethod
} from "#domain/AuthProvider"
import type { AuthProviderId, RealmId } from "#domain/Ids"
import type { PasskeyRules } from "#domain/Passkey"
import type { WellKnownType } from "#domain/WellKnownProviders"
import { utc } from "../statements/Rows.ts"

interface Identity {
  readonly id: AuthProviderId
  readonly realm_id: RealmId
  readonly state: ProviderState
  readonly created_at: Date
}

/** The columns for password rules. */
export interface Policy {
  readonly state: ProviderState
  readonly min_length: number
  readonly preset: PasswordProvider["preset"]
  readonly required_chars: PasswordProvider["requiredChars"]
}

/** The columns for passkey rules. */
export interface PasskeyColumns {
  readonly user_verification: PasskeyRules["userVerification"]
  readonly attestation: PasskeyRules["attestation"]
  readonly attestation_roots: PasskeyRules["attestationRoots"]
}

interface Client extends Identity {
  readonly name: string | null
  readonly client_id: string
  readonly scopes: ReadonlyArray<string>
  readonly callback_by_type: boolean
}

interface Apple extends Client {
  readonly provider_type: "apple"
  readonly team_id: string
  readonly key_id: string
}

interface Microsoft extends Client {
  readonly provider_type: "microsoft"
  readonly tenant: string
}

interface Oidc extends Client {
  readonly provider_type: "oidc"
  readonly issuer: string
  readonly token_endpoint_auth_method: SecretMethod | null
  readonly response_mode: ResponseMode
}

interface OAuth2 extends Client {
  readonly provider_type: "oauth2"
  readonly authorization_url: string
  readonly token_url: string
  readonly profile_url: string
  readonly token_endpoint_auth_method: SecretMethod | null
  readonly id_field: string
  readonly email_field: string
  readonly email_verified_field: string | null
  readonly first_name_field: string | null
  readonly last_name_field: string | null
  readonly name_field: string | null
}

/** A provider's stored row, without its client secret. */
export type Row =
  | (Identity & Policy & { readonly provider_type: "password" })
  | (Identity & { readonly provider_type: "totp" })
  | (Identity & PasskeyColumns & { readonly provider_type: "passkey" })
  | (Identity & { readonly provider_type: "email_code"; readonly second_factor: boolean })
  | (Client & { readonly provider_type: Exclude<WellKnownType, "apple" | "microsoft"> })
  | Apple
  | Microsoft
  | Oidc
  | OAuth2

/** The columns of a `Row`. */
export const columns = `id, realm_id, provider_type, state, created_at, min_length, preset, required_chars, name, client_id,
  scopes, authorization_url, token_url, profile_url, token_endpoint_auth_method, id_field, email_field, email_verified_field, first_name_field,
  last_name_field, name_field, team_id, key_id, tenant, issuer, response_mode, callback_by_type, user_verification, attestation, attestation_roots, second_factor`

/** Converts a row to password rules. */
export const rulesOf = (row: Policy): PasswordRules => ({
  state: row.state,
  minLength: row.min_length,
  preset: row.preset,
  requiredChars: row.required_chars
})

/** Converts a row to passkey rules. */
export const passkeyRulesOf = (row: PasskeyColumns): PasskeyRules => ({
  userVerification: row.user_verification,
  attestation: row.attestation,
  attestationRoots: row.attestation_roots
})

/** Converts a row to a provider. */
export const fromRow = (row: Row): AuthProvider => {
  const identity = { id: row.id, realmId: row.realm_id, state: row.state, createdAt: utc(row.created_at) }
  const { provider_type: providerType } = row
  if (providerType === "totp") return { ...identity, providerType }
  if (providerType === "passkey") return { ...identity, providerType, ...passkeyRulesOf(row) }
  if (providerType === "email_code") return { ...identity, providerType, secondFactor: row.second_factor }
  if (providerType === "password") return { ...identity, providerType, ...rulesOf(row) }
  const client = {
    ...identity,
    name: row.name,
    clientId: row.client_id,
    scopes: row.scopes,
    callbackByType: row.callback_by_type
  }
  switch (row.provider_type) {
    case "apple":
      return { ...client, providerType: "apple", teamId: row.team_id, keyId: row.key_id }
    case "microsoft":
      return { ...client, providerType: "microsoft", tenant: row.tenant }
    case "oidc":
      return {
        ...client,
        providerType: "oidc",
        issuer: row.issuer,
        tokenEndpointAuthMethod: row.token_endpoint_auth_method,
        responseMode: row.response_mode
      }
    case "oauth2":
      return { ...client, providerType: "oauth2", ...mappingOf(row) }
    default:
      return { ...client, providerType: row.provider_type }
  }
}

const mappingOf = (row: OAuth2) => ({
  authorizationUrl: row.authorization_url,
  tokenUrl: row.token_url,
  profileUrl: row.profile_url,
  tokenEndpointAuthMethod: row.token_endpoint_auth_method,
  idField: row.id_field,
  emailField: row.email_field,
  emailVerifiedField: row.email_verified_field,
  firstNameField: row.first_name_field,
  lastNameField: row.last_name_field,
  nameField: row.name_field
})

const oauth2Row = (provider: OAuth2Provider) => ({
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

/** The columns of a provider that an update may change. */
export const toRow = (provider: AuthProvider) => {
  const { state } = provider
  if (provider.providerType === "totp") return { state }
  if (provider.providerType === "passkey") {
    return {
      state,
      user_verification: provider.userVerification,
      attestation: provider.attestation,
      attestation_roots: provider.attestationRoots
    }
  }
  if (provider.providerType === "email_code") return { state, second_factor: provider.secondFactor }
  if (provider.providerType === "password") {
    return {
      state,
      min_length: provider.minLength,
      preset: provider.preset,
      required_chars: provider.requiredChars
    }
  }
  const client = {
    state,
    name: provider.name,
    client_id: provider.clientId,
    scopes: provider.scopes,
    callback_by_type: provider.callbackByType
  }
  switch (provider.providerType) {
    case "apple":
      return { ...client, team_id: provider.teamId, key_id: provider.keyId }
    case "microsoft":
      return { ...client, tenant: provider.tenant }
    case "oidc":
      return {
        ...client,
        issuer: provider.issuer,
        token_endpoint_auth_method: provider.tokenEndpointAuthMethod,
        response_mode: provider.responseMode
      }
    case "oauth2":
      return { ...client, ...oauth2Row(provider) }
    default:
      return client
  }
}

/** The columns that only some built-in providers use, with their values for the others. */
export const builtInColumns = {
  min_length: null,
  preset: "none",
  required_chars: [],
  user_verification: "preferred",
  attestation: "none",
  attestation_roots: [],
  second_factor: false
}
