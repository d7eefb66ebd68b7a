import type { DateTime } from "effect"
import { Data } from "effect"
import { type AuthProviderId, isId, type RealmId } from "./Ids.ts"
import type { PasskeyRules } from "./Passkey.ts"
import type { PasswordPolicy } from "./PasswordPolicy.ts"
import { type WellKnownType, wellKnownTypes } from "./WellKnownProviders.ts"

/** The provider types built into every realm. Each realm has exactly one provider of each, created with the realm (C18). */
export const builtInTypes = ["password", "totp", "passkey", "email_code"] as const

/** The types for providers without built-in endpoints. A realm can have several providers of each. */
export const genericTypes = ["oauth2", "oidc"] as const

export type GenericType = (typeof genericTypes)[number]

export const externalTypes = [...wellKnownTypes.toSorted(), ...genericTypes] as const

export const providerTypes = [...builtInTypes, ...externalTypes] as const

export type ProviderType = (typeof providerTypes)[number]
export type BuiltInType = (typeof builtInTypes)[number]
export type ExternalType = (typeof externalTypes)[number]

/** A provider type that a realm can have only once, so that the type alone identifies the provider. */
export type UniqueProviderType = Exclude<ProviderType, GenericType>

export const providerStates = ["active", "inactive"] as const

export type ProviderState = (typeof providerStates)[number]

/** The fields all providers share. */
export interface ProviderIdentity {
  readonly id: AuthProviderId
  readonly realmId: RealmId
  readonly state: ProviderState
  readonly createdAt: DateTime.Utc
}

/** The password rules of a realm. */
export interface PasswordProvider extends ProviderIdentity, PasswordPolicy {
  readonly providerType: "password"
}

/** Whether a realm accepts TOTP codes as a second factor. */
export interface TotpProvider extends ProviderIdentity {
  readonly providerType: "totp"
}

/** Whether users of a realm can log in with passkeys, and which passkeys are accepted. */
export interface PasskeyProvider extends ProviderIdentity, PasskeyRules {
  readonly providerType: "passkey"
}

/** Whether users can log in with codes sent by email. */
export interface EmailCodeProvider extends ProviderIdentity {
  readonly providerType: "email_code"
  /** Whether an emailed code may also be the second factor of a login. */
  readonly secondFactor: boolean
}

/** A provider that every realm has. */
export type BuiltInProvider = PasswordProvider | TotpProvider | PasskeyProvider | EmailCodeProvider

/** A realm's registration as an OAuth client at an external provider. The client secret is stored separately. */
interface ProviderClient extends ProviderIdentity {
  readonly name: string | null
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
  /** Whether the callback URL contains the type instead of the ID. False if a realm can have several of the type. */
  readonly callbackByType: boolean
}

/** Sign in with Apple. The client secrets are signed with the private key that is stored in place of a client secret. */
export interface AppleProvider extends ProviderClient {
  readonly providerType: "apple"
  readonly teamId: string
  /** The ID of the private key. */
  readonly keyId: string
}

/** The accounts that can log in at Microsoft, besides those of a single tenant, which is named by its ID. */
export const tenantKinds = ["common", "organizations", "consumers"] as const

/** Microsoft Entra ID and personal Microsoft accounts. */
export interface MicrosoftProvider extends ProviderClient {
  readonly providerType: "microsoft"
  /** One of `tenantKinds`, or the ID of a tenant. */
  readonly tenant: string
}

/** An external provider whose endpoints are built in. */
export type WellKnownProvider =
  | AppleProvider
  | MicrosoftProvider
  | (ProviderClient & { readonly providerType: Exclude<WellKnownType, "apple" | "microsoft"> })

/**
 * How a client with a secret authenticates at a token endpoint: by HTTP Basic or in the request body
 * (OpenID Connect Registration §2).
 */
export const secretMethods = ["client_secret_basic", "client_secret_post"] as const

export type SecretMethod = (typeof secretMethods)[number]

/** A custom OAuth 2.0 provider, with its endpoints and the field names of its profile. */
export interface OAuth2Provider extends ProviderClient {
  readonly providerType: "oauth2"
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly profileUrl: string
  /** Null tries HTTP Basic first, then the request body. */
  readonly tokenEndpointAuthMethod: SecretMethod | null
  readonly idField: string
  readonly emailField: string
  readonly emailVerifiedField: string | null
  readonly firstNameField: string | null
  readonly lastNameField: string | null
  readonly nameField: string | null
}

/** How a provider returns the browser: by a redirect, or by a form that the browser posts (Form Post Response Mode). */
export const responseModes = ["query", "form_post"] as const

export type ResponseMode = (typeof responseModes)[number]

/** An OpenID Provider, whose endpoints are read from its issuer's discovery document. */
export interface OidcProvider extends ProviderClient {
  readonly providerType: "oidc"
  readonly issuer: string
  /** Null uses a method that the discovery document lists. */
  readonly tokenEndpointAuthMethod: SecretMethod | null
  readonly responseMode: ResponseMode
}

export type ExternalProvider = WellKnownProvider | OAuth2Provider | OidcProvider

/** A provider of any type. */
export type AuthProvider = BuiltInProvider | ExternalProvider

/** The rules for new passwords, and whether password login is enabled. */
export interface PasswordRules extends PasswordPolicy {
  readonly state: ProviderState
}

/** The range of `min_length`, in characters (C23). */
export const MIN_LENGTH_RANGE = { least: 8, most: 512 } as const

export const isBuiltInType = (type: ProviderType): type is BuiltInType => builtInTypes.some((one) => one === type)

/** Returns whether users log in at an external provider. */
export const isExternal = (provider: AuthProvider): provider is ExternalProvider =>
  !isBuiltInType(provider.providerType)

/** Returns whether a string names a provider type that a realm can have only once. */
export const isUniqueProviderType = (text: string): text is UniqueProviderType =>
  !genericTypes.some((one) => one === text) && providerTypes.some((one) => one === text)

/** A reference to a provider: its id, or its type if a realm can have only one of that type. */
export type ProviderRef = AuthProviderId | UniqueProviderType

/** Parses a provider's id or unique type. Returns undefined for any other string. */
export const parseProviderRef = (text: string): ProviderRef | undefined =>
  isId("authProvider", text) || isUniqueProviderType(text) ? text : undefined

/** The name of a provider in the path of its callback URL: its ID or its type. */
export const callbackName = ({ id, providerType, callbackByType }: ExternalProvider): string =>
  callbackByType ? providerType : id

export class AuthProviderNotFound extends Data.TaggedError("AuthProviderNotFound")<{ readonly name: string }> {}
