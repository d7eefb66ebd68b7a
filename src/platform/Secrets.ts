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

/** The length of the prefix that names the encryption key: `v1.<key id>.`. */
export const PREFIX_LENGTH = 12

/** How many unreadable secrets are remembered, so that each is logged only once and not at every read. */
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

/** The id of an encryption key: a digest that identifies the key without revealing it. */
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
  // Decoding is lenient: without this check, several texts would decrypt to the same secret.
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

/** The configured keys, in order and by id. */
const keyRingOf = (texts: ReadonlyArray<Redacted.Redacted>) => {
  const keys = texts.map((text) => keyOf(Redacted.value(text)))
  const [first] = keys
  if (first === undefined) throw new Error("No encryption key is configured.")
  return { keys, first, byId: new Map(keys.map((key) => [key.id, key])) }
}

const layers = new WeakMap<ReadonlyArray<Redacted.Redacted>, Layer.Layer<Secrets, never, Entropy>>()

/**
 * A secret that other data depends on cannot be decrypted. This is a defect, reported as 503 (C100). A replacement would
 * invalidate that data, even after the missing key is configured again.
 */
export class SecretUnavailable extends Data.TaggedError("SecretUnavailable")<{ readonly location: SecretLocation }> {}

/**
 * Encrypts secrets at rest: AES-256-GCM in an envelope `v1.<key id>.<base64url of nonce, tag, ciphertext>` (SEC-47).
 */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** Encrypts a text with the first key that all nodes have, bound to its location. */
    readonly encrypt: (location: SecretLocation, plaintext: string) => Effect.Effect<string>
    /**
     * Decrypts an envelope. Returns null and logs an error if the envelope was moved or modified, or if its key is not
     * configured (SEC-104). The caller decides how to continue without the secret.
     */
    readonly decrypt: (location: SecretLocation, envelope: string) => Effect.Effect<string | null>
    /**
     * The ids of keys that this node does not have, and that values read since the start are encrypted with. Keys already known
     * to be lost are left out.
     */
    readonly missingKeys: Effect.Effect<ReadonlyArray<string>>
    /** Sets the keys that stored values used at the start but that are not configured. These values are permanently lost. */
    setLostKeys(ids: ReadonlyArray<string>): void
    /** Forgets missing keys that no stored value uses any more. `ids`: the keys that values are encrypted with now. */
    retainMissingKeys(ids: ReadonlyArray<string>): void
    /** The ids of the configured keys, in the order of the configuration. */
    readonly keyIds: ReadonlyArray<string>
    /** The id of the key that encrypts new secrets. */
    readonly currentKeyId: string
    /** Replaces the keys by those of a new configuration. Dies like the layer if they are invalid. */
    setKeys(texts: ReadonlyArray<Redacted.Redacted>): void
    /**
     * Sets the keys that all other nodes have too. The first configured key among them encrypts, so that no node meets a key
     * that it lacks (C226). If there is none, the first configured key encrypts. Undefined: nothing is known about other nodes.
     */
    setSharedKeys(ids: ReadonlySet<string> | undefined): void
    /** Sets the effect that looks for new keys. It runs when the key of a value is not configured. */
    setReload(reload: Effect.Effect<void>): void
    /** The prefix of newly encrypted envelopes. */
    readonly currentPrefix: string
    /**
     * The prefixes of envelopes encrypted with the other configured keys. Once all are re-encrypted, those keys can be
     * removed.
     */
    readonly olderPrefixes: ReadonlyArray<string>
  }
>()("sallyport/platform/Secrets") {
  /**
   * The first key encrypts; all of them decrypt. A key is a text of at least 32 characters. Dies if a key is shorter, or if
   * there is none (SEC-48). The same list always returns the same layer, so that it can be shared.
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
            // During a rotation, many values have the missing key: it is logged only once.
            const which = keyId ?? `${table}.${column} ${row}`
            if (keyId !== undefined && !lost.has(keyId)) missing.add(keyId)
            if (logged.has(which)) return Effect.void
            if (logged.size >= MAX_LOGGED) logged.clear()
            logged.add(which)
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
