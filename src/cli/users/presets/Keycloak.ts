import { customOf } from "../Custom.ts"
import type { Row, RowCredential, SourceRecord } from "../Row.ts"
import { isObject, objectOf, objectsOf, textOf, timeOfMillis } from "../Values.ts"
import { type Around, enabledFlag, merge, type Preset, password, profile, text, verifiedFlag } from "./Preset.ts"

/** The identity providers of Keycloak that are providers here. */
const providers: Readonly<Record<string, RowCredential["credential_type"]>> = {
  google: "google",
  facebook: "facebook",
  github: "github",
  linkedin: "linkedin",
  "linkedin-openid-connect": "linkedin"
}

/** PBKDF2 by its names in Keycloak, with the length of one block of the function. */
const digests: Readonly<Record<string, readonly [name: string, bytes: number]>> = {
  pbkdf2: ["pbkdf2-sha1", 20],
  "pbkdf2-sha1": ["pbkdf2-sha1", 20],
  "pbkdf2-sha256": ["pbkdf2-sha256", 32],
  "pbkdf2-sha512": ["pbkdf2-sha512", 64]
}

const unpadded = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "")

/** A parameter, which Keycloak writes as a list of one. */
const parameter = (parameters: unknown, name: string): string | undefined => {
  const value = isObject(parameters) ? parameters[name] : undefined
  return textOf(Array.isArray(value) ? value[0] : value)
}

/** The hash of a password as a PHC string; undefined if the service has no such algorithm. */
const hashOf = (data: SourceRecord, secret: SourceRecord): string | undefined => {
  const [algorithm = "", rounds] = [textOf(data["algorithm"]), textOf(data["hashIterations"])]
  const [salt, value] = [textOf(secret["salt"]), textOf(secret["value"])]
  if (salt === undefined || value === undefined || rounds === undefined) return undefined
  const [saltBytes, digest] = [Buffer.from(salt, "base64"), Buffer.from(value, "base64")]
  const pbkdf2 = digests[algorithm]
  if (pbkdf2 !== undefined) {
    // Keycloak has 64 bytes of each function. The first block alone is the same hash, of the function's own length.
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

/** An authenticator app; undefined if the service does not take its codes. */
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

const credentialOf = (credential: SourceRecord, { leaveOut }: Around): Row => {
  const [data, secret] = [objectOf(credential["credentialData"]) ?? {}, objectOf(credential["secretData"]) ?? {}]
  if (credential["type"] === "password") {
    const hash = hashOf(data, secret)
    if (hash !== undefined) return password(hash)
    leaveOut({ what: "password" })
    return {}
  }
  const device = credential["type"] === "otp" ? deviceOf(credential["userLabel"], data, secret) : undefined
  if (device !== undefined) return { credentials: [device] }
  leaveOut({ what: "authenticator" })
  return {}
}

/** A list of one text is that text. */
const attributesOf = (value: unknown): SourceRecord =>
  Object.fromEntries(
    Object.entries(objectOf(value) ?? {}).map(([name, one]) => [
      name,
      Array.isArray(one) && one.length === 1 ? one[0] : one
    ])
  )

/** The users of a realm's export: `kc.sh export --users realm_file` or `different_files`. */
export const keycloak: Preset = {
  system: "Keycloak",
  columns: {
    id: text("reference"),
    username: (value, around) =>
      textOf(value) === textOf(around.record["email"]) ? {} : text("username")(value, around),
    email: text("email"),
    emailVerified: verifiedFlag,
    firstName: text("first_name"),
    lastName: text("last_name"),
    enabled: enabledFlag,
    createdTimestamp: (value) => {
      const found = timeOfMillis(value)
      return found === undefined ? {} : { created_at: found }
    },
    attributes: (value) => {
      const { locale, ...rest } = attributesOf(value)
      return { custom: customOf(rest), ...(typeof locale === "string" ? { locale } : {}) }
    },
    credentials: (value, around) =>
      objectsOf(value)
        .map((one) => credentialOf(one, around))
        .reduce(merge, {}),
    federatedIdentities: (value, around) =>
      objectsOf(value)
        .map((one) => ({ provider: textOf(one["identityProvider"]) ?? "", id: textOf(one["userId"]) }))
        .map((one) => profile(providers[one.provider], one, around))
        .reduce(merge, {})
  },
  passes: ({ serviceAccountClientId: client }) => (textOf(client) === undefined ? undefined : "program"),
  unused: [
    "serviceAccountClientId",
    "totp",
    "disableableCredentialTypes",
    "requiredActions",
    "notBefore",
    "access",
    "clientConsents",
    "origin",
    "federationLink",
    "self",
    "socialLinks"
  ],
  lists: ["users"]
}
