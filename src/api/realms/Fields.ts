import { Duration, Schema } from "effect"
import { DELETION_DAYS } from "#domain/AccountDeletion"
import { registrationModes } from "#domain/clients/ClientRegistration"
import { MAX_RESOURCES } from "#domain/clients/OAuthClientInput"
import { MAX_SCOPES } from "#domain/clients/OAuthScope"
import { RETENTION_DAYS } from "#domain/EventRetention"
import { jwtAlgorithms } from "#domain/JwtKey"
import { limits, MAX_LIMIT, type RealmLimitName } from "#domain/Limit"
import { isLocaleTag } from "#domain/Locale"
import { jwtFields, MAX_LIFETIME_MINUTES, mfaModes, realmStates, signupFields, TRUSTED_DAYS } from "#domain/Realm"
import { MAX_ROLES, ROLE_NAME_LENGTH } from "#domain/Role"
import { isStorable, nonBlank } from "#domain/Text"
import { jwtMaxBytes } from "#domain/TokenSize"
import { pageLinkProblem } from "#domain/WebUrl"
import { MAX_ELEMENTS } from "../BodyShape.ts"
import { customInput, customKeywords, describe } from "../Description.ts"
import {
  Choice,
  Custom,
  Flag,
  Integer,
  List,
  maybe,
  Permissions,
  requestAttributes,
  Scopes,
  Text,
  Words
} from "../Wire.ts"
import { texts } from "./Texts.ts"

/** The values of `jwt_scopes`, which replaces `jwt_fields` in `/v2` (C18). */
export const jwtScopes = ["ar.orgs", "ar.custom"] as const

/** A BCP 47 tag of an existing language. */
const LocaleTag = Text().check(Schema.makeFilter(isLocaleTag, { problem: { code: "unknown_locale" } }))

const isLink = (text: string): boolean => !isStorable(text) || pageLinkProblem(text) !== "url_form"

const url = Text(2_048).check(
  Schema.makeFilter(isLink, { problem: { code: "url_form" } }),
  Schema.makeFilter((text: string) => pageLinkProblem(text) !== "url_parts", { problem: { code: "url_parts" } }),
  Schema.makeFilter((text: string) => pageLinkProblem(text) !== "page_scheme", { problem: { code: "page_scheme" } })
)

const ResourceLink = Schema.Struct({
  resource: describe(Choice(["org", "user"]), "The resource that the link is shown for: `org` or `user`."),
  title: describe(Text(), "The text of the link."),
  url: describe(
    url,
    "The URL, http or https. `{{id}}`, `{{reference}}` and `{{realm_id}}` are replaced by the values of the resource."
  )
}).annotate({ problem: { code: "not_object" }, identifier: "ResourceLink" })

const RoleName = Text(ROLE_NAME_LENGTH).check(
  Schema.makeFilter((text: string) => nonBlank(text) !== null, { problem: { code: "blank" } })
)

const RealmRole = Schema.Struct({
  name: describe(RoleName, "The displayed name, unique within the realm."),
  permissions: describe(
    Permissions,
    "The permissions of members with the role: up to 20 tags, in the same format as for memberships. `ar:owner` is not allowed, because ownership is transferred instead. `ar:admin` allows managing the team. No two roles can have the same permissions."
  )
}).annotate({ problem: { code: "not_object" }, identifier: "RealmRole" })

const limitOf = (name: RealmLimitName, counted: string) => {
  const { most, within } = limits[name]
  const seconds = Duration.toSeconds(within).toLocaleString("en")
  return describe(
    Schema.optionalKey(Integer),
    `${counted} in ${seconds} seconds (1 to ${MAX_LIMIT.toLocaleString("en")}). Default: ${most.toLocaleString("en")}.`,
    { minimum: 1, maximum: MAX_LIMIT, default: most }
  )
}

/** A realm's own rate limits: the maximum number of calls within the window of the default limit (C45). */
export const Limits = Schema.Struct({
  reads: limitOf("reads", "The reads of one key"),
  writes: limitOf("writes", "The writes of one key"),
  reads_total: limitOf("reads_total", "The reads of all keys that are locked to the realm"),
  writes_total: limitOf("writes_total", "The writes of all keys that are locked to the realm"),
  attempts: limitOf("attempts", "The attempts with a password or code for one user, as named in the request,"),
  email_codes: limitOf(
    "email_codes",
    "The wrong emailed codes that start a login of one user, as named in the request,"
  ),
  hosted: limitOf("hosted", "The uses of credentials in hosted login from one address (IPv6: one /64)"),
  hosted_sustained: limitOf("hosted_sustained", "The uses of credentials in hosted login from one address"),
  passkey_challenges: limitOf(
    "passkey_challenges",
    "The passkey logins from one address, which pages start when they open"
  ),
  oauth: limitOf("oauth", "The requests from one OAuth client at one address"),
  client_secrets: limitOf("client_secrets", "The failed authentications of one OAuth client from one address"),
  open_requests: limitOf(
    "open_requests",
    "The logins and logouts started by browsers and public clients at the OAuth endpoints, from one address"
  ),
  open_requests_total: limitOf(
    "open_requests_total",
    "The logins and logouts started by browsers and public clients at the OAuth endpoints, in the entire realm,"
  ),
  user_codes: limitOf("user_codes", "The wrong device codes entered by one user, or from one address,"),
  provider_tests: limitOf("provider_tests", "The auth provider tests"),
  domain_checks: limitOf("domain_checks", "The checks of domains that callers request"),
  registrations: limitOf("registrations", "The OAuth client registrations from one address"),
  mails: limitOf("mails", "The emails to one recipient"),
  mails_sustained: limitOf("mails_sustained", "The emails to one recipient"),
  visitor_mails: limitOf("visitor_mails", "The emails requested without an API key, in the entire realm,"),
  visitor_mails_sustained: limitOf(
    "visitor_mails_sustained",
    "The emails requested without an API key, in the entire realm,"
  ),
  invitations: limitOf("invitations", "The invitations to one org"),
  imports: limitOf("imports", "The imports of users into the realm"),
  exports: limitOf("exports", "The exports of the realm's users")
}).annotate({ problem: { code: "not_object" }, identifier: "Limits" })

/** The settings of a realm that a caller can set, in both versions (`v1.realm`, C18). */
const settings = {
  name: describe(maybe(Text()), "The name shown on pages and in emails. Required for a new realm."),
  state: describe(Schema.optionalKey(Choice(realmStates)), `${texts.state} Default: \`active\`.`, {
    default: "active"
  }),
  reference: describe(maybe(Text()), texts.reference),
  custom: describe(maybe(Custom), customInput, customKeywords),
  environment: describe(Schema.optionalKey(Choice(["live", "test"])), `${texts.environment} Default: \`live\`.`, {
    default: "live"
  }),
  username_validation_human: describe(
    Schema.optionalKey(Choice(["standard", "email"])),
    `${texts.username_validation_human} Default: \`standard\`.`,
    { default: "standard" }
  ),
  require_unique_emails: describe(
    Schema.optionalKey(Flag),
    `${texts.require_unique_emails} Can't be turned on while users share an email. Default: true.`,
    { default: true }
  ),
  api_key_prefix: describe(maybe(Text()), texts.api_key_prefix),
  api_key_policy: describe(
    Schema.optionalKey(Choice(["encrypt", "hash"])),
    `${texts.api_key_policy} A change only applies to keys written later. Default: \`hash\`.`,
    { default: "hash" }
  ),
  jwt_algo: describe(
    Schema.optionalKey(Choice(jwtAlgorithms)),
    "The algorithm that signs tokens: `hs256` (a shared secret) or `rs256` (a public key). A change creates a key and expires the others. Default: `rs256`; under `/v1`, `hs256`."
  ),
  jwt_fields: describe(Schema.optionalKey(Words(Choice(jwtFields))), `${texts.jwt_fields} Default: none.`),
  jwt_scopes: describe(Schema.optionalKey(Words(Choice(jwtScopes))), `${texts.jwt_scopes} Default: none.`),
  jwt_claims: describe(
    Schema.optionalKey(Choice(["v2", "both"])),
    `${texts.jwt_claims} Default: \`v2\`; under \`/v1\`, \`both\`.`
  ),
  session_type: describe(
    Schema.optionalKey(Choice(["managed", "unmanaged"])),
    `${texts.session_type} Default: \`managed\`.`,
    { default: "managed" }
  ),
  session_minutes: describe(Schema.optionalKey(Integer), `${texts.session_minutes} Default: 360.`, {
    minimum: 0,
    maximum: MAX_LIFETIME_MINUTES.unmanaged,
    default: 360
  }),
  mfa: describe(Schema.optionalKey(Choice(mfaModes)), `${texts.mfa} Default: \`optional\`.`, { default: "optional" }),
  session_tokens: describe(Schema.optionalKey(Choice(["all", "write"])), `${texts.session_tokens} Default: \`all\`.`, {
    default: "all"
  }),
  record_unknown_names: describe(Schema.optionalKey(Flag), `${texts.record_unknown_names} Default: false.`, {
    default: false
  }),
  jwt_max_bytes: describe(Schema.optionalKey(Integer), `${texts.jwt_max_bytes} Default: 12,000.`, {
    minimum: jwtMaxBytes.least,
    maximum: jwtMaxBytes.most,
    default: jwtMaxBytes.default
  }),
  api_key_minutes: describe(Schema.optionalKey(Integer), `${texts.api_key_minutes} Default: 0.`, {
    minimum: 0,
    maximum: MAX_LIFETIME_MINUTES.apiKey,
    default: 0
  }),
  org_mode: describe(
    Schema.optionalKey(Choice(["single_user", "multi_user"])),
    `${texts.org_mode} Default: \`multi_user\`.`,
    { default: "multi_user" }
  ),
  signup: describe(Schema.optionalKey(Choice(["open", "invitation", "closed"])), `${texts.signup} Default: \`open\`.`, {
    default: "open"
  }),
  signup_fields: describe(
    Schema.optionalKey(Words(Choice(signupFields))),
    `${texts.signup_fields} Default: all three.`,
    { default: signupFields }
  ),
  email_verification: describe(
    Schema.optionalKey(Choice(["none", "request", "preverify"])),
    `${texts.email_verification} Default: \`none\`.`,
    { default: "none" }
  ),
  default_locale: describe(
    Schema.optionalKey(LocaleTag),
    `${texts.default_locale} Must be one of \`available_locales\`. Default: \`en\`.`,
    { default: "en" }
  ),
  available_locales: describe(
    Schema.optionalKey(Words(LocaleTag)),
    `${texts.available_locales} Default: the \`default_locale\`.`
  ),
  limits: describe(
    maybe(Limits),
    "The realm's own rate limits. Replaces all limits set before; missing limits have their defaults. Only a key of level `admin_all_realms` can raise a limit above its default. Null restores all defaults."
  ),
  event_retention_days: describe(
    maybe(Integer),
    `The number of days for which events are stored: ${RETENTION_DAYS.least} up to the deployment's setting (by default ${RETENTION_DAYS.otherwise}). Default, and null: the deployment's setting.`,
    { minimum: RETENTION_DAYS.least, maximum: RETENTION_DAYS.most, default: null }
  ),
  account_deletion_days: describe(maybe(Integer), `${texts.account_deletion_days} Default: null.`, {
    minimum: DELETION_DAYS.least,
    maximum: DELETION_DAYS.most,
    default: null
  }),
  trusted_devices_days: describe(maybe(Integer), `${texts.trusted_devices_days} Default: null.`, {
    minimum: TRUSTED_DAYS.least,
    maximum: TRUSTED_DAYS.most,
    default: null
  }),
  passkey_rp_id: describe(maybe(Text()), `${texts.passkey_rp_id} Default: null.`, { default: null }),
  oauth_scopes: describe(Schema.optionalKey(Scopes), `${texts.oauth_scopes} Default: none.`, { maxItems: MAX_SCOPES }),
  client_registration: describe(
    Schema.optionalKey(Choice(registrationModes)),
    `${texts.client_registration} Default: \`off\`.`,
    { default: "off" }
  ),
  registration_scopes: describe(Schema.optionalKey(Scopes), `${texts.registration_scopes} Default: none.`, {
    maxItems: MAX_SCOPES
  }),
  registration_resources: describe(Schema.optionalKey(Scopes), `${texts.registration_resources} Default: none.`, {
    maxItems: MAX_RESOURCES
  }),
  roles: describe(Schema.optionalKey(List(RealmRole)), `${texts.roles} Default: none.`, { maxItems: MAX_ROLES }),
  resource_links: describe(Schema.optionalKey(List(ResourceLink)), `${texts.resource_links} Default: none.`, {
    maxItems: MAX_ELEMENTS
  })
}

/** The body for creating and updating a realm. */
export const payload = Schema.Struct({
  realm: describe(Schema.Struct(settings).annotate({ identifier: "RealmInput" }), "The realm's settings."),
  ...requestAttributes
})

export type RealmPayload = (typeof payload)["Type"]["realm"]
