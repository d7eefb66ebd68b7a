import type { MicrosoftProvider } from "#domain/AuthProvider"
import type { Preset } from "./Preset.ts"
import { memberAt, standardClaims } from "./ProviderClaims.ts"

/** The tenant of all personal Microsoft accounts. */
const PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"

const TENANT_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** Returns whether accounts of a tenant can log in with this setting. */
const accepts = (setting: string, tenant: string): boolean => {
  if (setting === "common") return true
  if (setting === "organizations") return tenant !== PERSONAL
  return tenant === (setting === "consumers" ? PERSONAL : setting)
}

/**
 * Microsoft, with OpenID Connect. `{tenant}` in its endpoints is the tenant in the settings, `{tenantid}` in its issuer the
 * tenant of the person. Emails are not verified, unless the domain's owner is: anybody with a tenant can give its accounts any
 * email (SEC-279).
 */
export const Microsoft: Preset = {
  endpoints: {
    authorization: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize",
    token: "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
    profile: "https://graph.microsoft.com/oidc/userinfo",
    keys: "https://login.microsoftonline.com/{tenant}/discovery/v2.0/keys"
  },
  scopes: ["openid", "email", "profile"],
  supportsPkce: true,
  idTokens: {
    issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
    algorithms: ["RS256"],
    nonce: true,
    subjectIsProfileId: true,
    containsProfile: true
  },
  clientSecret: "post",
  retryParameters: { prompt: "select_account" },
  claimsOf: (claims) => {
    const verified = memberAt(claims, "xms_edov")
    return { ...standardClaims(claims), emailVerified: verified === true || verified === 1 || verified === "1" }
  }
}

/** Returns the preset for a provider's tenant. The issuer of an ID token must be that of its own tenant, in `tid`. */
export const microsoftPreset = (preset: Preset, { tenant }: MicrosoftProvider): Preset => {
  const { idTokens, endpoints } = preset
  const template = idTokens?.issuer
  const issuerOf = (claims: unknown): string | undefined => {
    const tid = memberAt(claims, "tid")
    if (typeof template !== "string" || typeof tid !== "string") return undefined
    return TENANT_ID.test(tid) && accepts(tenant, tid) ? template.replace("{tenantid}", tid) : undefined
  }
  const { authorization, token, keys } = endpoints
  const inTenant = (url: string) => url.replace("{tenant}", tenant)
  return {
    ...preset,
    endpoints: {
      ...endpoints,
      authorization: inTenant(authorization),
      token: inTenant(token),
      ...(keys === undefined ? {} : { keys: inTenant(keys) })
    },
    ...(idTokens === undefined ? {} : { idTokens: { ...idTokens, issuer: issuerOf } })
  }
}
