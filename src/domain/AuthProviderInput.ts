import {
  type AuthProvider,
  type ExternalProvider,
  type ExternalType,
  isUniqueProviderType,
  type PasswordProvider,
  type ProviderIdentity,
  type ProviderState,
  type ResponseMode,
  type SecretMethod
} from "./AuthProvider.ts"
import { defaultPasskeyRules, type PasskeyRules } from "./Passkey.ts"
import { type CharacterKind, characterKinds, defaultPolicy } from "./PasswordPolicy.ts"
import { nonBlank } from "./Text.ts"

/**
 * The settings a caller can send for a provider of any type. Settings of other types are ignored. Null clears a setting or
 * restores its default.
 */
export interface AuthProviderInput {
  readonly state?: ProviderState
  readonly minLength?: number | null
  readonly preset?: PasswordProvider["preset"] | null
  readonly requiredChars?: ReadonlyArray<CharacterKind> | null
  readonly secondFactor?: boolean | null
  readonly name?: string | null
  readonly clientId?: string | null
  readonly clientSecret?: string | null
  readonly scopes?: ReadonlyArray<string> | null
  readonly callbackByType?: boolean | null
  readonly teamId?: string | null
  readonly keyId?: string | null
  readonly tenant?: string | null
  readonly issuer?: string | null
  readonly responseMode?: ResponseMode | null
  readonly authorizationUrl?: string | null
  readonly tokenUrl?: string | null
  readonly profileUrl?: string | null
  readonly tokenEndpointAuthMethod?: SecretMethod | null
  readonly idField?: string | null
  readonly emailField?: string | null
  readonly emailVerifiedField?: string | null
  readonly firstNameField?: string | null
  readonly lastNameField?: string | null
  readonly nameField?: string | null
  readonly userVerification?: PasskeyRules["userVerification"] | null
  readonly attestation?: PasskeyRules["attestation"] | null
  readonly attestationRoots?: ReadonlyArray<string> | null
}

/** Creates an external provider with default settings. */
export const newExternalProvider = (providerType: ExternalType, identity: ProviderIdentity): ExternalProvider => {
  const client = { ...identity, name: null, clientId: "", scopes: [], callbackByType: false }
  switch (providerType) {
    case "apple":
      return { ...client, providerType, teamId: "", keyId: "" }
    case "microsoft":
      return { ...client, providerType, tenant: "common" }
    case "oidc":
      return { ...client, providerType, issuer: "", tokenEndpointAuthMethod: null, responseMode: "query" }
    case "oauth2":
      return {
        ...client,
        providerType,
        authorizationUrl: "",
        tokenUrl: "",
        profileUrl: "",
        tokenEndpointAuthMethod: null,
        idField: "id",
        emailField: "email",
        emailVerifiedField: null,
        firstNameField: null,
        lastNameField: null,
        nameField: null
      }
    default:
      return { ...client, providerType }
  }
}

type TextInput = string | null | undefined

const requiredText = (input: TextInput, before: string): string => (input === undefined ? before : (input ?? "").trim())

const optionalText = (input: TextInput, before: string | null): string | null =>
  input === undefined ? before : (nonBlank(input)?.trim() ?? null)

/** Removes the path of the discovery document, which some providers show in place of the issuer. */
const issuerOf = (text: string): string => text.replace(/\/\.well-known\/openid-configuration$/, "")

/** Applies a caller's settings to an external provider. */
export const applyExternalInput = (before: ExternalProvider, input: AuthProviderInput): ExternalProvider => {
  const client = {
    state: input.state ?? before.state,
    name: optionalText(input.name, before.name),
    clientId: requiredText(input.clientId, before.clientId),
    scopes: input.scopes === undefined ? before.scopes : [...new Set(input.scopes ?? [])],
    callbackByType:
      isUniqueProviderType(before.providerType) &&
      (input.callbackByType === undefined ? before.callbackByType : (input.callbackByType ?? false))
  }
  const methodOf = (method: SecretMethod | null) =>
    input.tokenEndpointAuthMethod === undefined ? method : input.tokenEndpointAuthMethod
  switch (before.providerType) {
    case "apple": {
      const { teamId, keyId } = before
      return {
        ...before,
        ...client,
        teamId: requiredText(input.teamId, teamId),
        keyId: requiredText(input.keyId, keyId)
      }
    }
    case "microsoft": {
      const tenant = input.tenant === undefined ? before.tenant : (nonBlank(input.tenant)?.trim() ?? "common")
      return { ...before, ...client, tenant: tenant.toLowerCase() }
    }
    case "oidc":
      return {
        ...before,
        ...client,
        issuer: issuerOf(requiredText(input.issuer, before.issuer)),
        tokenEndpointAuthMethod: methodOf(before.tokenEndpointAuthMethod),
        responseMode: input.responseMode === undefined ? before.responseMode : (input.responseMode ?? "query")
      }
    case "oauth2":
      return {
        ...before,
        ...client,
        authorizationUrl: requiredText(input.authorizationUrl, before.authorizationUrl),
        tokenUrl: requiredText(input.tokenUrl, before.tokenUrl),
        profileUrl: requiredText(input.profileUrl, before.profileUrl),
        tokenEndpointAuthMethod: methodOf(before.tokenEndpointAuthMethod),
        idField: optionalText(input.idField, before.idField) ?? "id",
        emailField: optionalText(input.emailField, before.emailField) ?? "email",
        emailVerifiedField: optionalText(input.emailVerifiedField, before.emailVerifiedField),
        firstNameField: optionalText(input.firstNameField, before.firstNameField),
        lastNameField: optionalText(input.lastNameField, before.lastNameField),
        nameField: optionalText(input.nameField, before.nameField)
      }
    default:
      return { ...before, ...client }
  }
}

/** Applies a caller's settings to a provider. */
export const applyProviderInput = (before: AuthProvider, input: AuthProviderInput): AuthProvider => {
  const state = input.state ?? before.state
  if (before.providerType === "totp") return { ...before, state }
  if (before.providerType === "passkey") {
    const { userVerification, attestation, attestationRoots } = input
    return {
      ...before,
      state,
      userVerification:
        userVerification === undefined
          ? before.userVerification
          : (userVerification ?? defaultPasskeyRules.userVerification),
      attestation: attestation === undefined ? before.attestation : (attestation ?? defaultPasskeyRules.attestation),
      attestationRoots: attestationRoots === undefined ? before.attestationRoots : (attestationRoots ?? [])
    }
  }
  if (before.providerType === "email_code") {
    const { secondFactor = before.secondFactor } = input
    return { ...before, state, secondFactor: secondFactor ?? false }
  }
  if (before.providerType !== "password") return applyExternalInput(before, input)
  const { minLength = before.minLength, preset = before.preset, requiredChars = before.requiredChars } = input
  return {
    ...before,
    state,
    minLength: minLength ?? defaultPolicy.minLength,
    preset: preset ?? defaultPolicy.preset,
    requiredChars: characterKinds.filter((kind) => requiredChars?.includes(kind))
  }
}
