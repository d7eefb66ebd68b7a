import { customOf } from "../Custom.ts"
import type { RowCredential, SourceRecord } from "../Row.ts"
import { isObject, objectOf, objectsOf, textOf } from "../Values.ts"
import {
  type Around,
  blockedFlag,
  custom,
  merge,
  type Preset,
  passwordHash,
  profile,
  text,
  time,
  verifiedFlag,
  wholeName
} from "./Preset.ts"

/** The providers of Auth0 that are providers here. */
const providers: Readonly<Record<string, RowCredential["credential_type"]>> = {
  "google-oauth2": "google",
  facebook: "facebook",
  github: "github",
  linkedin: "linkedin",
  slack: "slack",
  yahoo: "yahoo"
}

/** Auth0's own database, whose users have a password. */
const DATABASE = "auth0"

const profilesOf = (identities: unknown, around: Around) =>
  objectsOf(identities)
    .map((identity) => ({ provider: textOf(identity["provider"]) ?? "", id: textOf(identity["user_id"]) }))
    .filter(({ provider }) => provider !== DATABASE)
    .map((identity) => profile(providers[identity.provider], identity, around))
    .reduce(merge, {})

/** In its CSV each text begins with a quotation mark, so that a spreadsheet runs no formula. */
const unguarded = (record: SourceRecord): SourceRecord =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === "string" ? value.replace(/^'/, "") : value])
  )

/** The ID and the address of a user in the file of hashes, which writes both in ways of its own. */
const flatten: Preset["flatten"] = (record) => {
  if (!("passwordHash" in record))
    return "user_id" in record && !isObject(record["identities"]) ? unguarded(record) : record
  const { _id, alt_id: chosen, identifiers, ...rest } = record
  const id = textOf(chosen) ?? textOf(objectOf(_id)?.["$oid"]) ?? textOf(_id)
  const address = objectsOf(identifiers).find(({ type }) => type === "email")
  return {
    ...rest,
    ...(id === undefined ? {} : { user_id: `${DATABASE}|${id}` }),
    ...(textOf(rest["email"]) === undefined && address !== undefined
      ? { email: address["value"], email_verified: address["verified"] }
      : {})
  }
}

/** A users export (NDJSON or CSV), or the file of password hashes that Auth0's support sends: import both, in any order. */
export const auth0: Preset = {
  system: "Auth0",
  flatten,
  columns: {
    user_id: text("reference"),
    email: text("email"),
    email_verified: verifiedFlag,
    username: text("username"),
    given_name: text("first_name"),
    family_name: text("last_name"),
    name: (value, around) =>
      // Without a name Auth0 takes the address.
      textOf(value)?.includes("@") === true ? {} : wholeName("given_name", "family_name")(value, around),
    blocked: blockedFlag,
    created_at: time("created_at"),
    last_login: time("last_login_at"),
    phone_number: custom("phone_number"),
    user_metadata: (value) => ({ custom: customOf(objectOf(value)) }),
    app_metadata: (value) => ({ custom: customOf(objectOf(value)) }),
    identities: profilesOf,
    passwordHash
  },
  prefixes: {
    "user_metadata.": (name) => custom(name.replaceAll(/[^A-Za-z0-9_]/g, "_")),
    "app_metadata.": (name) => custom(name.replaceAll(/[^A-Za-z0-9_]/g, "_"))
  },
  unused: [
    "Id",
    "id",
    "connection",
    "tenant",
    "version",
    "nickname",
    "picture",
    "updated_at",
    "last_ip",
    "logins_count",
    "last_password_reset",
    "password_set_date",
    "multifactor",
    "multifactor_last_modified",
    "phone_verified",
    "provider",
    "_tmp_is_unique"
  ],
  lists: ["users"],
  passwords:
    "Auth0 gives the hashes in a file of their own, which its support sends: import that file as well, with the same preset."
}
