import type { AuthProvider } from "#client/generated/types/AuthProvider"
import type { AuthProviderInput } from "#client/generated/types/AuthProviderInput"
import { wellKnownTypes } from "#domain/WellKnownProviders"
import { nonBlankLines, orNull } from "../calls/Changes.ts"

export const builtInTypes = ["password", "passkey", "totp", "email_code"] as const
export const externalTypes = [...wellKnownTypes, "oidc", "oauth2"] as const

/** The types of which a realm can have several providers. */
const genericTypes: ReadonlyArray<string> = ["oidc", "oauth2"]

/** Whether a realm can have only one provider of a type. */
export const isUnique = (type: string): boolean => !genericTypes.includes(type)

export type ExternalType = (typeof externalTypes)[number]
export type ProviderType = (typeof builtInTypes)[number] | ExternalType

const types: ReadonlyArray<ProviderType> = [...builtInTypes, ...externalTypes]

/** The type of a provider, or undefined for types that this release doesn't know. */
export const typeOf = ({ provider_type }: AuthProvider): ProviderType | undefined =>
  types.find((type) => type === provider_type)

export const isExternal = (type: ProviderType): type is ExternalType => externalTypes.some((one) => one === type)

/** The form values of all login methods, both external and built-in. */
export interface ProviderValues {
  readonly state: "active" | "inactive"
  readonly min_length: number
  readonly preset: "none" | "nist"
  readonly required_chars: ReadonlyArray<"lower" | "upper" | "digit" | "symbol">
  readonly user_verification: "preferred" | "required"
  readonly attestation: "none" | "direct"
  readonly attestation_roots: string
  readonly second_factor: boolean
  readonly name: string
  readonly client_id: string
  readonly client_secret: string
  readonly scopes: ReadonlyArray<string>
  readonly callback_by_type: boolean
  readonly team_id: string
  readonly key_id: string
  readonly tenant: string
  readonly issuer: string
  readonly response_mode: "query" | "form_post"
  readonly authorization_url: string
  readonly token_url: string
  readonly profile_url: string
  readonly token_endpoint_auth_method: "" | "client_secret_basic" | "client_secret_post"
  readonly id_field: string
  readonly email_field: string
  readonly email_verified_field: string
  readonly first_name_field: string
  readonly last_name_field: string
  readonly name_field: string
}

export const newProvider: ProviderValues = {
  state: "active",
  min_length: 8,
  preset: "none",
  required_chars: [],
  user_verification: "preferred",
  attestation: "none",
  attestation_roots: "",
  second_factor: false,
  name: "",
  client_id: "",
  client_secret: "",
  scopes: [],
  callback_by_type: false,
  team_id: "",
  key_id: "",
  tenant: "common",
  issuer: "",
  response_mode: "query",
  authorization_url: "",
  token_url: "",
  profile_url: "",
  token_endpoint_auth_method: "",
  id_field: "id",
  email_field: "email",
  email_verified_field: "",
  first_name_field: "",
  last_name_field: "",
  name_field: ""
}

/** A provider as form values. */
export const valuesOf = (provider: AuthProvider): ProviderValues => {
  const texts = Object.fromEntries(Object.entries(provider).map(([name, value]) => [name, value === null ? "" : value]))
  return {
    ...newProvider,
    ...texts,
    ...("attestation_roots" in provider ? { attestation_roots: provider.attestation_roots.join("\n") } : {})
  }
}

/** Splits concatenated PEM certificates. */
const certificatesIn = (text: string): ReadonlyArray<string> =>
  text.trim() === "" ? [] : (text.match(/-----BEGIN[\s\S]*?-----END[^-]*-----/g) ?? [text])

const nullable = ["email_verified_field", "first_name_field", "last_name_field", "name_field", "name"] as const

/** Converts form values to the input of a call. */
export const inputOf = (values: Partial<ProviderValues>): AuthProviderInput => {
  const { scopes, attestation_roots, client_secret, token_endpoint_auth_method: method, ...same } = values
  const nulls = Object.fromEntries(
    nullable.flatMap((name) => (same[name] === undefined ? [] : [[name, orNull(same[name])]]))
  )
  return {
    ...same,
    ...nulls,
    ...(method === undefined ? {} : { token_endpoint_auth_method: method === "" ? null : method }),
    ...(scopes === undefined ? {} : { scopes: nonBlankLines(scopes) }),
    ...(attestation_roots === undefined ? {} : { attestation_roots: certificatesIn(attestation_roots) }),
    ...(client_secret === undefined || client_secret === "" ? {} : { client_secret })
  }
}

/** The name of a provider in its callback URLs. */
export const callbackName = (provider: AuthProvider): string =>
  "callback_by_type" in provider && provider.callback_by_type ? provider.provider_type : provider.id

/** The values that apply to a provider type. */
export const membersOf = (type: ProviderType): ReadonlyArray<keyof ProviderValues> => {
  if (type === "password") return ["state", "min_length", "preset", "required_chars"]
  if (type === "passkey") return ["state", "user_verification", "attestation", "attestation_roots"]
  if (type === "email_code") return ["state", "second_factor"]
  if (type === "totp") return ["state"]
  const known = ["state", "name", "client_id", "client_secret", "scopes"] as const
  if (type === "apple") return [...known, "team_id", "key_id"]
  if (type === "microsoft") return [...known, "tenant"]
  if (type === "oidc") return [...known, "issuer", "token_endpoint_auth_method", "response_mode"]
  if (type !== "oauth2") return known
  const urls = ["authorization_url", "token_url", "profile_url"] as const
  return [
    ...known,
    ...urls,
    "token_endpoint_auth_method",
    "id_field",
    "email_field",
    "email_verified_field",
    "first_name_field",
    "last_name_field",
    "name_field"
  ]
}
