import { objectsOf, textOf } from "../Values.ts"
import { custom, enabledFlag, type Preset, text, time, verifiedFlag, wholeName } from "./Preset.ts"

/** The attributes of a user of `list-users`, which are a list of names and values, as columns. */
const flatten: Preset["flatten"] = ({ Attributes, ...record }) => ({
  ...record,
  ...Object.fromEntries(objectsOf(Attributes).map(({ Name, Value }) => [textOf(Name) ?? "", Value]))
})

/** A CSV with the header of a user pool, or the JSON of `aws cognito-idp list-users`. */
export const cognito: Preset = {
  system: "Cognito",
  flatten,
  columns: {
    "cognito:username": text("reference"),
    Username: text("reference"),
    sub: custom("cognito_sub"),
    email: text("email"),
    email_verified: verifiedFlag,
    given_name: text("first_name"),
    family_name: text("last_name"),
    name: wholeName("given_name", "family_name"),
    preferred_username: text("username"),
    locale: text("locale"),
    phone_number: custom("phone_number"),
    UserCreateDate: time("created_at"),
    Enabled: enabledFlag
  },
  unused: [
    "cognito:mfa_enabled",
    "cognito:user_status",
    "UserLastModifiedDate",
    "UserStatus",
    "identities",
    "phone_number_verified",
    "updated_at",
    "middle_name",
    "nickname",
    "profile",
    "website",
    "zoneinfo"
  ],
  prefixes: { "custom:": (name) => custom(name.replaceAll(/[^A-Za-z0-9_]/g, "_")) },
  lists: ["Users"],
  passwords: "Cognito gives no password hashes away."
}
