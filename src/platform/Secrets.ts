import { createCipheriv, createDecipheriv, createSecretKey, hash, hkdfSync, type KeyObject } from "node:crypto"
import { Context, Data, Effect, Layer, Redacted } from "effect"
import { Entropy } from "./Entropy.ts"
import type { SecretLocation } from "./SecretLocation.ts"

interface Key {
  readonly id: string
  readonly secret: KeyObject
}

const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16
const ENVELOPE = /^v1\.([0-9a-f]{8})\.([\w-]+)$/

/** The length of the prefix `v1.<key id>.`, which identifies the encryption key. */
export const PREFIX_LENGTH = 12

/** How many unreadable secrets to remember, so that each is logged only once instead of at every read. */
const MAX_LOGGED = 1_000

/** The key that a value is encrypted with is not configured. */
class KeyMissing extends Error {
  readonly keyId: string
  constructor(keyId: string) {
    super(`its key ${keyId} is not configured`)
    this.keyId = keyId
  }
}

const keyOf = (text: string): Key => {
  if (text.length < 32) throw new Error("An encryption key must be at least 32 characters long.")
  const bytes = new Uint8Array(hkdfSync("sha256", text, "", "sallyport secrets at rest v1", 32))
  const id = hash("sha256", Buffer.concat([Buffer.from("sallyport key id v1\0"), bytes])).slice(0, 8)
  return { id, secret: createSecretKey(bytes) }
}

/** The id of an encryption key: a digest that identifies it without revealing it. */
export const keyIdOf = (text: string): string => keyOf(text).id

const additionalData = ({ table, column, row, realm }: SecretLocation) =>
  Buffer.from(JSON.stringify([table, column, row, realm]))

const encryptWith = (key: Key, nonce: Uint8Array, location: SecretLocation, plaintext: string): string => {
  const cipher = createCipheriv(algorithm, key.secret, nonce, { authTagLength: tagLength }).setAAD(
    additionalData(location)
  )
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()])
  return `v1.${key.id}.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64url")}`
}

const decryptWith = (keys: ReadonlyMap<string, Key>, location: SecretLocation, envelope: string): string => {
  const [, keyId = "", body = ""] = ENVELOPE.exec(envelope) ?? []
  const bytes = Buffer.from(body, "base64url")
  // Decoding is lenient. Without this check, several strings would decrypt to the same secret.
  if (bytes.length < nonceLength + tagLength || bytes.toString("base64url") !== body) {
    throw new Error("it is not an encrypted secret")
  }
  const key = keys.get(keyId)
  if (key === undefined) throw new KeyMissing(keyId)
  const decipher = createDecipheriv(algorithm, key.secret, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(additionalData(location))
    .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return decipher.update(bytes.subarray(nonceLength + tagLength), undefined, "utf8") + decipher.final("utf8")
}

/** The configured keys, in order, and indexed by id. */
const keyRingOf = (texts: ReadonlyArray<Redacted.Redacted>) => {
  const keys = texts.map((text) => keyOf(Redacted.value(text)))
  const [first] = keys
  if (first === undefined) throw new Error("No encryption key is configured.")
  return { keys, first, byId: new Map(keys.map((key) => [key.id, key])) }
}

const layers = new WeakMap<ReadonlyArray<Redacted.Redacted>, Layer.Layer<Secrets, never, Entropy>>()

/**
 * A secret that other data depends on cannot be decrypted. This is a defect, reported as 503 (C100). Replacing the secret
 * would make that data permanently unusable, even if the missing key is configured later.
 */
export class SecretUnavailable extends Data.TaggedError("SecretUnavailable")<{ readonly location: SecretLocation }> {}

/**
 * Encrypts stored secrets with AES-256-GCM. An encrypted secret is an envelope `v1.<key id>.<base64url of nonce, tag,
 * ciphertext>` (SEC-47).
 */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** Encrypts a string for its location, with the first key that all nodes have. */
    readonly encrypt: (location: SecretLocation, plaintext: string) => Effect.Effect<string>
    /**
     * Decrypts an envelope. Returns null and logs an error if the envelope was moved or modified, or if its key is not
     * configured (SEC-104). The caller decides how to continue without the secret.
     */
    readonly decrypt: (location: SecretLocation, envelope: string) => Effect.Effect<string | null>
    /**
     * The ids of keys that this node lacks but that were needed for values read since the start. Keys already known to be
     * lost are not included.
     */
    readonly missingKeys: Effect.Effect<ReadonlyArray<string>>
    /**
     * Sets the ids of keys that are not configured although stored values used them at the start. These values are
     * permanently lost.
     */
    setLostKeys(ids: ReadonlyArray<string>): void
    /** Forgets missing keys that stored values no longer use. `ids` are the keys that values use now. */
    retainMissingKeys(ids: ReadonlyArray<string>): void
    /** The ids of the configured keys, in the configured order. */
    readonly keyIds: ReadonlyArray<string>
    /** The id of the key used to encrypt new secrets. */
    readonly currentKeyId: string
    /** Replaces the keys with those of a new configuration. Dies if they are invalid, like the layer. */
    setKeys(texts: ReadonlyArray<Redacted.Redacted>): void
    /**
     * Sets the keys that all other nodes have too. New secrets are encrypted with the first configured key that is among
     * them, so that every node can decrypt them (C226). If there is none, the first configured key is used. `ids` is
     * undefined if nothing is known about other nodes.
     */
    setSharedKeys(ids: ReadonlySet<string> | undefined): void
    /** Sets the effect that looks for new keys. It runs when a value's key is not configured. */
    setReload(reload: Effect.Effect<void>): void
    /** The prefix of envelopes that are encrypted now. */
    readonly currentPrefix: string
    /**
     * The prefixes of envelopes encrypted with the other configured keys. When all of these are re-encrypted, the other
     * keys can be removed.
     */
    readonly olderPrefixes: ReadonlyArray<string>
  }
>()("sallyport/platform/Secrets") {
  /**
   * The first key is used to encrypt, and all keys to decrypt. Each key is a string of at least 32 characters. Dies if a
   * key is shorter or if there is no key (SEC-48). The same list always returns the same layer, so that it can be shared.
   */
  static readonly layer = (texts: ReadonlyArray<Redacted.Redacted>) => {
    const existing = layers.get(texts) ?? this.#make(texts)
    layers.set(texts, existing)
    return existing
  }

  static readonly #make = (texts: ReadonlyArray<Redacted.Redacted>): Layer.Layer<Secrets, never, Entropy> =>
    Layer.effect(
      Secrets,
      Effect.gen(function* () {
        const entropy = yield* Entropy
        let ring = keyRingOf(texts)
        let shared: ReadonlySet<string> | undefined
        let reload: Effect.Effect<void> = Effect.void

        const prefixOf = ({ id }: Key) => `v1.${id}.`
        const current = () => ring.keys.find(({ id }) => shared === undefined || shared.has(id)) ?? ring.first
        const logged = new Set<string>()
        const missing = new Set<string>()
        let lost: ReadonlySet<string> = new Set()

        const logUnreadable = ({ table, column, row }: SecretLocation, cause: unknown) =>
          Effect.suspend(() => {
            const keyId = cause instanceof KeyMissing ? cause.keyId : undefined
            // During a rotation, many values may need the same missing key, which is logged only once.
            const subject = keyId ?? `${table}.${column} ${row}`
            if (keyId !== undefined && !lost.has(keyId)) missing.add(keyId)
            if (logged.has(subject)) return Effect.void
            if (logged.size >= MAX_LOGGED) logged.clear()
            logged.add(subject)
            const why = cause instanceof Error ? cause.message : String(cause)
            return Effect.logError("An encrypted value can't be decrypted and reads as null.").pipe(
              Effect.annotateLogs({ table, column, row, cause: why })
            )
          })

        const tryToDecrypt = (location: SecretLocation, envelope: string) =>
          Effect.try({
            try: (): string | null => decryptWith(ring.byId, location, envelope),
            catch: (cause) => cause
          })

        const setKeys = (texts: ReadonlyArray<Redacted.Redacted>) => {
          ring = keyRingOf(texts)
          for (const id of ring.byId.keys()) {
            missing.delete(id)
            logged.delete(id)
          }
        }

        return Secrets.of({
          encrypt: (location, plaintext) =>
            Effect.sync(() => encryptWith(current(), entropy.bytes(nonceLength), location, plaintext)),
          decrypt: (location, envelope) =>
            tryToDecrypt(location, envelope).pipe(
              // Another node may have encrypted it with a key that has since been added to this node's file.
              Effect.catchIf(
                (cause) => cause instanceof KeyMissing,
                () => Effect.andThen(reload, tryToDecrypt(location, envelope))
              ),
              Effect.catch((cause) => Effect.as(logUnreadable(location, cause), null))
            ),
          setKeys,
          setSharedKeys: (ids) => {
            shared = ids
          },
          setReload: (effect) => {
            reload = effect
          },
          missingKeys: Effect.sync(() => [...missing]),
          setLostKeys: (ids) => {
            lost = new Set(ids)
            for (const id of ids) missing.delete(id)
          },
          retainMissingKeys: (ids) => {
            for (const id of missing) {
              if (ids.includes(id)) continue
              missing.delete(id)
              logged.delete(id)
            }
          },
          get keyIds() {
            return [...ring.byId.keys()]
          },
          get currentKeyId() {
            return current().id
          },
          get currentPrefix() {
            return prefixOf(current())
          },
          get olderPrefixes() {
            const { id } = current()
            return [...ring.byId.values()].flatMap((key) => (key.id === id ? [] : [prefixOf(key)]))
          }
        })
      })
    )
}
