import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { Data, Effect, Redacted } from "effect"
import { ApiKeys } from "#core/access/ApiKeys"
import type { Settings } from "./Config.ts"
import { contentInShell, type GeneratedRootKey } from "./GeneratedRootKey.ts"

/** The file for a generated root key can't be written. No root key was created. */
export class RootKeyNotStored extends Data.TaggedError("RootKeyNotStored")<{ readonly message: string }> {}

/** The file for a root key: in the data folder or, for a database in memory, in a temporary folder. */
const fileFor = ({ database, dataDir }: Settings): string => {
  const folder = database._tag === "Memory" ? mkdtempSync(join(tmpdir(), "sallyport-")) : resolve(dataDir)
  return join(folder, "root_key")
}

/** Returns a shell expression for a root key that this start did not generate, or undefined if its location is unknown. */
export const knownRootKey = ({ rootKey, rootKeyFile, dataDir, database }: Settings): string | undefined => {
  if (rootKeyFile !== undefined) return contentInShell(resolve(rootKeyFile))
  if (rootKey !== undefined) return "$SALLYPORT_ROOT_KEY"
  const stored = resolve(dataDir, "root_key")
  return database._tag !== "Memory" && existsSync(stored) ? contentInShell(stored) : undefined
}

const why = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && cause.code === "EEXIST"
    ? "it exists and may contain the key of another database"
    : String(cause)

/** Writes a key to a new file that only its owner can read. */
const store = (file: string, key: Redacted.Redacted) =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, `${Redacted.value(key)}\n`, { mode: 0o600, flag: "wx", flush: true })
    },
    catch: (cause) =>
      new RootKeyNotStored({
        message: `The generated root key can't be written to ${file}: ${why(cause)}. Set SALLYPORT_ROOT_KEY, or let SALLYPORT_DATA_DIR name another folder.`
      })
  })

/**
 * Ensures that a root key exists (C71). On a terminal, a generated key is shown. Otherwise the output may go to a log,
 * which must not contain the key, so the key is stored in a file.
 */
export const ensureRootKey = Effect.fn("RootKey.ensure")(function* (config: Settings, isTerminal: boolean) {
  const { ensureRoot } = yield* ApiKeys
  if (isTerminal || config.rootKey !== undefined) {
    const key = yield* ensureRoot(config.rootKey)
    return key === undefined ? undefined : ({ _tag: "Shown", key } satisfies GeneratedRootKey)
  }
  let file: string | undefined
  const key = yield* ensureRoot(undefined, (key) =>
    Effect.suspend(() => {
      const path = fileFor(config)
      return Effect.map(store(path, key), () => {
        file = path
      })
    })
  ).pipe(Effect.onError(() => Effect.sync(() => file !== undefined && rmSync(file))))
  return key === undefined || file === undefined ? undefined : ({ _tag: "Stored", file } satisfies GeneratedRootKey)
})
