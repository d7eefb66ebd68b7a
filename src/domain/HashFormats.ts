import { bcryptBytes, bytes, padded, phpassBytes, phpassDigit, unpadded, utf8 } from "./HashBytes.ts"
import type { Argon2Hash, DigestName, HashProblem, ParsedHash, ScryptCost } from "./ParsedHash.ts"

/** A way to write a password hash. */
export interface Format {
  readonly pattern: RegExp
  /** What the groups of the pattern say. A group that took no part is undefined, so each has a default. */
  readonly read: (groups: ReadonlyArray<string>) => ParsedHash | HashProblem
}

/** What a text is that no format takes. */
export const unsupported: HashProblem = { code: "unsupported_hash" }

const digestLengths = { sha1: 20, sha256: 32, sha512: 64 }
// Each format may take half a second at most, since a login may have to verify two forms of what was typed (SEC-89;
// docs/performance.md has the times). Django's own number of iterations grows with each release.
const mostIterations = { sha1: 2_000_000, sha256: 2_000_000, sha512: 1_000_000 }
const MOST_OF_ARGON2 = 3 * 2 ** 18
const MOST_OF_BCRYPT = 13
const MOST_OF_SCRYPT = 2 ** 20
// Its rounds are computed on the main thread, and each takes longer with a longer password.
const MOST_OF_PHPASS = 2 ** 15
const names = ["sha1", "sha256", "sha512"] as const

/** A parameter under the format's own name for it, and what it may be. */
type Bound = readonly [parameter: string, value: number, least: number, most: number]

/** The hash, or the first parameter that is beyond its bounds; one that depends on others comes after them. */
const checked = <Hash extends ParsedHash>(
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
const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`)

const argon2 = (type: Argon2Hash["type"]): Format => ({
  pattern: whole(
    String.raw`\$${type}(?:\$v=(16|19))?\$m=${number},t=${number},p=${number}\$${unpadded()}\$${unpadded()}`
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
      salt: bytes(salt),
      digest: bytes(digest)
    }
    const bounds: ReadonlyArray<Bound> = [
      ["p", lanes, 1, 8],
      ["m", memory, 8 * lanes, 262_144],
      ["t", passes, 1, 10],
      ["m*t", memory * passes, 8, MOST_OF_ARGON2],
      ["len(salt)", hash.salt.length, 8, 48],
      ["len(digest)", hash.digest.length, 16, 64]
    ]
    return checked(type, bounds, hash)
  }
})

const bcrypt: Format = {
  pattern: whole(String.raw`\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})`),
  read: ([cost, salt = "", digest = ""]) =>
    checked("bcrypt", [["cost", Number(cost), 4, MOST_OF_BCRYPT]], {
      format: "bcrypt",
      cost: Number(cost),
      salt: bcryptBytes(salt),
      digest: bcryptBytes(digest)
    })
}

const saltBound = (salt: Uint8Array): Bound => ["len(salt)", salt.length, 1, 128]

// RFC 7914 asks for N < 2^(16r). It takes 128 * N * r bytes: 2^20 are 128 MiB.
const scryptBounds = (log2: string, { N, r, p }: ScryptCost, salt: Uint8Array): ReadonlyArray<Bound> => [
  ["r", r, 1, 64],
  ["p", p, 1, 16],
  [log2, Math.log2(N), 1, 16 * r - 1],
  ["N*r*p", N * r * p, 1, MOST_OF_SCRYPT],
  saltBound(salt)
]

const scrypt: Format = {
  pattern: whole(String.raw`\$scrypt\$ln=${number},r=${number},p=${number}\$${unpadded()}={0,2}\$${unpadded()}={0,2}`),
  read: ([log2, r, p, salt = "", digest = ""]) => {
    const cost = { N: 2 ** Number(log2), r: Number(r), p: Number(p) }
    const hash: ParsedHash = { format: "scrypt", cost, salt: bytes(salt), digest: bytes(digest) }
    if (hash.digest.length !== 32 && hash.digest.length !== 64) return unsupported
    return checked("scrypt", scryptBounds("ln", cost, hash.salt), hash)
  }
}

const eitherAlphabet = padded("[A-Za-z0-9+/_-]")

/** As GoTrue writes what Firebase exports: there salt and digest are base64 for URLs. */
const firebase: Format = {
  pattern: whole(
    String.raw`\$fbscrypt\$v=1,n=${number},r=${number},p=${number}(?:,ss=${eitherAlphabet})?,sk=${eitherAlphabet}` +
      String.raw`\$${eitherAlphabet}\$${eitherAlphabet}`
  ),
  read: ([log2, r, p, separator = "", signerKey = "", salt = "", digest = ""]) => {
    const cost = { N: 2 ** Number(log2), r: Number(r), p: Number(p) }
    const hash = {
      format: "firebase" as const,
      cost,
      separator: bytes(separator),
      signerKey: bytes(signerKey),
      salt: bytes(salt),
      digest: bytes(digest)
    }
    if (hash.digest.length !== hash.signerKey.length || hash.digest.length < 16) return unsupported
    return checked("fbscrypt", scryptBounds("n", cost, hash.salt), hash)
  }
}

const pbkdf2Hash = (digestName: DigestName, rounds: string | undefined, salt: Uint8Array, digest: Uint8Array) => {
  const iterations = Number(rounds)
  const bounds: ReadonlyArray<Bound> = [
    ["iterations", iterations, 1, mostIterations[digestName]],
    ["len(digest)", digest.length, 16, digestLengths[digestName]],
    saltBound(salt)
  ]
  return checked(`pbkdf2-${digestName}`, bounds, { format: "pbkdf2", digestName, iterations, salt, digest })
}

const passlib64 = unpadded("[A-Za-z0-9+/.]")

/** As passlib writes it, and as a PHC string: `i` iterations, and `l` where the digest is not of full length. */
const pbkdf2 = (name: DigestName): Format => ({
  pattern: whole(
    String.raw`\$pbkdf2${name === "sha1" ? "(?:-sha1)?" : `-${name}`}\$(?:i=)?${number}(?:,l=${number})?` +
      String.raw`\$${passlib64}={0,2}\$${passlib64}={0,2}`
  ),
  read: ([iterations, length, salt = "", text = ""]) => {
    const digest = bytes(text)
    const full = digestLengths[name]
    return digest.length === (length === undefined ? full : Number(length))
      ? pbkdf2Hash(name, iterations, bytes(salt), digest)
      : unsupported
  }
})

/** As Django writes it: the salt is text. */
const django = (name: DigestName): Format => ({
  pattern: whole(String.raw`pbkdf2_${name}\$${number}\$([!-#%-~]+)\$${padded()}`),
  read: ([iterations, salt = "", text = ""]) => {
    const digest = bytes(text)
    return digest.length === digestLengths[name] ? pbkdf2Hash(name, iterations, utf8(salt), digest) : unsupported
  }
})

const phpass: Format = {
  pattern: whole(String.raw`\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{21}[./01])`),
  read: ([log2 = "", salt = "", digest = ""]) =>
    checked("phpass", [["rounds", 2 ** phpassDigit(log2), 2 ** 7, MOST_OF_PHPASS]], {
      format: "phpass",
      rounds: 2 ** phpassDigit(log2),
      salt: utf8(salt),
      digest: phpassBytes(digest)
    })
}

/** RFC 2307: the digest, then the salt. */
const ssha = (name: DigestName): Format => ({
  pattern: whole(`\\{SSHA${name === "sha1" ? "" : name.slice(3)}\\}${padded()}`),
  read: ([text = ""]) => {
    const both = bytes(text)
    const length = digestLengths[name]
    const [digest, salt] = [both.subarray(0, length), both.subarray(length)]
    if (salt.length === 0) return unsupported
    return checked("SSHA", [["len(salt)", salt.length, 4, 64]], { format: "ssha", digestName: name, salt, digest })
  }
})

/** Every form of a password hash that is accepted (decision 22): no text matches two of them. */
export const formats: ReadonlyArray<Format> = [
  ...(["argon2id", "argon2i", "argon2d"] as const).map(argon2),
  bcrypt,
  scrypt,
  ...names.flatMap((name) => [pbkdf2(name), django(name), ssha(name)]),
  phpass,
  firebase
]
