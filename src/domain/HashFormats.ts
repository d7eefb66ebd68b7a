import { bcryptBytes, bytes, padded, phpassBytes, phpassDigit, unpadded, utf8 } from "./HashBytes.ts"
import type { Argon2Hash, DigestName, HashProblem, ParsedHash, ScryptCost } from "./ParsedHash.ts"

/** A way to write a password hash. */
export interface Format {
  readonly pattern: RegExp
  /** What the groups of the pattern say. A group that took no part is undefined, so each has a default. */
  readonly read: (groups: ReadonlyArray<string>) => ParsedHash | HashProblem
}

const digestLengths = { sha1: 20, sha256: 32, sha512: 64 }
// Half a second with SHA-1 and SHA-256, a second with SHA-512. Django's own number grows with each release.
const mostIterations = { sha1: 2_000_000, sha256: 2_000_000, sha512: 1_000_000 }
const names = ["sha1", "sha256", "sha512"] as const

const within = (value: number, least: number, most: number): boolean => value >= least && value <= most

const checked = (inBounds: boolean, hash: ParsedHash): ParsedHash | HashProblem =>
  inBounds ? hash : "hash_parameters_out_of_range"

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
    const cost = within(lanes, 1, 8) && within(memory, 8 * lanes, 262_144) && within(passes, 1, 10)
    return checked(cost && within(hash.salt.length, 8, 48) && within(hash.digest.length, 16, 64), hash)
  }
})

const bcrypt: Format = {
  pattern: whole(String.raw`\$2[aby]\$(\d\d)\$([./A-Za-z0-9]{22})([./A-Za-z0-9]{31})`),
  read: ([cost, salt = "", digest = ""]) =>
    checked(within(Number(cost), 4, 14), {
      format: "bcrypt",
      cost: Number(cost),
      salt: bcryptBytes(salt),
      digest: bcryptBytes(digest)
    })
}

// RFC 7914 asks for N < 2^(16r). It takes 128 * N * r bytes: 2^21 are 256 MiB, and about a second.
const affordable = (log2: number, { N, r, p }: ScryptCost): boolean =>
  within(r, 1, 64) && within(p, 1, 16) && within(log2, 1, 16 * r - 1) && N * r * p <= 2 ** 21

const saltBounded = (salt: Uint8Array): boolean => within(salt.length, 1, 128)

const scrypt: Format = {
  pattern: whole(String.raw`\$scrypt\$ln=${number},r=${number},p=${number}\$${unpadded()}={0,2}\$${unpadded()}={0,2}`),
  read: ([log2, r, p, salt = "", digest = ""]) => {
    const cost = { N: 2 ** Number(log2), r: Number(r), p: Number(p) }
    const hash: ParsedHash = { format: "scrypt", cost, salt: bytes(salt), digest: bytes(digest) }
    if (hash.digest.length !== 32 && hash.digest.length !== 64) return "unsupported_hash"
    return checked(affordable(Number(log2), cost) && saltBounded(hash.salt), hash)
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
    if (hash.digest.length !== hash.signerKey.length || hash.digest.length < 16) return "unsupported_hash"
    return checked(affordable(Number(log2), cost) && saltBounded(hash.salt), hash)
  }
}

const pbkdf2Hash = (digestName: DigestName, rounds: string | undefined, salt: Uint8Array, digest: Uint8Array) => {
  const iterations = Number(rounds)
  const bounded = within(iterations, 1, mostIterations[digestName]) && saltBounded(salt)
  return checked(bounded, { format: "pbkdf2", digestName, iterations, salt, digest })
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
    if (digest.length !== (length === undefined ? full : Number(length))) return "unsupported_hash"
    return within(digest.length, 16, full)
      ? pbkdf2Hash(name, iterations, bytes(salt), digest)
      : "hash_parameters_out_of_range"
  }
})

/** As Django writes it: the salt is text. */
const django = (name: DigestName): Format => ({
  pattern: whole(String.raw`pbkdf2_${name}\$${number}\$([!-#%-~]+)\$${padded()}`),
  read: ([iterations, salt = "", text = ""]) => {
    const digest = bytes(text)
    return digest.length === digestLengths[name] ? pbkdf2Hash(name, iterations, utf8(salt), digest) : "unsupported_hash"
  }
})

const phpass: Format = {
  pattern: whole(String.raw`\$[PH]\$([./0-9A-Za-z])([./0-9A-Za-z]{8})([./0-9A-Za-z]{21}[./01])`),
  read: ([log2 = "", salt = "", digest = ""]) =>
    checked(within(phpassDigit(log2), 7, 17), {
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
    if (salt.length === 0) return "unsupported_hash"
    return checked(within(salt.length, 4, 64), { format: "ssha", digestName: name, salt, digest })
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
