import type { RealmPayload } from "#api/realms/Fields"
import { customProblems } from "#domain/Custom"
import { parsePermissions } from "#domain/Permission"
import type { JwtField, RealmSettings } from "#domain/Realm"
import { type Problem, problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { omitUndefined } from "../WireMapping.ts"

const once = (texts: ReadonlyArray<string> | undefined) => (texts === undefined ? undefined : [...new Set(texts)])

/** The settings in a request. `jwtFields` is the token content, whose member differs between the versions. */
export const settingsOf = (
  sent: RealmPayload,
  jwtFields: ReadonlyArray<JwtField> | undefined,
  problems: Array<Problem>
): Partial<RealmSettings> => {
  if (sent.name !== undefined && nonBlank(sent.name) === null) problems.push(problem("name", "blank"))
  problems.push(...customProblems(sent.custom ?? undefined))
  return omitUndefined({
    name: sent.name ?? undefined,
    state: sent.state,
    reference: sent.reference === undefined ? undefined : nonBlank(sent.reference),
    custom: sent.custom === null ? {} : sent.custom,
    environment: sent.environment,
    usernameValidationHuman: sent.username_validation_human,
    requireUniqueEmails: sent.require_unique_emails,
    apiKeyPrefix: sent.api_key_prefix === undefined ? undefined : nonBlank(sent.api_key_prefix),
    apiKeyPolicy: sent.api_key_policy,
    jwtAlgo: sent.jwt_algo,
    jwtFields,
    jwtClaims: sent.jwt_claims,
    sessionType: sent.session_type,
    sessionMinutes: sent.session_minutes,
    sessionTokens: sent.session_tokens,
    mfa: sent.mfa,
    jwtMaxBytes: sent.jwt_max_bytes,
    recordsUnknownNames: sent.record_unknown_names,
    apiKeyMinutes: sent.api_key_minutes,
    orgMode: sent.org_mode,
    signup: sent.signup,
    signupFields: sent.signup_fields,
    emailVerification: sent.email_verification,
    defaultLocale: sent.default_locale,
    availableLocales: sent.available_locales,
    resourceLinks: sent.resource_links,
    limits: sent.limits === null ? {} : sent.limits,
    eventRetentionDays: sent.event_retention_days,
    accountDeletionDays: sent.account_deletion_days,
    trustedDevicesDays: sent.trusted_devices_days,
    passkeyRpId: sent.passkey_rp_id === undefined ? undefined : nonBlank(sent.passkey_rp_id),
    oauthScopes: once(sent.oauth_scopes),
    clientRegistration: sent.client_registration,
    registrationScopes: once(sent.registration_scopes),
    registrationResources: once(sent.registration_resources),
    roles: sent.roles?.map(({ name, permissions }) => ({
      name: name.trim(),
      permissions: parsePermissions(permissions)
    }))
  })
}
