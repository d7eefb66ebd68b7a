import {
  decodeBase64,
  decodeBcryptBase64,
  decodePhpassDigest,
  encodeUtf8,
  paddedBase64,
  phpassDigitValue,
  unpaddedBase64
} from "./HashBytes.ts"
import type { Argon2Hash, DigestName, HashProblem, ParsedHash, ScryptCost } from "./ParsedHash.ts"

/** A text format for password hashes. */
export interface Format {
  readonly pattern: RegExp
  /** Parses the capture groups of a match. Groups that did not take part in the match are undefined, so give each a default. */
  readonly read: (groups: ReadonlyArray<string>) => ParsedHash | HashProblem
}

/** The names of the accepted formats, as shown to people. */
export const hashFormats =
  "argon2id, argon2i, argon2d, bcrypt, scrypt, PBKDF2 (SHA-1, SHA-256, SHA-512), SSHA, phpass, Firebase-scrypt"

/** The string matches no supported format. */
export const unsupportedHash: HashProblem = { code: "unsupported_hash", params: { accepted: hashFormats } }

const digestLengths = { sha1: 20, sha256: 32, sha512: 64 }
// One verification may take at most half a second, since a login may verify two forms of a password (SEC-89; times in
// docs/performance.md). The limits leave room for Django's iteration count, which grows with each release.
const maxIterations = { sha1: 2_000_000, sha256: 2_000_000, sha512: 1_000_000 }
const MAX_ARGON2_COST = 3 * 2 ** 18
const MAX_BCRYPT_COST = 13
const MAX_SCRYPT_COST = 2 ** 20
// phpass runs on the main thread, and each round takes longer for longer passwords.
const MAX_PHPASS_ROUNDS = 2 ** 15
const digestNames = ["sha1", "sha256", "sha512"] as const

/** A parameter under the format's own name, with its allowed range. */
type Bound = readonly [parameter: string, value: number, least: number, most: number]

/** Returns the hash, or the first parameter that is out of range. List each parameter before those that depend on it. */
const withinBounds = <Hash extends ParsedHash>(
  format: string,
  bounds: ReadonlyArray<Bound>,
  hash: Hash
): Hash | HashProblem => {
  const broken = bounds.find(([, value, least, most]) => !(value >= least && value <= most))
  if (broken === undefined) return hash
  const [parameter, , least, most] = broken
  return { code: "hash_parameters_out_of_range", params: { format, parameter, least, most } }
}

const number = String.raw`(0|[1-9]\d*)`
const anchoredPattern = (pattern: string): RegExp => new RegExp(`^${pattern}$`)

const argon2 = (type: Argon2Hash["type"]): Format => ({
  pattern: anchoredPattern(
    String.raw`\$${type}(?:\$v=(16|19))?\$m=${number},t=${number},p=${number}\$${unpaddedBase64()}\$${unpaddedBase64()}`
  ),
  read: ([version = "16", m, t, p, salt = "", digest = ""]) => {
    const [memory, passes, lanes] = [Number(m), Number(t), Number(p)]
    const hash: ParsedHash = {
      format: "argon2",
      type,
      version: Number(version),
      memory,
      passes,
      lanes,
      salt: decodeBase64(salt),
      digest: decodeBase64(digest)
    }
    const bounds: ReadonlyArray<Bound> = [
      ["p", lanes, 1, 8],
      ["m", memory, 8 * lanes, 262_144],
      ["t", passes, 1, 10],
      ["m*t", memory * passes, 8, MAX_ARGON2_COST],
      ["len(salt)", hash.salt.length, 8, 48],
      ["len(digest)", hash.digest.length, 16, 64]
    ]
    return withinBounds(type, bounds, hash)
  }
})

const bcrypt: Format = {
  pattern: anchoredPattern(String.raw`\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})`),
  read: ([cost, salt = "", digest = ""]) =>
    withinBounds("bcrypt", [["cost", Number(cost), 4, MAX_BCRYPT_COST]], {
      format: "bcrypt",
      cost: Number(cost),
      salt: decodeBcryptBase64(salt),
      digest: decodeBcryptBase64(digest)
    })
}

const saltBound = (salt: Uint8Array): Bound => ["len(salt)", salt.length, 1, 128]

// RFC 7914 requires N < 2^(16r). scrypt takes 128 * N * r bytes: 128 MiB for 2^20.
const scryptBounds = (log2: string, { N, r, p }: ScryptCost, salt: Uint8Array): ReadonlyArray<Bound> => [
  ["r", r, 1, 64],
  ["p", p, 1, 16],
  [log2, Math.log2(N), 1, 16 * r - 1],
  ["N*r*p", N * r * p, 1, MAX_SCRYPT_COST],
  saltBound(salt)
]

const scrypt: Format = {
  pattern: anchoredPattern(
    String.raw`\$scrypt\$ln=${number},r=${number},p=${number}\$${unpaddedBase64()}={0,2}\$${unpaddedBase64()}={0,2}`
  ),
  read: ([log2, r, p, salt = "", digest = ""]) => {
    const cost = { N: 2 ** Number(log2), r: Number(r), p: Number(p) }
    const hash: ParsedHash = { format: "scrypt", cost, salt: decodeBase64(salt), digest: decodeBase64(digest) }
    if (hash.digest.length !== 32 && hash.digest.length !== 64) return unsupportedHash
    return withinBounds("scrypt", scryptBounds("ln", cost, hash.salt), hash)
  }
}

const eitherAlphabet = paddedBase64("[A-Za-z0-9+/_-]")

/** Firebase's scrypt in GoTrue's format. Firebase exports the salt and digest in base64url. */
const firebase: Format = {
  pattern: anchoredPattern(
    String.raw`\$fbscrypt\$v=1,n=${number},r=${number},p=${number}(?:,ss=${eitherAlphabet})?,sk=${eitherAlphabet}` +
      String.raw`\$${eitherAlphabet}\$${eitherAlphabet}`
  ),
  read: ([log2, r, p, separator = "", signerKey = "", salt = "", digest = ""]) => {
    const cost = { N: 2 ** Number(log2), r: Number(r), p: Number(p) }
    const hash = {
      format: "firebase" as const,
      cost,
      separator: decodeBase64(separator),
      signerKey: decodeBase64(signerKey),
      salt: decodeBase64(salt),
      digest: decodeBase64(digest)
    }
    if (hash.digest.length !== hash.signerKey.length || hash.digest.length < 16) return unsupportedHash
    return withinBounds("fbscrypt", scryptBounds("n", cost, hash.salt), hash)
  }
}

const pbkdf2Hash = (digestName: DigestName, rounds: string | undefined, salt: Uint8Array, digest: Uint8Array) => {
  const iterations = Number(rounds)
  const bounds: ReadonlyArray<Bound> = [
    ["iterations", iterations, 1, maxIterations[digestName]],
    ["len(digest)", digest.length, 16, digestLengths[digestName]],
    saltBound(salt)
  ]
  return withinBounds(`pbkdf2-${digestName}`, bounds, { format: "pbkdf2", digestName, iterations, salt, digest })
}

const passlib64 = unpaddedBase64("[A-Za-z0-9+/.]")

/** PBKDF2 in passlib's format, or as a PHC string with `i` (iterations) and, for a shortened digest, `l`. */
const pbkdf2 = (name: DigestName): Format => ({
  pattern: anchoredPattern(
    String.raw`\$pbkdf2${name === "sha1" ? "(?:-sha1)?" : `-${name}`}\$(?:i=)?${number}(?:,l=${number})?` +
      String.raw`\$${passlib64}={0,2}\$${passlib64}={0,2}`
  ),
  read: ([iterations, length, salt = "", text = ""]) => {
    const digest = decodeBase64(text)
    const fullLength = digestLengths[name]
    return digest.length === (length === undefined ? fullLength : Number(length))
      ? pbkdf2Hash(name, iterations, decodeBase64(salt), digest)
      : unsupportedHash
  }
})

/** PBKDF2 in Django's format, with a text salt. */
const django = (name: DigestName): Format => ({
  pattern: anchoredPattern(String.raw`pbkdf2_${name}\$${number}\$([!-#%-~]+)\$${paddedBase64()}`),
  read: ([iterations, salt = "", text = ""]) => {
    const digest = decodeBase64(text)
    return digest.length === digestLengths[name]
      ? pbkdf2Hash(name, iterations, encodeUtf8(salt), digest)
      : unsupportedHash
  }
})

const phpass: Format = {
  pattern: anchoredPattern(String.raw`\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{21}[./01])`),
  read: ([log2 = "", salt = "", digest = ""]) =>
    withinBounds("phpass", [["rounds", 2 ** phpassDigitValue(log2), 2 ** 7, MAX_PHPASS_ROUNDS]], {
      format: "phpass",
      rounds: 2 ** phpassDigitValue(log2),
      salt: encodeUtf8(salt),
      digest: decodePhpassDigest(digest)
    })
}

/** SSHA (RFC 2307): the digest followed by the salt. */
const ssha = (name: DigestName): Format => ({
  pattern: anchoredPattern(`\\{SSHA${name === "sha1" ? "" : name.slice(3)}\\}${paddedBase64()}`),
  read: ([text = ""]) => {
    const bytes = decodeBase64(text)
    const length = digestLengths[name]
    const [digest, salt] = [bytes.subarray(0, length), bytes.subarray(length)]
    if (salt.length === 0) return unsupportedHash
    return withinBounds("SSHA", [["len(salt)", salt.length, 4, 64]], { format: "ssha", digestName: name, salt, digest })
  }
})

/** All accepted formats of password hashes (C22). No text matches more than one. */
export const formats: ReadonlyArray<Format> = [
  ...(["argon2id", "argon2i", "argon2d"] as const).map(argon2),
  bcrypt,
  scrypt,
  ...digestNames.flatMap((name) => [pbkdf2(name), django(name), ssha(name)]),
  phpass,
  firebase
]
