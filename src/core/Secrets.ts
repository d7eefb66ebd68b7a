import { createCipheriv, createDecipheriv, createSecretKey, hash, hkdfSync, type KeyObject } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"
import { Entropy } from "./Entropy.ts"

/** Where a secret is kept. It opens in no other place (SEC-47). */
export interface Place {
  readonly table: string
  readonly column: string
  readonly row: string
  readonly realm: string | null
}

interface Key {
  readonly id: string
  readonly secret: KeyObject
}

const algorithm = "aes-256-gcm"
const nonceLength = 12
const tagLength = 16
const envelope = /^v1\.([0-9a-f]{8})\.([\w-]+)$/

const keyOf = (text: string): Key => {
  if (text.length < 32) throw new Error("An encryption key must have 32 characters or more.")
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
    throw new Error("it is not a sealed secret")
  }
  const key = keys.get(keyId)
  if (key === undefined) throw new Error(`its key ${keyId} is not among the configured ones`)
  const decipher = createDecipheriv(algorithm, key.secret, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
    .setAAD(boundTo(place))
    .setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
  return decipher.update(bytes.subarray(nonceLength + tagLength), undefined, "utf8") + decipher.final("utf8")
}

/** Secrets at rest: AES-256-GCM in an envelope `v1.<key id>.<base64url of nonce, tag, ciphertext>` (SEC-47). */
export class Secrets extends Context.Service<
  Secrets,
  {
    /** The envelope of a text, bound to its place, under the first key. */
    readonly seal: (place: Place, plaintext: string) => Effect.Effect<string>
    /** The text of an envelope. Dies when it was moved, changed, or sealed under a key no longer configured. */
    readonly open: (place: Place, sealed: string) => Effect.Effect<string>
    /** How the envelopes under the first key begin. */
    readonly currentPrefix: string
    /** Whether an envelope is under another key than the first: open and seal it again to retire its key. */
    readonly needsRewrap: (sealed: string) => boolean
  }
>()("sallyport/core/Secrets") {
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

        return Secrets.of({
          seal: (place, plaintext) => Effect.sync(() => seal(first, entropy.bytes(nonceLength), place, plaintext)),
          open: (place, sealed) =>
            Effect.try({
              try: () => open(byId, place, sealed),
              catch: (cause) => {
                const why = cause instanceof Error ? cause.message : String(cause)
                return new Error(`${place.table}.${place.column} of ${place.row} cannot be opened: ${why}`, { cause })
              }
            }).pipe(Effect.orDie),
          currentPrefix: `v1.${first.id}.`,
          needsRewrap: (sealed) => !sealed.startsWith(`v1.${first.id}.`)
        })
      })
    )
}
