import type { ConnectedApp } from "#client/generated/types/ConnectedApp"

/** The kinds of OAuth clients, named as in the API. */
export const clientKinds = ["web", "spa", "native", "machine", "device"] as const

export type ClientKind = (typeof clientKinds)[number]

export type GrantType = ConnectedApp["grant_types"][number]
export type AuthMethod = NonNullable<ConnectedApp["token_endpoint_auth_method"]>

const deviceCode = "urn:ietf:params:oauth:grant-type:device_code"

interface KindRules {
  readonly grantTypes: ReadonlyArray<GrantType>
  readonly authMethods: ReadonlyArray<AuthMethod>
  /** Whether clients of this kind redirect browsers. */
  readonly hasRedirects: boolean
  readonly hasUsers: boolean
}

const secretMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt"] as const

/** The settings that apply to each kind. */
export const kindRules: Readonly<Record<ClientKind, KindRules>> = {
  web: {
    grantTypes: ["authorization_code", "refresh_token", "client_credentials"],
    authMethods: secretMethods,
    hasRedirects: true,
    hasUsers: true
  },
  spa: {
    grantTypes: ["authorization_code", "refresh_token"],
    authMethods: ["none"],
    hasRedirects: true,
    hasUsers: true
  },
  native: {
    grantTypes: ["authorization_code", "refresh_token", deviceCode],
    authMethods: ["none"],
    hasRedirects: true,
    hasUsers: true
  },
  machine: { grantTypes: ["client_credentials"], authMethods: secretMethods, hasRedirects: false, hasUsers: false },
  device: {
    grantTypes: [deviceCode, "refresh_token"],
    authMethods: ["none", ...secretMethods],
    hasRedirects: false,
    hasUsers: true
  }
}

/** The kind of a client, or undefined for connected apps with hosted pages. */
export const kindOf = ({ client_type }: Pick<ConnectedApp, "client_type">): ClientKind | undefined =>
  clientKinds.find((kind) => kind === client_type)

/** The scopes that exist in every realm. */
export const standardScopes = ["openid", "profile", "email", "orgs", "offline_access"] as const

/** Whether a client authenticates with a secret. */
export const keepsSecret = ({ token_endpoint_auth_method }: Pick<ConnectedApp, "token_endpoint_auth_method">) =>
  token_endpoint_auth_method === "client_secret_basic" || token_endpoint_auth_method === "client_secret_post"
