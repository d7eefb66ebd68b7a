import { Schema } from "effect"
import { portableTypes } from "#domain/Credential"
import { hashFormats } from "#domain/HashFormats"
import { MAX_EXPANDED } from "#domain/Membership"
import { orgStates } from "#domain/Org"
import { emailVerifications, userTypes } from "#domain/User"
import { MAX_CREDENTIALS } from "../credentials/Fields.ts"
import { customKeywords, describe } from "../Description.ts"
import { permissionsText } from "../memberships/Fields.ts"
import { userFieldsV1, userFieldsV2 } from "../provisioning/Fields.ts"
import { Choice, Custom, List, maybe, Permissions, Text } from "../Wire.ts"
import { Moment } from "./Moment.ts"

const custom = (holder: string) =>
  describe(
    maybe(Custom),
    `Your own attributes. For an existing ${holder}, these attributes are added or replaced, and all others don't change; null removes all of them. Default: none for a new ${holder}, no change for an existing one.`,
    customKeywords
  )

const time = (description: string) =>
  describe(maybe(Moment), `Unix time in seconds, or a time in ISO 8601, not in the future, ${description}`)

/** A credential in a row. */
export const RowCredential = Schema.Struct({
  credential_type: describe(
    Choice(portableTypes),
    "The type of the credential: `password`, `totp` (authenticator app), `api_key` (for API users only), or the type of the provider that the user's profile belongs to."
  ),
  password_hash: describe(
    maybe(Text(1_024)),
    `For a password: its hash. Accepted: ${hashFormats}, as PHC strings or in these systems' own formats. At the next login, the service replaces it with its own hash. Required for a password.`
  ),
  locked_at: time(
    "at which the password was locked, because someone else proved that they own the user's email. Default: not locked."
  ),
  name: describe(maybe(Text()), "For an authenticator app: the user's name for it. Required for an authenticator app."),
  otp_secret: describe(
    maybe(Text()),
    "For an authenticator app: its secret in Base32, 10 to 64 bytes; codes use SHA-1, six digits, 30 seconds. Required for an authenticator app."
  ),
  state: describe(
    Schema.optionalKey(Choice(["new", "active"])),
    "For an authenticator app: `active`, or `new` if the user has not yet entered one of its codes. Default: `active`.",
    { default: "active" }
  ),
  provider_user_id: describe(
    maybe(Text()),
    "For a profile at a provider: the user's ID there. Required for a profile at a provider."
  ),
  auth_provider_id: describe(
    maybe(Text()),
    "For a profile at a provider: the auth provider's ID. Default: the realm's only provider of that type."
  ),
  auth_provider_name: describe(
    maybe(Text()),
    "For a profile at a provider: the auth provider's name, as an alternative to its ID if a realm has several providers of type `oauth2`. Default: none."
  ),
  access_token: describe(maybe(Text(8_192)), "For a profile at a provider: an access token for it. Default: none."),
  token_expires_at: describe(
    maybe(Moment),
    "For a profile at a provider: Unix time in seconds, or a time in ISO 8601, at which the access token expires. Default: none."
  ),
  api_key: describe(
    maybe(Text()),
    "For an API key: the key, 20 to 255 visible ASCII characters with at least 10 different ones. Required for an API key.",
    { minLength: 20 }
  ),
  created_at: time("at which the credential was created. Default: now.")
}).annotate({ problem: { code: "not_object" }, identifier: "ImportCredential" })

/** An org in a row. */
export const RowOrg = Schema.Struct({
  id: describe(
    maybe(Text()),
    "The ID that the org keeps from another service: `org_` and up to 60 letters, digits and hyphens. Only for new orgs, under the same conditions as a user's `id`. Default: a new ID."
  ),
  reference: describe(
    maybe(Text()),
    "The org's reference, or its ID in this realm. If there is no such org, an org with this reference is created. Required."
  ),
  name: describe(maybe(Text()), "The org's name. Required if the org is created; otherwise ignored."),
  state: describe(
    Schema.optionalKey(Choice(orgStates)),
    "The state of a new org: `active` or `inactive`. `closed` is rejected. Default: `active`.",
    { default: "active" }
  ),
  custom: describe(maybe(Custom), "Your own attributes, for a new org. Default: none.", customKeywords),
  created_at: time("at which the org was created; only for new orgs. Default: now.")
}).annotate({ problem: { code: "not_object" }, identifier: "ImportOrg" })

/** A membership in a row. */
export const RowMembership = Schema.Struct({
  org: describe(
    maybe(RowOrg),
    "The user's org; null for a membership without an org. Required, unless `org_id` is sent."
  ),
  org_id: describe(maybe(Text()), "The org's ID in this realm, as an alternative to `org`. Default: none."),
  permissions: describe(
    maybe(Permissions),
    `${permissionsText} For an existing membership, this replaces the entire list; if it is missing, the permissions don't change.`
  ),
  custom: custom("membership"),
  expires_at: describe(
    maybe(Moment),
    "Unix time in seconds, or a time in ISO 8601, in the future, at which the membership expires. Default, and null: never."
  ),
  created_at: time("at which the membership was created. Default: now.")
}).annotate({ problem: { code: "not_object" }, identifier: "ImportMembership" })

/** A user in imports and exports, one per line. */
export const UserRow = Schema.Struct({
  id: describe(
    maybe(Text()),
    "The ID that the user keeps from another service: `usr_` and up to 60 letters, digits and hyphens. New users can keep IDs if the key has the level `admin_all_realms` and the realm has no users except those imported with IDs. No user of any realm can have this ID already. For an existing user, it must be the user's ID. Default: a new ID."
  ),
  reference: describe(
    maybe(Text()),
    "Your own ID for the user, or the user's ID in this realm. If there is such a user, it is updated; otherwise a user with this reference is created. Required, and unique within an import."
  ),
  user_type: describe(
    Schema.optionalKey(Choice(userTypes)),
    "The type of user: a person (`human`) or a program (`api`). Can't be changed. Default: `human`.",
    { default: "human" }
  ),
  state: userFieldsV2.state,
  email: userFieldsV2.email,
  email_verification: describe(
    Schema.optionalKey(Choice(emailVerifications)),
    "Whether the email is verified: unknown (`none`), requested by email (`requested`) or `verified`. The import itself sends no emails. Default: `none`.",
    { default: "none" }
  ),
  first_name: userFieldsV2.first_name,
  last_name: userFieldsV2.last_name,
  name: userFieldsV1.name,
  username: userFieldsV2.username,
  locale: userFieldsV2.locale,
  custom: custom("user"),
  created_at: time("at which the user was created; only for new users. Default: now."),
  last_login_at: time("at which the user last logged in; only for new users. Default, and null: never."),
  credentials: describe(
    maybe(List(RowCredential, MAX_CREDENTIALS)),
    "The user's credentials, at most 20 of each type. New credentials are added, and none are removed. A password is only replaced if it has not been used here yet. Default: none.",
    { maxItems: MAX_CREDENTIALS }
  ),
  memberships: describe(
    maybe(List(RowMembership, MAX_EXPANDED)),
    "The orgs that the user belongs to, up to 1,000. Memberships in these orgs are added or changed; memberships in other orgs don't change. Default: none.",
    { maxItems: MAX_EXPANDED }
  )
}).annotate({ problem: { code: "not_object" }, identifier: "UserRow" })
