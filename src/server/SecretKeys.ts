import { chmodSync, chownSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { Data, DateTime, Effect, Redacted } from "effect"
import { Entropy } from "#platform/Entropy"
import { keyIdOf } from "#platform/Secrets"
import { randomSecret } from "#platform/Tokens"
import type { Settings } from "./Config.ts"
import type { Environment } from "./EnvironmentReader.ts"
import { secretFile } from "./SecretFile.ts"

/** An encryption key. `createdAt`: its creation time in Unix milliseconds, or undefined if the key doesn't contain it. */
export interface EncryptionKey {
  readonly id: string
  readonly text: Redacted.Redacted
  readonly createdAt: number | undefined
}

/** The creation time at the start of a key generated for a rotation, in UTC. It shows which of two keys is newer. */
const STAMP = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-/

const createdAtOf = (text: string): number | undefined => {
  const parts = STAMP.exec(text)?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year = 0, month = 0, day, hour, minute, second] = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** Parses a key from the settings. */
export const keyOf = (text: Redacted.Redacted): EncryptionKey => ({
  id: keyIdOf(Redacted.value(text)),
  text,
  createdAt: createdAtOf(Redacted.value(text))
})

/** Generates a key that starts with its creation time. */
export const newKey = Effect.gen(function* () {
  const stamp = DateTime.formatIso(yield* DateTime.now).replace(/[-:]|\.\d+/g, "")
  return keyOf(Redacted.make(`${stamp}-${randomSecret(yield* Entropy)}`))
}).pipe(Effect.provide(Entropy.layer))

/** The location of a node's keys: a file, or environment variables. */
export type KeyPlace =
  | { readonly _tag: "Environment" }
  /** `ownDatabase`: whether the service created the file next to its embedded database. */
  | { readonly _tag: "File"; readonly path: string; readonly ownDatabase: boolean }

/** The location of this environment's keys. */
export const keyPlaceOf = (environment: Environment, { secrets, database }: Settings): KeyPlace => {
  const path = environment["SALLYPORT_SECRET_FILE"]?.trim() ?? ""
  if (path !== "") return { _tag: "File", path, ownDatabase: false }
  if (secrets.length > 0 || database._tag !== "Embedded") return { _tag: "Environment" }
  return { _tag: "File", path: secretFile(database.dataDir), ownDatabase: true }
}

/** The file with the keys can't be replaced. `message`: the system's error message. */
export class KeyFileFixed extends Data.TaggedError("KeyFileFixed")<{
  readonly path: string
  readonly message: string
}> {}

const PERMISSIONS = 0o777

const listOf = (keys: ReadonlyArray<EncryptionKey>) => `${keys.map(({ text }) => Redacted.value(text)).join(",")}\n`

/** Gives a new file the owner of another file. */
const ownAs = (file: string, { uid, gid }: { readonly uid: number; readonly gid: number }) => {
  const own = statSync(file)
  if (own.uid !== uid || own.gid !== gid) chownSync(file, uid, gid)
}

const attempt = <A>(path: string, work: () => A): Effect.Effect<A, KeyFileFixed> =>
  Effect.try({
    try: work,
    catch: (cause) => new KeyFileFixed({ path, message: cause instanceof Error ? cause.message : String(cause) })
  })

/** Replaces the keys in a file atomically, and preserves its owner and permissions. */
export const writeKeys = (path: string, keys: ReadonlyArray<EncryptionKey>): Effect.Effect<void, KeyFileFixed> =>
  attempt(path, () => {
    const owner = statSync(path)
    const aside = `${path}.next`
    rmSync(aside, { force: true })
    try {
      writeFileSync(aside, listOf(keys), { mode: 0o600, flush: true })
      ownAs(aside, owner)
      chmodSync(aside, owner.mode & PERMISSIONS)
      renameSync(aside, path)
    } finally {
      rmSync(aside, { force: true })
    }
  })

const fileExists = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "EEXIST"

/**
 * Stores keys that are removed from a file next to that file, readable only by its owner: in `<file>.old` or, if that
 * contains other keys, in `<file>.old.2` and so on. Never overwrites a file. Returns the name of the new file.
 */
export const saveOldKeys = (path: string, keys: ReadonlyArray<EncryptionKey>): Effect.Effect<string, KeyFileFixed> =>
  attempt(path, () => {
    const owner = statSync(path)
    const content = listOf(keys)
    for (let n = 1; ; n += 1) {
      const file = n === 1 ? `${path}.old` : `${path}.old.${n}`
      try {
        writeFileSync(file, content, { mode: 0o600, flag: "wx", flush: true })
        ownAs(file, owner)
        return file
      } catch (cause) {
        if (!fileExists(cause)) throw cause
        if (readFileSync(file, "utf8") === content) return file
      }
    }
  })
