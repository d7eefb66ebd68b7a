import {
  type AuthProvider,
  type ExternalProvider,
  type ExternalType,
  MIN_LENGTHS,
  type OAuth2Provider,
  type PasswordProvider,
  type ProviderIdentity,
  type ProviderState
} from "./AuthProvider.ts"
import { type CharacterKind, characterKinds, defaultPolicy } from "./PasswordPolicy.ts"
import { type Problem, problem } from "./Rejected.ts"
import { isStorable, isWithin, presence, TEXT_LENGTH } from "./Text.ts"
import { URL_LENGTH } from "./WebUrl.ts"

/**
 * The settings of a provider as a caller typed them, of all types: those of other types than its own mean nothing. Null is
 * none, or what it is without anybody's saying.
 */
export interface AuthProviderInput {
  readonly state?: ProviderState
  readonly minLength?: number | null
  readonly preset?: PasswordProvider["preset"] | null
  readonly requiredChars?: ReadonlyArray<CharacterKind> | null
  readonly name?: string | null
  readonly clientId?: string | null
  readonly clientSecret?: string | null
  readonly scopes?: ReadonlyArray<string> | null
  readonly authorizationUrl?: string | null
  readonly tokenUrl?: string | null
  readonly profileUrl?: string | null
  readonly idField?: string | null
  readonly emailField?: string | null
  readonly emailVerifiedField?: string | null
  readonly firstNameField?: string | null
  readonly lastNameField?: string | null
  readonly nameField?: string | null
}

/** The longest client secret, in characters: some providers take a signed token for one. */
export const SECRET_LENGTH = 2_048

/** A provider elsewhere of which nothing has been said yet. */
export const blankProvider = (providerType: ExternalType, identity: ProviderIdentity): ExternalProvider => {
  const client = { ...identity, name: null, clientId: "", scopes: [] }
  if (providerType !== "oauth2") return { ...client, providerType }
  return {
    ...client,
    providerType,
    authorizationUrl: "",
    tokenUrl: "",
    profileUrl: "",
    idField: "id",
    emailField: "email",
    emailVerifiedField: null,
    firstNameField: null,
    lastNameField: null,
    nameField: null
  }
}

type Typed = string | null | undefined

const needed = (typed: Typed, before: string): string => (typed === undefined ? before : (typed ?? "").trim())

const optional = (typed: Typed, before: string | null): string | null =>
  typed === undefined ? before : (presence(typed)?.trim() ?? null)

/** A provider elsewhere with what was typed of it. */
export const externalWith = (before: ExternalProvider, typed: AuthProviderInput): ExternalProvider => {
  const client = {
    state: typed.state ?? before.state,
    name: optional(typed.name, before.name),
    clientId: needed(typed.clientId, before.clientId),
    scopes: typed.scopes === undefined ? before.scopes : [...new Set(typed.scopes ?? [])]
  }
  if (before.providerType !== "oauth2") return { ...before, ...client }
  return {
    ...before,
    ...client,
    authorizationUrl: needed(typed.authorizationUrl, before.authorizationUrl),
    tokenUrl: needed(typed.tokenUrl, before.tokenUrl),
    profileUrl: needed(typed.profileUrl, before.profileUrl),
    idField: optional(typed.idField, before.idField) ?? "id",
    emailField: optional(typed.emailField, before.emailField) ?? "email",
    emailVerifiedField: optional(typed.emailVerifiedField, before.emailVerifiedField),
    firstNameField: optional(typed.firstNameField, before.firstNameField),
    lastNameField: optional(typed.lastNameField, before.lastNameField),
    nameField: optional(typed.nameField, before.nameField)
  }
}

/** A provider with what was typed of the settings that its type has. */
export const providerWith = (before: AuthProvider, typed: AuthProviderInput): AuthProvider => {
  const state = typed.state ?? before.state
  if (before.providerType === "totp") return { ...before, state }
  if (before.providerType !== "password") return externalWith(before, typed)
  const { minLength = before.minLength, preset = before.preset, requiredChars = before.requiredChars } = typed
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

const neededProblems = (field: string, text: string, maximum: number): ReadonlyArray<Problem> =>
  presence(text) === null ? [problem(field, "blank")] : textProblems(field, text, maximum)

const optionalProblems = (field: string, text: string | null): ReadonlyArray<Problem> =>
  text === null ? [] : textProblems(field, text, TEXT_LENGTH)

/** A scope of OAuth 2.0 (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/

const scopesProblems = (scopes: ReadonlyArray<string>): ReadonlyArray<Problem> => {
  if (!scopes.every((scope) => SCOPE.test(scope))) return [problem("scopes", "scope_form")]
  // They become a part of a URL.
  return scopes.join(" ").length > URL_LENGTH ? [problem("scopes", "too_long", { maximum: URL_LENGTH })] : []
}

/** What is wrong with a URL, as the code of a sentence. */
type UrlRule = (url: string) => string | undefined

const urlProblems = (field: string, url: string, rule: UrlRule): ReadonlyArray<Problem> => {
  const found = neededProblems(field, url, URL_LENGTH)
  const wrong = found.length > 0 ? undefined : rule(url)
  return wrong === undefined ? found : [problem(field, wrong)]
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

/** Every rule that a provider breaks, and its client secret where one is given. `urlRule`: what its URLs are held to. */
export const providerProblems = (
  provider: AuthProvider,
  clientSecret: string | undefined,
  urlRule: UrlRule
): ReadonlyArray<Problem> => {
  if (provider.providerType === "totp") return []
  if (provider.providerType === "password") {
    const { least, most } = MIN_LENGTHS
    const within = provider.minLength >= least && provider.minLength <= most
    return within ? [] : [problem("min_length", "range", MIN_LENGTHS)]
  }
  return [
    ...optionalProblems("name", provider.name),
    ...neededProblems("client_id", provider.clientId, TEXT_LENGTH),
    ...(clientSecret === undefined ? [] : neededProblems("client_secret", clientSecret, SECRET_LENGTH)),
    ...scopesProblems(provider.scopes),
    ...(provider.providerType === "oauth2" ? oauth2Problems(provider, urlRule) : [])
  ]
}
