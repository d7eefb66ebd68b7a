import { canonicalEmail } from "#domain/Email"
import { customOf } from "../Custom.ts"
import type { Row, RowCredential, SourceRecord } from "../Row.ts"
import { isObject, objectOf, objectsOf, textOf, timeOfMillis } from "../Values.ts"
import {
  column,
  enabledFlag,
  merge,
  notImported,
  type Preset,
  password,
  profile,
  type ReadingContext,
  skips,
  text,
  time,
  verifiedFlag
} from "./Preset.ts"

/** The supported identity providers, by their Keycloak names. */
const providers: Readonly<Record<string, RowCredential["credential_type"]>> = {
  google: "google",
  apple: "apple",
  microsoft: "microsoft",
  facebook: "facebook",
  github: "github",
  linkedin: "linkedin",
  "linkedin-openid-connect": "linkedin"
}

/** PBKDF2 variants by their Keycloak names, with the digest's block length. */
const digests: Readonly<Record<string, readonly [name: string, bytes: number]>> = {
  pbkdf2: ["pbkdf2-sha1", 20],
  "pbkdf2-sha1": ["pbkdf2-sha1", 20],
  "pbkdf2-sha256": ["pbkdf2-sha256", 32],
  "pbkdf2-sha512": ["pbkdf2-sha512", 64]
}

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "")

/** Reads a parameter, which Keycloak writes as a list with one item. */
const parameter = (parameters: unknown, name: string): string | undefined => {
  const value = isObject(parameters) ? parameters[name] : undefined
  return textOf(Array.isArray(value) ? value[0] : value)
}

/** Converts a password hash to a PHC string. Returns undefined if the algorithm is unsupported. */
const hashOf = (data: SourceRecord, secret: SourceRecord): string | undefined => {
  const [algorithm = "", rounds] = [textOf(data["algorithm"]), textOf(data["hashIterations"])]
  const [salt, value] = [textOf(secret["salt"]), textOf(secret["value"])]
  if (salt === undefined || value === undefined || rounds === undefined) return undefined
  const [saltBytes, digest] = [Buffer.from(salt, "base64"), Buffer.from(value, "base64")]
  const pbkdf2 = digests[algorithm]
  if (pbkdf2 !== undefined) {
    // Keycloak always derives 64 bytes. The first block equals the hash that the function derives at its own length.
    return `$${pbkdf2[0]}$i=${rounds}$${unpadded(saltBytes)}$${unpadded(digest.subarray(0, pbkdf2[1]))}`
  }
  if (algorithm !== "argon2") return undefined
  const of = (name: string, otherwise: string) => parameter(data["additionalParameters"], name) ?? otherwise
  const version = of("version", "1.3") === "1.0" ? 16 : 19
  const cost = `m=${of("memory", "7168")},t=${rounds},p=${of("parallelism", "1")}`
  return `$argon2${of("type", "id")}$v=${version}$${cost}$${unpadded(saltBytes)}$${unpadded(digest)}`
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const base32 = (bytes: Uint8Array): string => {
  let bits = ""
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0")
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("")
}

/** Converts an authenticator app. Returns undefined if its codes are unsupported. */
const deviceOf = (label: unknown, data: SourceRecord, secret: SourceRecord): RowCredential | undefined => {
  const value = textOf(secret["value"])
  const isUsual =
    data["subType"] === "totp" &&
    Number(data["digits"] ?? 6) === 6 &&
    Number(data["period"] ?? 30) === 30 &&
    (textOf(data["algorithm"]) ?? "HmacSHA1") === "HmacSHA1"
  if (value === undefined || !isUsual) return undefined
  const otp = textOf(data["secretEncoding"]) === "BASE32" ? value : base32(Buffer.from(value))
  return { credential_type: "totp", name: textOf(label) ?? "Authenticator app", otp_secret: otp }
}

/**
 * Converts a credential to the format of Keycloak 8 and later. Earlier releases used the algorithm as the type, and had
 * no nested data.
 */
const current = (credential: SourceRecord): SourceRecord => {
  const { type, hashedSaltedValue: value, ...data } = credential
  if (value === undefined) return credential
  const isCode = type === "totp" || type === "hotp"
  return {
    type: isCode ? "otp" : type,
    userLabel: credential["device"],
    credentialData: { ...data, ...(isCode ? { subType: type } : {}) },
    secretData: { value, salt: credential["salt"] }
  }
}

const actionsOf = ({ requiredActions: actions }: SourceRecord): ReadonlyArray<string> =>
  Array.isArray(actions) ? actions.flatMap((one) => textOf(one) ?? []) : []

const credentialOf = (credential: SourceRecord, { countSkipped, record }: ReadingContext): Row => {
  // The password history only restricts future passwords.
  if (credential["type"] === "password-history") return {}
  const { type, userLabel, credentialData, secretData } = current(credential)
  const [data, secret] = [objectOf(credentialData) ?? {}, objectOf(secretData) ?? {}]
  if (type === "password") {
    if (credential["temporary"] === true || actionsOf(record).includes("UPDATE_PASSWORD")) {
      countSkipped({ what: "temporary_password" })
      return {}
    }
    const hash = hashOf(data, secret)
    if (hash !== undefined) return password(hash)
    countSkipped({ what: "password" })
    return {}
  }
  const device = type === "otp" ? deviceOf(userLabel, data, secret) : undefined
  if (device !== undefined) return { credentials: [device] }
  countSkipped({ what: "authenticator" })
  return {}
}

/** Required actions that other parts of the row already cover. */
const answered: ReadonlySet<string> = new Set(["UPDATE_PASSWORD", "VERIFY_EMAIL"])

const requiredActions = column(
  "`UPDATE_PASSWORD`: no password is imported; `VERIFY_EMAIL`: the email is unverified; other actions are counted",
  (_, { record, countSkipped }) => {
    for (const action of actionsOf(record)) if (!answered.has(action)) countSkipped({ what: "required_action", action })
    return {}
  }
)

/** Reads profiles at identity providers. `provider` and `id`: the members with the provider and the user's ID. */
const profiles = (provider: string, id: string) =>
  column("profiles at providers", (value, around) =>
    objectsOf(value)
      .map((one) => ({ provider: textOf(one[provider]) ?? "", id: textOf(one[id]) }))
      .map((one) => profile(providers[one.provider], one, around))
      .reduce(merge, {})
  )

/** Replaces each list of one text by the text. */
const attributesOf = (value: unknown): SourceRecord =>
  Object.fromEntries(
    Object.entries(objectOf(value) ?? {}).map(([name, one]) => [
      name,
      Array.isArray(one) && one.length === 1 ? one[0] : one
    ])
  )

/** The users of a realm export: `kc.sh export --users realm_file` or `different_files`. */
export const keycloak: Preset = {
  system: "Keycloak",
  marks: [
    ["username", "requiredActions"],
    ["username", "emailVerified"]
  ],
  columns: {
    id: text("reference"),
    username: column(
      "`username`, unless it is the email; `email` if the user has none and it is an email address",
      (value, around) => {
        const [name, email] = [textOf(value), textOf(around.record["email"])]
        if (name !== undefined && email === undefined && canonicalEmail(name) !== undefined) return { email: name }
        return name === email ? {} : text("username").read(value, around)
      }
    ),
    email: text("email"),
    emailVerified: column(verifiedFlag.becomes, (value, around) =>
      // A username that is an email address was never verified.
      verifiedFlag.read(
        actionsOf(around.record).includes("VERIFY_EMAIL") || textOf(around.record["email"]) === undefined
          ? false
          : value,
        around
      )
    ),
    firstName: text("first_name"),
    lastName: text("last_name"),
    enabled: enabledFlag,
    createdTimestamp: column(time("created_at").becomes, (value) => {
      const found = timeOfMillis(value)
      return found === undefined ? {} : { created_at: found }
    }),
    attributes: column("`custom`; `locale` becomes `locale`", (value) => {
      const { locale, ...rest } = attributesOf(value)
      return { custom: customOf(rest), ...(typeof locale === "string" ? { locale } : {}) }
    }),
    credentials: column(
      "passwords and authenticator apps; other credentials are counted as second factors",
      (value, around) =>
        objectsOf(value)
          .map((one) => credentialOf(one, around))
          .reduce(merge, {})
    ),
    federatedIdentities: profiles("identityProvider", "userId"),
    socialLinks: profiles("socialProvider", "socialUserId"),
    requiredActions,
    federationLink: column(
      "not imported, but counted as a profile, because the password is in the directory",
      (value, { countSkipped }) => {
        const provider = textOf(value)
        if (provider !== undefined) countSkipped({ what: "profile", provider: `directory ${provider}` })
        return {}
      }
    ),
    serviceAccountClientId: skips("service accounts"),
    serviceAccountClientLink: skips("service accounts"),
    realmRoles: notImported,
    clientRoles: notImported,
    applicationRoles: notImported,
    groups: notImported,
    clientConsents: notImported,
    notBefore: notImported,
    totp: notImported,
    disableableCredentialTypes: notImported,
    access: notImported,
    origin: notImported,
    self: notImported,
    userProfileMetadata: notImported
  },
  skipReasonOf: ({ serviceAccountClientId: client, serviceAccountClientLink: link }) =>
    textOf(client ?? link) === undefined ? undefined : "program",
  lists: ["users"]
}
