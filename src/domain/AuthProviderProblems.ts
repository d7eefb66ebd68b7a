import {
  type AppleProvider,
  type AuthProvider,
  type ExternalProvider,
  MIN_LENGTH_RANGE,
  type MicrosoftProvider,
  type OAuth2Provider,
  type OidcProvider,
  tenantKinds
} from "./AuthProvider.ts"
import { MAX_ATTESTATION_ROOTS, MAX_CERTIFICATE_LENGTH } from "./Passkey.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isStorable, isWithin, nonBlank, TEXT_LENGTH } from "./Text.ts"
import { URL_LENGTH } from "./WebUrl.ts"

/** The maximum length of a client secret, in characters. Some providers use a signed token as the secret. */
export const MAX_CLIENT_SECRET_LENGTH = 2_048

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

/** The rules that need more than the domain. Each returns the message code of the problem, or undefined if there is none. */
export interface ProviderRules {
  /** Checks a URL that the service will call. */
  readonly url: (url: string) => string | undefined
  /** Checks the private key of an Apple provider. */
  readonly privateKey: (pem: string) => string | undefined
}

const urlProblems = (field: string, url: string, rule: ProviderRules["url"]): ReadonlyArray<Problem> => {
  const found = requiredProblems(field, url, URL_LENGTH)
  const code = found.length > 0 ? undefined : rule(url)
  return code === undefined ? found : [problem(field, code)]
}

const oauth2Problems = (provider: OAuth2Provider, rule: ProviderRules["url"]): ReadonlyArray<Problem> => [
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

/** The form of the IDs of teams and keys at Apple. */
const APPLE_ID = /^[A-Z\d]{10}$/

const appleIdProblems = (field: string, id: string): ReadonlyArray<Problem> => {
  if (id === "") return [problem(field, "blank")]
  return APPLE_ID.test(id) ? [] : [problem(field, "apple_id_form")]
}

const appleProblems = (
  { teamId, keyId }: AppleProvider,
  privateKey: string | undefined,
  rule: ProviderRules["privateKey"]
): ReadonlyArray<Problem> => {
  const code = privateKey === undefined || nonBlank(privateKey) === null ? undefined : rule(privateKey)
  return [
    ...appleIdProblems("team_id", teamId),
    ...appleIdProblems("key_id", keyId),
    ...(code === undefined ? [] : [problem("client_secret", code)])
  ]
}

const TENANT_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

const microsoftProblems = ({ tenant }: MicrosoftProvider): ReadonlyArray<Problem> =>
  TENANT_ID.test(tenant) || tenantKinds.some((kind) => kind === tenant) ? [] : [problem("tenant", "tenant_form")]

/** An issuer has no query (OpenID Connect Discovery §2). */
const oidcProblems = ({ issuer }: OidcProvider, rule: ProviderRules["url"]): ReadonlyArray<Problem> =>
  urlProblems("issuer", issuer, (url) => rule(url) ?? (url.includes("?") ? "issuer_form" : undefined))

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

/** The problems with the settings of one type. */
const typeProblems = (
  provider: ExternalProvider,
  clientSecret: string | undefined,
  rules: ProviderRules
): ReadonlyArray<Problem> => {
  switch (provider.providerType) {
    case "apple":
      return appleProblems(provider, clientSecret, rules.privateKey)
    case "microsoft":
      return microsoftProblems(provider)
    case "oidc":
      return oidcProblems(provider, rules.url)
    case "oauth2":
      return oauth2Problems(provider, rules.url)
    default:
      return []
  }
}

/** Validates a provider, and its client secret if one is given. Returns every broken rule. */
export const providerProblems = (
  provider: AuthProvider,
  clientSecret: string | undefined,
  rules: ProviderRules
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
    ...typeProblems(provider, clientSecret, rules)
  ]
}
