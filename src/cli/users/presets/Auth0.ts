import { customOf } from "../Custom.ts"
import type { RowCredential, SourceRecord } from "../Row.ts"
import { objectOf, objectsOf, textOf } from "../Values.ts"
import {
  authenticators,
  blockedFlag,
  column,
  custom,
  customPrefix,
  merge,
  notImported,
  type Preset,
  passwordHash,
  profile,
  type Reading,
  type ReadingContext,
  text,
  time,
  verifiedFlag,
  wholeName
} from "./Preset.ts"

/** The supported identity providers, by their Auth0 names. */
const providers: Readonly<Record<string, RowCredential["credential_type"]>> = {
  "google-oauth2": "google",
  apple: "apple",
  waad: "microsoft",
  facebook: "facebook",
  github: "github",
  linkedin: "linkedin",
  slack: "slack",
  yahoo: "yahoo"
}

/** Auth0's own database, whose users have passwords. */
const DATABASE = "auth0"

const profilesOf = (identities: unknown, around: ReadingContext) =>
  objectsOf(identities)
    .map((identity) => ({ provider: textOf(identity["provider"]) ?? "", id: textOf(identity["user_id"]) }))
    .filter(({ provider }) => provider !== DATABASE)
    .map((identity) => profile(providers[identity.provider], identity, around))
    .reduce(merge, {})

const [FORMULA, GUARD] = [/^'(?=[=+\-@\t\r])/, /^'/]

/**
 * Removes the apostrophes that Auth0 adds to CSV cells to prevent spreadsheets from running formulas. If the user ID
 * starts with an apostrophe, every text has one, because IDs never start with one themselves. Otherwise only texts that
 * look like formulas have one.
 */
const unguarded = (record: SourceRecord): SourceRecord => {
  const guard = textOf(record["user_id"])?.startsWith("'") === true ? GUARD : FORMULA
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, typeof value === "string" ? value.replace(guard, "") : value])
  )
}

/** Flattens the password hash file, where the user ID and email have their own formats. */
const flatten: Preset["flatten"] = (record) => {
  if (!("passwordHash" in record)) return record
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

/** Reads a profile from a CSV row, which has one column for each field of an identity (`identities[0].user_id`). */
const profileAt =
  (name: string): Reading =>
  (value, around) => {
    const [, index] = /^(\d+)\]\.user_id$/.exec(name) ?? []
    if (index === undefined) return {}
    return profilesOf([{ user_id: value, provider: around.record[`identities[${index}].provider`] }], around)
  }

const metadata = column("`custom`, with nested objects flattened", (value) => ({ custom: customOf(objectOf(value)) }))

/** A user export (NDJSON or CSV), or the password hash file from Auth0's support. Import both, in any order. */
export const auth0: Preset = {
  system: "Auth0",
  flatten,
  fromCells: unguarded,
  marks: [
    ["user_id", "identities"],
    ["user_id", "email_verified"],
    ["_id", "passwordHash"]
  ],
  columns: {
    user_id: text("reference"),
    email: text("email"),
    email_verified: verifiedFlag,
    username: text("username"),
    given_name: text("first_name"),
    family_name: text("last_name"),
    // Without a name, Auth0 uses the email as the name.
    name: column(wholeName().becomes, (value, around) =>
      textOf(value)?.includes("@") === true ? {} : wholeName("given_name", "family_name").read(value, around)
    ),
    blocked: blockedFlag,
    created_at: time("created_at"),
    last_login: time("last_login_at"),
    phone_number: custom("phone_number"),
    user_metadata: metadata,
    app_metadata: metadata,
    identities: column("profiles at providers", profilesOf),
    passwordHash,
    multifactor: authenticators,
    _id: column("`reference`, in the file of password hashes", () => ({})),
    alt_id: column("`reference`, in the file of password hashes", () => ({})),
    identifiers: column("`email` and `email_verification`, in the file of password hashes", () => ({})),
    Id: notImported,
    id: notImported,
    connection: notImported,
    tenant: notImported,
    version: notImported,
    nickname: notImported,
    picture: notImported,
    updated_at: notImported,
    last_ip: notImported,
    logins_count: notImported,
    last_password_reset: notImported,
    password_set_date: notImported,
    multifactor_last_modified: notImported,
    phone_verified: notImported,
    provider: notImported,
    _tmp_is_unique: notImported
  },
  prefixes: {
    "user_metadata.": customPrefix,
    "app_metadata.": customPrefix,
    "identities[": { becomes: "profiles at providers", read: profileAt }
  },
  lists: ["users"],
  passwords:
    "Auth0 provides the hashes in a separate file from its support. Import that file as well, with the same preset."
}
