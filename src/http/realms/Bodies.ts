import { Effect } from "effect"
import type { RealmBodyV1, RealmBodyV2, RealmItem } from "#api/realms/Endpoints"
import { KeyRing } from "#core/keys/KeyRing"
import { allows, Caller } from "#domain/Caller"
import { verifyingKey } from "#domain/JwtKey"
import type { JwtField, Realm } from "#domain/Realm"
import { timeT } from "../WireMapping.ts"

const members = (realm: Realm) => ({
  id: realm.id,
  object: "realm" as const,
  name: realm.name,
  state: realm.state,
  reference: realm.reference
})

export const realmItem = (realm: Realm, custom: boolean): typeof RealmItem.Type =>
  custom ? { ...members(realm), custom: realm.custom } : members(realm)

/** A realm with the key that verifies its tokens: an hs256 secret only for those who may mint with it (decision 6). */
const read = Effect.fnUntraced(function* (realm: Realm) {
  const caller = yield* Caller
  const key = yield* Effect.flatMap(KeyRing, (keys) => keys.current(realm.id))
  return {
    ...members(realm),
    custom: realm.custom,
    environment: realm.environment,
    username_validation_human: realm.usernameValidationHuman,
    require_unique_emails: realm.requireUniqueEmails,
    api_key_prefix: realm.apiKeyPrefix,
    api_key_policy: realm.apiKeyPolicy,
    jwt_algo: key.algo,
    jwt_claims: realm.jwtClaims,
    jwt_key: key.algo === "rs256" || allows(caller.level, "admin_realm") ? verifyingKey(key) : null,
    session_type: realm.sessionType,
    session_minutes: realm.sessionMinutes,
    session_tokens: realm.sessionTokens,
    api_key_minutes: realm.apiKeyMinutes,
    org_mode: realm.orgMode,
    signup: realm.signup,
    email_verification: realm.emailVerification,
    default_locale: realm.defaultLocale,
    available_locales: realm.availableLocales,
    resource_links: realm.resourceLinks,
    limits: realm.limits,
    event_retention_days: realm.eventRetentionDays,
    created_at: timeT(realm.createdAt)
  }
})

const scopesOf = (fields: ReadonlyArray<JwtField>) => [
  ...(fields.includes("orgs") ? ["ar.orgs"] : []),
  ...(fields.includes("custom") ? ["ar.custom"] : [])
]

/** The token content that v2 names by scopes (decision 18). */
export const fieldsOf = (scopes: ReadonlyArray<string>): ReadonlyArray<JwtField> => [
  ...(scopes.includes("ar.custom") ? (["custom"] as const) : []),
  ...(scopes.includes("ar.orgs") ? (["memberships", "orgs"] as const) : [])
]

/** A realm as `/v1` reads it. */
export const readV1 = (realm: Realm) =>
  Effect.map(read(realm), (body): typeof RealmBodyV1.Type => ({
    ...body,
    jwt_fields: realm.jwtFields,
    jwt_secret: body.jwt_key
  }))

/** A realm as `/v2` reads it. */
export const readV2 = (realm: Realm) =>
  Effect.map(read(realm), (body): typeof RealmBodyV2.Type => ({ ...body, jwt_scopes: scopesOf(realm.jwtFields) }))
