import { createCipheriv, createDecipheriv, createSecretKey, hash, hkdfSync, type KeyObject } from "node:crypto"
import { Context, Data, Effect, Layer, Redacted } from "effect"
import { Entropy } from "./Entropy.ts"
import type { Place } from "./SecretPlaces.ts"

interface Key {
  readonly id: string
  readonly secret: KeyObject
}

const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16
const envelope = /^v1\.([0-9a-f]{8})\.([\w-]+)$/

/** How many characters of an envelope say under which key it is: `v1.<key id>.`. */
export const PREFIX_LENGTH = 12

/** How many unreadable secrets are remembered, so that each is logged once and not at every read. */
const MOST_TOLD = 1_000

const keyOf = (text: string): Key => {
  if (text.length < 32) throw new Error("An encryption key must be at least 32 characters long.")
  const bytes = new Uint8Array(hkdfSync("sha256", text, "", "sallyport secrets at rest v1", 32))
  const id = hash("sha256", Buffer.concat([Buffer.from("sallyport key id v1\0"), bytes])).slice(0, 8)
  return { id, secret: createSecretKey(bytes) }
}

const boundTo = ({ table, column, row, realm }: Place) => Buffer.from(JSON.stringify([table, column, row, realm]))

const seal = (key: Key, nonce: Uint8Array, place: Place, plaintext: string): string => {
  const cipher = createCipheriv(algorithm, key.secret, nonce, { authTagLength: tagLength }).setAAD(boundTo(place))
  const ciphertext = Buffer.concat([cipher.update(plaintext, "utf8"), cipher.final()])
  return `v1.${key.id}.${Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString("base64url")}`
}

const open = (keys: ReadonlyMap<string, Key>, place: Place, sealed: string): string => {
  const [, keyId = "", body = ""] = envelope.exec(sealed) ?? []
  const bytes = Buffer.from(body, "base64url")
  // Decoding is lenient: without the comparison, several texts would open as one.
  if (bytes.length < nonceLength + tagLength || bytes.toString("base64url") !== body) {
    throw new Error("it is not an encrypted secret")
  }
  const key = keys.get(keyId)
  if (key === undefined) throw new Error(`its key ${keyId} is not configured`)
  const decipher = createDecipheriv(algorithm, key.secret, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(boundTo(place))
    .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return decipher.update(bytes.subarray(nonceLength + tagLength), undefined, "utf8") + decipher.final("utf8")
}

/**
 * A secret that everything under it depends on can't be opened: a defect that the surfaces answer as a database that is
 * away. Anything made in its place would make the old one worthless, also once its key is configured again.
 */
export class SecretUnavailable extends Data.TaggedError("SecretUnavailable")<{ readonly place: Place }> {}

/** Secrets at rest: AES-256-GCM in an envelope `v1.<key id>.<base64url of nonce, tag, ciphertext>` (SEC-47). */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** The envelope of a text, bound to its place, under the first key. */
    readonly seal: (place: Place, plaintext: string) => Effect.Effect<string>
    /**
     * The text of an envelope. Null, and a line in the log, when it was moved or changed, or when its key is not among the
     * configured ones (SEC-104): the caller decides what is left without it.
     */
    readonly open: (place: Place, sealed: string) => Effect.Effect<string | null>
    /** How the envelopes under the first key begin. */
    readonly currentPrefix: string
    /** How those under the other configured keys begin: open and seal them again to retire their keys. */
    readonly olderPrefixes: ReadonlyArray<string>
  }
>()("sallyport/platform/Secrets") {
  /** The first key seals, all open. A key is any text of 32 characters or more; fewer, or none: dies (SEC-48). */
  static readonly layer = (texts: ReadonlyArray<Redacted.Redacted>) =>
    Layer.effect(
      Secrets,
      Effect.gen(function* () {
        const entropy = yield* Entropy
        const keys = texts.map((text) => keyOf(Redacted.value(text)))
        const [first] = keys
        if (first === undefined) return yield* Effect.die(new Error("No encryption key is configured."))
        const byId = new Map(keys.map((key) => [key.id, key]))

        const prefixOf = ({ id }: Key) => `v1.${id}.`
        const told = new Set<string>()

        const tell = ({ table, column, row }: Place, cause: unknown) =>
          Effect.suspend(() => {
            const which = `${table}.${column} ${row}`
            if (told.has(which)) return Effect.void
            if (told.size >= MOST_TOLD) told.clear()
            told.add(which)
            const why = cause instanceof Error ? cause.message : String(cause)
            return Effect.logError("encrypted value can't be decrypted: it reads as null", { table, column, row, why })
          })

        return Secrets.of({
          seal: (place, plaintext) => Effect.sync(() => seal(first, entropy.bytes(nonceLength), place, plaintext)),
          open: (place, sealed) =>
            Effect.try({ try: (): string | null => open(byId, place, sealed), catch: (cause) => cause }).pipe(
              Effect.catch((cause) => Effect.as(tell(place, cause), null))
            ),
          currentPrefix: prefixOf(first),
          olderPrefixes: keys.slice(1).flatMap((key) => (key.id === first.id ? [] : [prefixOf(key)]))
        })
      })
    )
}
