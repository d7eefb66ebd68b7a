import { customOf } from "../Custom.ts"
import type { RowCredential } from "../Row.ts"
import { objectOf, objectsOf, textOf, timeOfMillis } from "../Values.ts"
import {
  authenticators,
  blockedFlag,
  column,
  custom,
  merge,
  notImported,
  type Preset,
  partOf,
  password,
  profile,
  text,
  time,
  verifiedFlag,
  wholeName
} from "./Preset.ts"

/** The supported identity providers, by their Firebase names. */
const providers: Readonly<Record<string, RowCredential["credential_type"]>> = {
  "google.com": "google",
  "apple.com": "apple",
  "microsoft.com": "microsoft",
  "facebook.com": "facebook",
  "github.com": "github"
}

const millis = (member: "created_at" | "last_login_at") =>
  column(time(member).becomes, (value) => {
    const found = timeOfMillis(value)
    return found === undefined ? {} : { [member]: found }
  })

/** The password hash. The service verifies Firebase hashes with the project's parameters. */
const hash = column("the password, with `--firebase-hash`", (value, { record, options, countSkipped }) => {
  const [digest, salt] = [textOf(value), textOf(record["salt"])]
  if (digest === undefined) return {}
  if (options.firebaseHash !== undefined && salt !== undefined)
    return password(`${options.firebaseHash}$${salt}$${digest}`)
  countSkipped({ what: "password" })
  return {}
})

const providerColumns = (name: string): ReadonlyArray<string> => [
  `${name}_id`,
  `${name}_email`,
  `${name}_name`,
  `${name}_photo`
]

const idAt = (provider: string) =>
  column("the profile at the provider", (value, around) =>
    profile(providers[provider], { provider, id: textOf(value) }, around)
  )

/** The entries of `providerUserInfo` that aren't profiles. Their data is in separate columns. */
const ownMethods: ReadonlySet<string> = new Set(["password", "phone"])

/** The output of `firebase auth:export`, as JSON or CSV. */
export const firebase: Preset = {
  system: "Firebase",
  marks: [["localId"]],
  columns: {
    localId: text("reference"),
    email: text("email"),
    emailVerified: verifiedFlag,
    passwordHash: hash,
    displayName: wholeName(),
    disabled: blockedFlag,
    createdAt: millis("created_at"),
    lastSignedInAt: millis("last_login_at"),
    phoneNumber: custom("phone_number"),
    customAttributes: column("`custom`, with nested objects flattened", (value) => ({
      custom: customOf(objectOf(value))
    })),
    providerUserInfo: column("profiles at providers", (value, around) =>
      objectsOf(value)
        .map((info) => ({ provider: textOf(info["providerId"]) ?? "", id: textOf(info["rawId"]) }))
        .filter(({ provider }) => !ownMethods.has(provider))
        .map((info) => profile(providers[info.provider], info, around))
        .reduce(merge, {})
    ),
    mfaInfo: authenticators,
    google_id: idAt("google.com"),
    facebook_id: idAt("facebook.com"),
    twitter_id: idAt("twitter.com"),
    github_id: idAt("github.com"),
    salt: partOf("passwordHash"),
    photoUrl: notImported,
    tenantId: notImported,
    ...Object.fromEntries(
      ["google", "facebook", "twitter", "github"].flatMap((name) =>
        providerColumns(name)
          .slice(1)
          .map((one) => [one, notImported])
      )
    )
  },
  header: [
    "localId",
    "email",
    "emailVerified",
    "passwordHash",
    "salt",
    "displayName",
    "photoUrl",
    ...["google", "facebook", "twitter", "github"].flatMap(providerColumns),
    "createdAt",
    "lastSignedInAt",
    "phoneNumber",
    "disabled",
    "customAttributes"
  ],
  lists: ["users"],
  passwords:
    "To import their passwords, use --firebase-hash FILE, a file with the hash_config from the Firebase console (Authentication, Users, ⋮, Password hash parameters)."
}

const member = (config: string, name: string): string | undefined =>
  new RegExp(`"?${name}"?\\s*[:=]\\s*"?([A-Za-z0-9+/=_-]+)`).exec(config)?.[1]

/**
 * Converts a project's `hash_config`, as shown in its console, to the prefix of its hashes. Returns undefined if it is
 * invalid.
 */
export const firebaseHashOf = (config: string): string | undefined => {
  const [key, separator, rounds, memory] = ["base64_signer_key", "base64_salt_separator", "rounds", "mem_cost"].map(
    (name) => member(config, name)
  )
  if (key === undefined || separator === undefined || rounds === undefined || memory === undefined) return undefined
  return `$fbscrypt$v=1,n=${memory},r=${rounds},p=1,ss=${separator},sk=${key}`
}
