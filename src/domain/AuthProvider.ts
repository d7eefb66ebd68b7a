import type { DateTime } from "effect"
import { Data } from "effect"
import { type AuthProviderId, isId, type RealmId } from "./Ids.ts"
import type { PasswordPolicy } from "./PasswordPolicy.ts"

/** What every realm has from its beginning, once: settings rather than providers (decision 18). */
export const builtInTypes = ["password", "totp"] as const

/** Providers elsewhere whose addresses and answers are known (decision 44). */
export const wellKnownTypes = ["facebook", "github", "google", "linkedin", "slack", "yahoo"] as const

export const externalTypes = [...wellKnownTypes, "oauth2"] as const

export const providerTypes = [...builtInTypes, ...externalTypes] as const

export type ProviderType = (typeof providerTypes)[number]
export type BuiltInType = (typeof builtInTypes)[number]
export type ExternalType = (typeof externalTypes)[number]

/** A type of which a realm has one at most, so that the type names it. */
export type SingleType = Exclude<ProviderType, "oauth2">

export const providerStates = ["active", "inactive"] as const

export type ProviderState = (typeof providerStates)[number]

/** What all providers have. */
export interface ProviderIdentity {
  readonly id: AuthProviderId
  readonly realmId: RealmId
  readonly state: ProviderState
  readonly createdAt: DateTime.Utc
}

/** The rules for a realm's passwords. */
export interface PasswordProvider extends ProviderIdentity, PasswordPolicy {
  readonly providerType: "password"
}

/** Whether a realm takes codes of a second factor. */
export interface TotpProvider extends ProviderIdentity {
  readonly providerType: "totp"
}

/** What we are to a provider elsewhere. Our secret with it is kept apart, since nothing that shows a provider needs it. */
interface Client extends ProviderIdentity {
  readonly name: string | null
  readonly clientId: string
  readonly scopes: ReadonlyArray<string>
}

/** A provider that we know more of than the caller needs to tell. */
export interface WellKnownProvider extends Client {
  readonly providerType: (typeof wellKnownTypes)[number]
}

/** Any other: where it is, and what it calls the attributes of a profile. */
export interface OAuth2Provider extends Client {
  readonly providerType: "oauth2"
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly profileUrl: string
  readonly idField: string
  readonly emailField: string
  readonly emailVerifiedField: string | null
  readonly firstNameField: string | null
  readonly lastNameField: string | null
  readonly nameField: string | null
}

export type ExternalProvider = WellKnownProvider | OAuth2Provider

/** What a realm authenticates with. */
export type AuthProvider = PasswordProvider | TotpProvider | ExternalProvider

/** What the `password` provider says of new passwords, and whether passwords log in at all. */
export interface PasswordRules extends PasswordPolicy {
  readonly state: ProviderState
}

/** What a realm may choose the shortest password from, in characters (decision 23). */
export const MIN_LENGTHS = { least: 8, most: 512 } as const

export const isBuiltInType = (type: ProviderType): type is BuiltInType => builtInTypes.some((one) => one === type)

/** Whether people log in through a provider at a place elsewhere. */
export const isExternal = (provider: AuthProvider): provider is ExternalProvider =>
  !isBuiltInType(provider.providerType)

/** Whether a text is a type of which a realm has one at most. */
export const isSingleType = (text: string): text is SingleType =>
  text !== "oauth2" && providerTypes.some((one) => one === text)

/** What a provider goes by: its id, or the type of which there is only one. */
export type ProviderName = AuthProviderId | SingleType

/** What a text names, if it can name any provider. */
export const providerName = (text: string): ProviderName | undefined =>
  isId("authProvider", text) || isSingleType(text) ? text : undefined

export class AuthProviderNotFound extends Data.TaggedError("AuthProviderNotFound")<{ readonly name: string }> {}
