import { customOf } from "../Custom.ts"
import type { RowCredential } from "../Row.ts"
import { flagOf, objectOf, objectsOf, textOf, timeOf } from "../Values.ts"
import {
  authenticators,
  column,
  custom,
  lockedUntil,
  merge,
  notImported,
  type Preset,
  passwordHash,
  profile,
  type Reading,
  skips,
  text,
  time,
  verifiedAt,
  wholeName
} from "./Preset.ts"

const nameMembers = ["first_name", "last_name", "given_name", "family_name"]

/** Reads the user metadata. Names are imported as names, and everything else as custom attributes. */
const readUserMetadata: Reading = (value, around) => {
  const found = objectOf(value)
  if (found === undefined) return {}
  const { email: _, email_verified: __, phone_verified: ___, sub: ____, full_name: whole, ...rest } = found
  const [first, last] = [
    textOf(found["first_name"] ?? found["given_name"]),
    textOf(found["last_name"] ?? found["family_name"])
  ]
  const names = wholeName(...nameMembers).read(whole ?? found["name"], { ...around, record: found })
  const others = Object.fromEntries(Object.entries(rest).filter(([name]) => ![...nameMembers, "name"].includes(name)))
  return merge(
    {
      ...names,
      ...(first === undefined ? {} : { first_name: first }),
      ...(last === undefined ? {} : { last_name: last })
    },
    { custom: customOf(others) }
  )
}

/** The supported identity providers, by their Supabase names. */
const providers: Readonly<Record<string, RowCredential["credential_type"]>> = {
  google: "google",
  apple: "apple",
  azure: "microsoft",
  facebook: "facebook",
  github: "github",
  linkedin: "linkedin",
  linkedin_oidc: "linkedin",
  slack: "slack",
  slack_oidc: "slack"
}

/** Login methods that aren't profiles at a provider. */
const ownMethods: ReadonlySet<string> = new Set(["email", "phone"])

/** The profiles of a user in the API's format. */
const identities = column("profiles at providers", (value, around) =>
  objectsOf(value)
    .map((one) => ({
      provider: textOf(one["provider"]) ?? "",
      id: textOf(objectOf(one["identity_data"])?.["sub"] ?? one["provider_id"] ?? one["id"])
    }))
    .filter(({ provider }) => !ownMethods.has(provider))
    .map((one) => profile(providers[one.provider], one, around))
    .reduce(merge, {})
)

/**
 * The app metadata, which only the server can write. It lists a user's providers, but the IDs there are in the table
 * auth.identities.
 */
const appMetadata = column(
  "`custom`; its `providers` are counted as profiles, because their IDs are missing",
  (value, around) => {
    const { provider, providers: all, ...rest } = objectOf(value) ?? {}
    const names = (Array.isArray(all) ? all : [provider]).map(textOf)
    if (objectsOf(around.record["identities"]).length === 0) {
      for (const name of names) {
        if (name !== undefined && !ownMethods.has(name)) around.countSkipped({ what: "profile", provider: name })
      }
    }
    return { custom: customOf(rest) }
  }
)

const userMetadata = column("names, and `custom` with nested objects flattened", readUserMetadata)

/** The Supabase table auth.users as CSV or JSON, or users from Supabase's API. */
export const supabase: Preset = {
  system: "Supabase",
  marks: [["raw_user_meta_data"], ["instance_id", "encrypted_password"], ["aud", "user_metadata"]],
  columns: {
    id: text("reference"),
    email: text("email"),
    encrypted_password: passwordHash,
    email_confirmed_at: verifiedAt,
    last_sign_in_at: time("last_login_at"),
    created_at: time("created_at"),
    raw_user_meta_data: userMetadata,
    user_metadata: userMetadata,
    raw_app_meta_data: appMetadata,
    app_metadata: appMetadata,
    identities,
    phone: custom("phone_number"),
    banned_until: lockedUntil("banned_until"),
    factors: authenticators,
    is_anonymous: skips("guests"),
    deleted_at: skips("deleted users"),
    instance_id: notImported,
    aud: notImported,
    role: notImported,
    invited_at: notImported,
    confirmation_token: notImported,
    confirmation_sent_at: notImported,
    recovery_token: notImported,
    recovery_sent_at: notImported,
    email_change_token_new: notImported,
    email_change: notImported,
    new_email: notImported,
    new_phone: notImported,
    email_change_sent_at: notImported,
    is_super_admin: notImported,
    updated_at: notImported,
    phone_confirmed_at: notImported,
    phone_change: notImported,
    phone_change_token: notImported,
    phone_change_sent_at: notImported,
    confirmed_at: notImported,
    email_change_token_current: notImported,
    email_change_confirm_status: notImported,
    reauthentication_token: notImported,
    reauthentication_sent_at: notImported,
    is_sso_user: notImported
  },
  skipReasonOf: ({ deleted_at: deleted, is_anonymous: isAnonymous }) => {
    if (timeOf(deleted) !== undefined) return "deleted"
    return flagOf(isAnonymous) ? "guest" : undefined
  },
  lists: ["users"]
}
