import {
  type AuthProvider,
  type ExternalProvider,
  type ExternalType,
  MIN_LENGTH_RANGE,
  type OAuth2Provider,
  type PasswordProvider,
  type ProviderIdentity,
  type ProviderState,
  type SecretMethod
} from "./AuthProvider.ts"
import { defaultPasskeyRules, MAX_ATTESTATION_ROOTS, MAX_CERTIFICATE_LENGTH, type PasskeyRules } from "./Passkey.ts"
import { type CharacterKind, characterKinds, defaultPolicy } from "./PasswordPolicy.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "./Text.ts"
import { URL_LENGTH } from "./WebUrl.ts"

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

/** The maximum length of a client secret, in characters. Some providers use a signed token as the secret. */
export const MAX_CLIENT_SECRET_LENGTH = 2_048

/** Creates an external provider with default settings. */
export const newExternalProvider = (providerType: ExternalType, identity: ProviderIdentity): ExternalProvider => {
  const client = { ...identity, name: null, clientId: "", scopes: [] }
  if (providerType !== "oauth2") return { ...client, providerType }
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
}

type TextInput = string | null | undefined

const requiredText = (input: TextInput, before: string): string => (input === undefined ? before : (input ?? "").trim())

const optionalText = (input: TextInput, before: string | null): string | null =>
  input === undefined ? before : (nonBlank(input)?.trim() ?? null)

/** Applies a caller's settings to an external provider. */
export const applyExternalInput = (before: ExternalProvider, input: AuthProviderInput): ExternalProvider => {
  const client = {
    state: input.state ?? before.state,
    name: optionalText(input.name, before.name),
    clientId: requiredText(input.clientId, before.clientId),
    scopes: input.scopes === undefined ? before.scopes : [...new Set(input.scopes ?? [])]
  }
  if (before.providerType !== "oauth2") return { ...before, ...client }
  return {
    ...before,
    ...client,
    authorizationUrl: requiredText(input.authorizationUrl, before.authorizationUrl),
    tokenUrl: requiredText(input.tokenUrl, before.tokenUrl),
    profileUrl: requiredText(input.profileUrl, before.profileUrl),
    tokenEndpointAuthMethod:
      input.tokenEndpointAuthMethod === undefined ? before.tokenEndpointAuthMethod : input.tokenEndpointAuthMethod,
    idField: optionalText(input.idField, before.idField) ?? "id",
    emailField: optionalText(input.emailField, before.emailField) ?? "email",
    emailVerifiedField: optionalText(input.emailVerifiedField, before.emailVerifiedField),
    firstNameField: optionalText(input.firstNameField, before.firstNameField),
    lastNameField: optionalText(input.lastNameField, before.lastNameField),
    nameField: optionalText(input.nameField, before.nameField)
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

const textProblems = (field: string, text: string, maximum: number): ReadonlyArray<Problem> => {
  if (!isStorable(text)) return [problem(field, "invalid")]
  return isWithin(maximum, text) ? [] : [problem(field, "too_long", { maximum })]
}

const requiredProblems = (field: string, text: string, maximum: number): ReadonlyArray<Problem> =>
  nonBlank(text) === null ? [problem(field, "blank")] : textProblems(field, text, maximum)

const optionalProblems = (field: string, text: string | null): ReadonlyArray<Problem> =>
  text === null ? [] : textProblems(field, text, TEXT_LENGTH)

/** An OAuth 2.0 scope (RFC 6749 §3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

const scopesProblems = (scopes: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  if (!scopes.every((scope) => SCOPE.test(scope))) return [problem("scopes", "scope_form")]
  // The scopes become part of the authorization URL.
  return scopes.join(" ").length > URL_LENGTH ? [problem("scopes", "too_long", { maximum: URL_LENGTH })] : []
}

/** A rule for URLs. Returns the message code of the problem, or undefined if the URL is valid. */
type UrlRule = (url: string) => string | undefined

const urlProblems = (field: string, url: string, rule: UrlRule): ReadonlyArray<Problem> => {
  const found = requiredProblems(field, url, URL_LENGTH)
  const code = found.length > 0 ? undefined : rule(url)
  return code === undefined ? found : [problem(field, code)]
}

const oauth2Problems = (provider: OAuth2Provider, rule: UrlRule): ReadonlyArray<Problem> => [
  ...urlProblems("authorization_url", provider.authorizationUrl, rule),
  ...urlProblems("token_url", provider.tokenUrl, rule),
  ...urlProblems("profile_url", provider.profileUrl, rule),
  ...optionalProblems("id_field", provider.idField),
  ...optionalProblems("email_field", provider.emailField),
  ...optionalProblems("email_verified_field", provider.emailVerifiedField),
  ...optionalProblems("first_name_field", provider.firstNameField),
  ...optionalProblems("last_name_field", provider.lastNameField),
  ...optionalProblems("name_field", provider.nameField)
]

const [BEGIN, END] = ["-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"]

const isCertificate = (pem: string): boolean => {
  const text = pem.trim()
  if (pem.length > MAX_CERTIFICATE_LENGTH || !text.startsWith(BEGIN) || !text.endsWith(END)) return false
  return /^[A-Za-z0-9+/=\s]+$/.test(text.slice(BEGIN.length, -END.length))
}

/** Checks only the format of the certificates. They are parsed where they are used. */
const rootsProblems = (roots: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  if (roots.length > MAX_ATTESTATION_ROOTS) {
    return [problem("attestation_roots", "too_many", { most: MAX_ATTESTATION_ROOTS })]
  }
  return roots.every(isCertificate) ? [] : [problem("attestation_roots", "certificate_form")]
}

/**
 * Validates a provider, and its client secret if one is given. Returns every broken rule. `urlRule` checks the provider's
 * endpoints.
 */
export const providerProblems = (
  provider: AuthProvider,
  clientSecret: string | undefined,
  urlRule: UrlRule
): ReadonlyArray<Problem> => {
  if (provider.providerType === "totp" || provider.providerType === "email_code") return []
  if (provider.providerType === "passkey") return rootsProblems(provider.attestationRoots)
  if (provider.providerType === "password") {
    const { least, most } = MIN_LENGTH_RANGE
    const within = provider.minLength >= least && provider.minLength <= most
    return within ? [] : [problem("min_length", "range", MIN_LENGTH_RANGE)]
  }
  return [
    ...optionalProblems("name", provider.name),
    ...requiredProblems("client_id", provider.clientId, TEXT_LENGTH),
    ...(clientSecret === undefined ? [] : requiredProblems("client_secret", clientSecret, MAX_CLIENT_SECRET_LENGTH)),
    ...scopesProblems(provider.scopes),
    ...(provider.providerType === "oauth2" ? oauth2Problems(provider, urlRule) : [])
  ]
}
