import { open, rename, rm } from "node:fs/promises"
import { Context, Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

/** A file open for writing. */
export interface WrittenFile {
  readonly appendFile: (bytes: Uint8Array | string) => Promise<void>
  readonly truncate: (length: number) => Promise<void>
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens files for writing; tests simulate a full disk. */
export const Disk = Context.Reference<{
  /** The flag `a` appends to the existing content. */
  readonly open: (path: string, flags: "w" | "a") => Promise<WrittenFile>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
}>("sallyport/cli/Disk", {
  defaultValue: () => ({
    // Not readable by others, because the files contain hashes and addresses.
    open: (path, flags) => open(path, flags, 0o600),
    rename,
    remove: (path) => rm(path, { force: true })
  })
})

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full",
  EDQUOT: "Your disk quota is exceeded",
  EACCES: "You don't have permission to write it",
  EPERM: "You don't have permission to write it",
  EROFS: "The disk is read-only",
  ENOENT: "The folder doesn't exist",
  EISDIR: "It is a folder",
  EPIPE: "The reader closed the pipe"
}

/** Returns why a file can't be written, as a clause. */
export const diskReason = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

/** Runs a write. If it fails, the error explains why and includes `todo`. */
export const writing = <A>(path: string, todo: string, write: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: write,
    catch: (error) => new CommandFailed({ happened: `Can't write ${path}. ${diskReason(error)}.`, todo })
  })
