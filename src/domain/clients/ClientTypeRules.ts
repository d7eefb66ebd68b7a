import { DEVICE_CODE_GRANT, type GrantType, type OAuthClientType, type TokenEndpointAuthMethod } from "./OAuthClient.ts"

/** The rules for a type of OAuth client. */
export interface ClientTypeRules {
  readonly grantTypes: { readonly allowed: ReadonlyArray<GrantType>; readonly default: ReadonlyArray<GrantType> }
  /** The allowed authentication methods, the default first. */
  readonly authMethods: readonly [TokenEndpointAuthMethod, ...ReadonlyArray<TokenEndpointAuthMethod>]
  /** Where browsers may be redirected to: pages; pages and apps on devices; nowhere. */
  readonly returns: "pages" | "apps" | "nowhere"
  /** Whether the client acts for users. */
  readonly hasUsers: boolean
}

const secretly = ["client_secret_basic", "client_secret_post", "private_key_jwt"] as const
const byCode = ["authorization_code", "refresh_token"] as const

export const clientTypeRules: Readonly<Record<OAuthClientType, ClientTypeRules>> = {
  web: {
    grantTypes: { allowed: [...byCode, "client_credentials"], default: byCode },
    authMethods: secretly,
    returns: "pages",
    hasUsers: true
  },
  spa: {
    grantTypes: { allowed: byCode, default: byCode },
    authMethods: ["none"],
    returns: "pages",
    hasUsers: true
  },
  native: {
    grantTypes: { allowed: [...byCode, DEVICE_CODE_GRANT], default: byCode },
    authMethods: ["none"],
    returns: "apps",
    hasUsers: true
  },
  machine: {
    grantTypes: { allowed: ["client_credentials"], default: ["client_credentials"] },
    authMethods: secretly,
    returns: "nowhere",
    hasUsers: false
  },
  device: {
    grantTypes: {
      allowed: [DEVICE_CODE_GRANT, "refresh_token"],
      default: [DEVICE_CODE_GRANT, "refresh_token"]
    },
    authMethods: ["none", ...secretly],
    returns: "nowhere",
    hasUsers: true
  }
}
