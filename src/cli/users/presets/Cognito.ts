import type { RowCredential } from "../Row.ts"
import { objectsOf, textOf } from "../Values.ts"
import {
  authenticators,
  column,
  custom,
  customPrefix,
  enabledFlag,
  merge,
  notImported,
  type Preset,
  profile,
  text,
  time,
  verifiedFlag,
  wholeName
} from "./Preset.ts"

/** The supported identity providers, by their names in user pools. */
const providers: Readonly<Record<string, RowCredential["credential_type"]>> = {
  Google: "google",
  SignInWithApple: "apple",
  Facebook: "facebook"
}

/** The statuses in which users can't log in. */
const lockedStatuses: ReadonlySet<string> = new Set(["ARCHIVED", "COMPROMISED"])

const status = column("`state`: `ARCHIVED` and `COMPROMISED` are inactive", (value) =>
  lockedStatuses.has(textOf(value) ?? "") ? { state: "inactive" } : {}
)

/** Flattens the attributes of `list-users`, which are a list of names and values. */
const flatten: Preset["flatten"] = ({ Attributes, ...record }) => ({
  ...record,
  ...Object.fromEntries(objectsOf(Attributes).map(({ Name, Value }) => [textOf(Name) ?? "", Value]))
})

/** A CSV with a user pool's header, or the JSON of `aws cognito-idp list-users`. */
export const cognito: Preset = {
  system: "Cognito",
  flatten,
  marks: [["cognito:username"], ["Username", "UserStatus"]],
  columns: {
    "cognito:username": text("reference"),
    Username: text("reference"),
    Attributes: column("the columns below, one for each attribute", () => ({})),
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
    Enabled: enabledFlag,
    UserStatus: status,
    "cognito:user_status": status,
    identities: column("profiles at providers", (value, around) =>
      objectsOf(value)
        .map((one) => ({
          type: providers[textOf(one["providerType"]) ?? ""],
          provider: textOf(one["providerName"]) ?? "",
          id: textOf(one["userId"])
        }))
        .map((one) => profile(one.type, one, around))
        .reduce(merge, {})
    ),
    "cognito:mfa_enabled": authenticators,
    MFAOptions: authenticators,
    UserMFASettingList: authenticators,
    PreferredMfaSetting: notImported,
    UserLastModifiedDate: notImported,
    phone_number_verified: notImported,
    updated_at: notImported,
    middle_name: notImported,
    nickname: notImported,
    profile: notImported,
    picture: notImported,
    website: notImported,
    gender: notImported,
    birthdate: notImported,
    zoneinfo: notImported,
    address: notImported
  },
  prefixes: { "custom:": customPrefix },
  lists: ["Users"],
  passwords: "Cognito doesn't export password hashes."
}
