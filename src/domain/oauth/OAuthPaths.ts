import type { RealmId } from "../Ids.ts"

/** The endpoints of a realm as an OpenID Provider, with their paths relative to the issuer URL and their methods. */
export const oauthEndpoints = {
  authorize: { suffix: "authorize", methods: ["GET", "POST"] },
  par: { suffix: "par", methods: ["POST"] },
  token: { suffix: "token", methods: ["POST", "OPTIONS"] },
  userinfo: { suffix: "userinfo", methods: ["GET", "POST", "OPTIONS"] },
  introspect: { suffix: "introspect", methods: ["POST"] },
  revoke: { suffix: "revoke", methods: ["POST", "OPTIONS"] },
  device: { suffix: "device_authorization", methods: ["POST"] },
  endSession: { suffix: "end_session", methods: ["GET", "POST"] },
  register: { suffix: "register", methods: ["POST", "OPTIONS"] },
  registration: { suffix: "register/:client_id", methods: ["GET", "PUT", "DELETE", "OPTIONS"] }
} as const satisfies Readonly<Record<string, { readonly suffix: string; readonly methods: ReadonlyArray<string> }>>

export type OAuthEndpointName = keyof typeof oauthEndpoints

/** The path of an endpoint. `realm` is a realm's id or a router parameter. */
export const oauthPath = (name: OAuthEndpointName, realm: RealmId | ":realm_id"): `/${string}` =>
  `/realms/${realm}/${oauthEndpoints[name].suffix}`
