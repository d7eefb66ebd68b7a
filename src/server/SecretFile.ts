import { chmodSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { Entropy } from "#platform/Entropy"
import { randomSecret } from "#platform/Tokens"
import type { Settings } from "./Config.ts"

/** The encryption key of an embedded database: generated once, stored beside the data, readable by its owner only (SEC-48). */
export const storedSecret = (dataDir: string, entropy: Entropy["Service"]): Effect.Effect<Redacted.Redacted> =>
  Effect.sync(() => {
    const file = join(dataDir, "secret")
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const temporary = `${file}.${randomSecret(entropy, 6)}`
    writeFileSync(temporary, randomSecret(entropy), { mode: 0o600, flush: true })
    try {
      // A link appears complete or not at all, and never replaces an existing file.
      linkSync(temporary, file)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    } finally {
      unlinkSync(temporary)
    }
    chmodSync(file, 0o600)
    return Redacted.make(readFileSync(file, "utf8").trim())
  })

/** The keys that encrypt secrets at rest: those of the configuration, else the one beside the embedded database. */
export const encryptionKeys = Effect.fnUntraced(function* ({ secrets, database: target }: Settings) {
  if (secrets.length > 0) return secrets
  const entropy = yield* Entropy
  // The key of a database in memory need not outlive the process.
  return [
    target._tag === "Embedded" ? yield* storedSecret(target.dataDir, entropy) : Redacted.make(randomSecret(entropy))
  ]
}, Effect.provide(Entropy.layer))
