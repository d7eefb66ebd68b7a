import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import type { Entropy } from "#core/Entropy"
import { secretText } from "#core/Tokens"

/** The encryption key of an embedded database: made once, kept beside the data for its owner only (SEC-48). */
export const keptSecret = (dataDir: string, entropy: Entropy["Service"]): Effect.Effect<Redacted.Redacted> =>
  Effect.sync(() => {
    const file = join(dataDir, "secret")
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(file, secretText(entropy), { mode: 0o600, flag: "wx" })
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error
    }
    chmodSync(file, 0o600)
    return Redacted.make(readFileSync(file, "utf8").trim())
  })
