import { chmodSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { Entropy } from "#platform/Entropy"
import { secretText } from "#platform/Tokens"
import type { Settings } from "./Config.ts"

/** The encryption key of an embedded database: made once, kept beside the data for its owner only (SEC-48). */
export const keptSecret = (dataDir: string, entropy: Entropy["Service"]): Effect.Effect<Redacted.Redacted> =>
  Effect.sync(() => {
    const file = join(dataDir, "secret")
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const written = `${file}.${secretText(entropy, 6)}`
    writeFileSync(written, secretText(entropy), { mode: 0o600, flush: true })
    try {
      // Whole or not at all, and never in place of one that is there.
      linkSync(written, file)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    } finally {
      unlinkSync(written)
    }
    chmodSync(file, 0o600)
    return Redacted.make(readFileSync(file, "utf8").trim())
  })

/** The keys that encrypt secrets at rest: those configured, else the one kept with the embedded database. */
export const encryptionKeys = Effect.fnUntraced(function* ({ secrets, database: target }: Settings) {
  if (secrets.length > 0) return secrets
  const entropy = yield* Entropy
  // Nothing outlives a database in memory, so neither need its key.
  return [target._tag === "Embedded" ? yield* keptSecret(target.dataDir, entropy) : Redacted.make(secretText(entropy))]
}, Effect.provide(Entropy.layer))
