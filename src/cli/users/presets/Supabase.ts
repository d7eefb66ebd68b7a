import { customOf } from "../Custom.ts"
import { flagOf, objectOf, textOf, timeOf } from "../Values.ts"
import { custom, merge, type Preset, passwordHash, text, time, verifiedAt, wholeName } from "./Preset.ts"

const nameMembers = ["first_name", "last_name", "given_name", "family_name"]

/** What apps keep of a user: names become names, the rest custom attributes. */
const userMetadata: Preset["columns"][string] = (value, around) => {
  const found = objectOf(value)
  if (found === undefined) return {}
  const { email: _, email_verified: __, phone_verified: ___, sub: ____, full_name: whole, ...rest } = found
  const [first, last] = [
    textOf(found["first_name"] ?? found["given_name"]),
    textOf(found["last_name"] ?? found["family_name"])
  ]
  const names = wholeName(...nameMembers)(whole ?? found["name"], { ...around, record: found })
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

/** The table auth.users of Supabase, as CSV or JSON. */
export const supabase: Preset = {
  system: "Supabase",
  columns: {
    id: text("reference"),
    email: text("email"),
    encrypted_password: passwordHash,
    email_confirmed_at: verifiedAt,
    last_sign_in_at: time("last_login_at"),
    created_at: time("created_at"),
    raw_user_meta_data: userMetadata,
    phone: custom("phone_number"),
    // A ban until some year that nobody lives to see is what Supabase calls a ban for good.
    banned_until: (value) => (/^(9999|2[1-9]\d\d|infinity)/.test(textOf(value) ?? "") ? { state: "inactive" } : {})
  },
  passes: ({ deleted_at: deleted, is_anonymous: isAnonymous }) => {
    if (timeOf(deleted) !== undefined) return "deleted"
    return flagOf(isAnonymous) ? "guest" : undefined
  },
  unused: [
    "deleted_at",
    "is_anonymous",
    "instance_id",
    "aud",
    "role",
    "invited_at",
    "confirmation_token",
    "confirmation_sent_at",
    "recovery_token",
    "recovery_sent_at",
    "email_change_token_new",
    "email_change",
    "email_change_sent_at",
    "raw_app_meta_data",
    "is_super_admin",
    "updated_at",
    "phone_confirmed_at",
    "phone_change",
    "phone_change_token",
    "phone_change_sent_at",
    "confirmed_at",
    "email_change_token_current",
    "email_change_confirm_status",
    "reauthentication_token",
    "reauthentication_sent_at",
    "is_sso_user"
  ],
  lists: ["users"]
}
