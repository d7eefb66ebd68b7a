import { open, rename, rm } from "node:fs/promises"
import { Context, Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

/** A file that is written. */
export interface WrittenFile {
  readonly appendFile: (bytes: Uint8Array | string) => Promise<void>
  readonly truncate: (length: number) => Promise<void>
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Where commands write files; tests have a disk that is full. */
export const Disk = Context.Reference<{
  /** `a`: what the file holds stays. */
  readonly open: (path: string, flags: "w" | "a") => Promise<WrittenFile>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
}>("sallyport/cli/Disk", {
  defaultValue: () => ({
    // Nobody else reads them: they hold hashes and addresses.
    open: (path, flags) => open(path, flags, 0o600),
    rename,
    remove: (path) => rm(path, { force: true })
  })
})

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full",
  EDQUOT: "Your quota of the disk is used up",
  EACCES: "You may not write it",
  EPERM: "You may not write it",
  EROFS: "The disk can only be read",
  ENOENT: "There is no such folder",
  EISDIR: "It is a folder",
  EPIPE: "Whoever read it has gone"
}

/** Why a file can't be written, as a clause. */
export const diskReason = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : ""
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

/** Writes, or says why that can't be done and what to do. */
export const writing = <A>(path: string, todo: string, write: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: write,
    catch: (error) => new CommandFailed({ happened: `${path} can't be written. ${diskReason(error)}.`, todo })
  })
