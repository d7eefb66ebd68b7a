import { DEVICE_CODE_GRANT, type GrantType, type OAuthClientType, type TokenEndpointAuthMethod } from "./OAuthClient.ts"

/** The rules for a type of OAuth client. */
export interface ClientTypeRules {
  readonly grantTypes: { readonly allowed: ReadonlyArray<GrantType>; readonly default: ReadonlyArray<GrantType> }
  /** The allowed authentication methods, starting with the default. */
  readonly authMethods: readonly [TokenEndpointAuthMethod, ...ReadonlyArray<TokenEndpointAuthMethod>]
  /** Where browsers may be redirected: only to pages, to pages and apps on devices, or nowhere. */
  readonly redirectTargets: "pages" | "apps" | "nowhere"
  /** Whether the client acts on behalf of users. */
  readonly hasUsers: boolean
}

const confidentialMethods = ["client_secret_basic", "client_secret_post", "private_key_jwt"] as const
const codeGrants = ["authorization_code", "refresh_token"] as const

export const clientTypeRules: Readonly<Record<OAuthClientType, ClientTypeRules>> = {
  web: {
    grantTypes: { allowed: [...codeGrants, "client_credentials"], default: codeGrants },
    authMethods: confidentialMethods,
    redirectTargets: "pages",
    hasUsers: true
  },
  spa: {
    grantTypes: { allowed: codeGrants, default: codeGrants },
    authMethods: ["none"],
    redirectTargets: "pages",
    hasUsers: true
  },
  native: {
    grantTypes: { allowed: [...codeGrants, DEVICE_CODE_GRANT], default: codeGrants },
    authMethods: ["none"],
    redirectTargets: "apps",
    hasUsers: true
  },
  machine: {
    grantTypes: { allowed: ["client_credentials"], default: ["client_credentials"] },
    authMethods: confidentialMethods,
    redirectTargets: "nowhere",
    hasUsers: false
  },
  device: {
    grantTypes: {
      allowed: [DEVICE_CODE_GRANT, "refresh_token"],
      default: [DEVICE_CODE_GRANT, "refresh_token"]
    },
    authMethods: ["none", ...confidentialMethods],
    redirectTargets: "nowhere",
    hasUsers: true
  }
}
