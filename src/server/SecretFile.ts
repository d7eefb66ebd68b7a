import { chmodSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { Entropy } from "#platform/Entropy"
import { randomSecret } from "#platform/Tokens"
import type { Settings } from "./Config.ts"

/**
 * Returns the file with an embedded database's encryption key, in the data folder. During a rotation, it contains the
 * new key, a comma and the old key.
 */
export const secretFile = (dataDir: string): string => join(dataDir, "secret")

/** The keys in the text of a setting or file. The first one encrypts new secrets. */
export const keysIn = (text: string): ReadonlyArray<Redacted.Redacted> =>
  text.split(",").map((key) => Redacted.make(key.trim()))

/**
 * Returns the encryption keys of an embedded database. If there are none, generates one and stores it next to the data,
 * readable only by its owner (SEC-48).
 */
export const storedSecrets = (
  dataDir: string,
  entropy: Entropy["Service"]
): Effect.Effect<ReadonlyArray<Redacted.Redacted>> =>
  Effect.sync(() => {
    const file = secretFile(dataDir)
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const temporary = `${file}.${randomSecret(entropy, 6)}`
    writeFileSync(temporary, randomSecret(entropy), { mode: 0o600, flush: true })
    try {
      // Linking is atomic, and never replaces an existing file.
      linkSync(temporary, file)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    } finally {
      unlinkSync(temporary)
    }
    chmodSync(file, 0o600)
    return keysIn(readFileSync(file, "utf8"))
  })

/** Returns the keys that encrypt secrets at rest: from the settings, or else from the file next to the embedded database. */
export const encryptionKeys = Effect.fnUntraced(function* ({ secrets, database: target }: Settings) {
  if (secrets.length > 0) return secrets
  const entropy = yield* Entropy
  if (target._tag === "Embedded") return yield* storedSecrets(target.dataDir, entropy)
  // The key of a database in memory need not outlive the process.
  return [Redacted.make(randomSecret(entropy))]
}, Effect.provide(Entropy.layer))
