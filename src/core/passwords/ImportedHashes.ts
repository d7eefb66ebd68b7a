import { createCipheriv, hash as digestOf, pbkdf2, scrypt } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import { promisify } from "node:util"
import { hash as bcrypt } from "@node-rs/bcrypt"
import type { ForeignHash, ScryptCost } from "#domain/ParsedHash"
import { isParsed, parsePasswordHash } from "#domain/PasswordHash"
import { constantTimeEqual } from "#platform/Tokens"

type Of<Format> = Extract<ForeignHash, { readonly format: Format }>

const pbkdf2Async = promisify(pbkdf2)
const scryptAsync = promisify<Uint8Array, Uint8Array, number, object, Uint8Array>(scrypt)
const maximumMemory = 512 * 1024 * 1024

const scryptBytes = (password: Uint8Array, salt: Uint8Array, length: number, cost: ScryptCost): Promise<Uint8Array> =>
  scryptAsync(password, salt, length, { ...cost, maxmem: maximumMemory })

const bcryptDigest = async (password: Uint8Array, { cost, salt }: Of<"bcrypt">): Promise<Uint8Array> => {
  const computeDigest = parsePasswordHash(await bcrypt(password, cost, salt))
  return isParsed(computeDigest) ? computeDigest.digest : new Uint8Array()
}

// phpass accepts no longer passwords. It has no native implementation, so each round takes time on the main thread.
const MAX_PHPASS_PASSWORD_BYTES = 4_096
const ROUNDS_PER_TICK = 256

const phpassDigest = async (password: Uint8Array, { rounds, salt }: Of<"phpass">): Promise<Uint8Array> => {
  if (password.length > MAX_PHPASS_PASSWORD_BYTES) return new Uint8Array()
  let digest = digestOf("md5", Buffer.concat([salt, password]), "buffer")
  const input = Buffer.concat([digest, password])
  for (let round = 1; round <= rounds; round++) {
    input.set(digest)
    digest = digestOf("md5", input, "buffer")
    if (round % ROUNDS_PER_TICK === 0) await setImmediate()
  }
  return digest
}

const firebaseDigest = async (password: Uint8Array, hash: Of<"firebase">): Promise<Uint8Array> => {
  const key = await scryptBytes(password, Buffer.concat([hash.salt, hash.separator]), 32, hash.cost)
  return createCipheriv("aes-256-ctr", key, new Uint8Array(16)).update(hash.signerKey)
}

const computed = async (password: Uint8Array, hash: ForeignHash): Promise<Uint8Array> => {
  switch (hash.format) {
    case "bcrypt":
      return bcryptDigest(password, hash)
    case "scrypt":
      return scryptBytes(password, hash.salt, hash.digest.length, hash.cost)
    case "pbkdf2":
      return pbkdf2Async(password, hash.salt, hash.iterations, hash.digest.length, hash.digestName)
    case "phpass":
      return phpassDigest(password, hash)
    case "ssha":
      return digestOf(hash.digestName, Buffer.concat([password, hash.salt]), "buffer")
    case "firebase":
      return firebaseDigest(password, hash)
  }
}

/** Returns whether a hash from another system matches exactly this text (C22). The cost depends on the hash's parameters. */
export const verifyImportedHash = async (hash: ForeignHash, password: string): Promise<boolean> =>
  constantTimeEqual(await computed(Buffer.from(password), hash), hash.digest)
