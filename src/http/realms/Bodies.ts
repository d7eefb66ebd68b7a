import { Effect } from "effect"
import type { RealmItem } from "#api/realms/Endpoints"
import { KeyRing } from "#core/keys/KeyRing"
import { Caller } from "#domain/Caller"
import { allows } from "#domain/Level"
import type { Realm } from "#domain/Realm"
import { timeT } from "../WireMapping.ts"

const itemMembers = (realm: Realm) => ({
  id: realm.id,
  object: "realm" as const,
  name: realm.name,
  state: realm.state,
  reference: realm.reference
})

/** A realm in a list. `custom`: whether to include its custom attributes. */
export const realmItem = (realm: Realm, custom: boolean): typeof RealmItem.Type =>
  custom ? { ...itemMembers(realm), custom: realm.custom } : itemMembers(realm)

/**
 * The members of a realm that both versions share, including the key that verifies its tokens. Reading an hs256 secret
 * requires level `admin_realm` (C6).
 */
export const realmMembers = Effect.fnUntraced(function* (realm: Realm) {
  const caller = yield* Caller
  const key = yield* Effect.flatMap(KeyRing, (keys) => keys.current(realm.id))
  return {
    ...itemMembers(realm),
    custom: realm.custom,
    environment: realm.environment,
    username_validation_human: realm.usernameValidationHuman,
    require_unique_emails: realm.requireUniqueEmails,
    api_key_prefix: realm.apiKeyPrefix,
    api_key_policy: realm.apiKeyPolicy,
    jwt_algo: key.algo,
    jwt_claims: realm.jwtClaims,
    jwt_key: key.algo === "rs256" || allows(caller.level, "admin_realm") ? key.imported.exportVerificationKey() : null,
    session_type: realm.sessionType,
    session_minutes: realm.sessionMinutes,
    session_tokens: realm.sessionTokens,
    mfa: realm.mfa,
    jwt_max_bytes: realm.jwtMaxBytes,
    record_unknown_names: realm.recordsUnknownNames,
    api_key_minutes: realm.apiKeyMinutes,
    org_mode: realm.orgMode,
    signup: realm.signup,
    signup_fields: realm.signupFields,
    email_verification: realm.emailVerification,
    default_locale: realm.defaultLocale,
    available_locales: realm.availableLocales,
    resource_links: realm.resourceLinks,
    limits: realm.limits,
    event_retention_days: realm.eventRetentionDays,
    account_deletion_days: realm.accountDeletionDays,
    trusted_devices_days: realm.trustedDevicesDays,
    passkey_rp_id: realm.passkeyRpId,
    oauth_scopes: realm.oauthScopes,
    client_registration: realm.clientRegistration,
    registration_scopes: realm.registrationScopes,
    registration_resources: realm.registrationResources,
    roles: realm.roles,
    created_at: timeT(realm.createdAt)
  }
})
