import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import { Environment } from "./Environment.ts"

/** Returns the path of a file in the user's configuration folder, or undefined if there is no home folder. */
export const configurationFile = Effect.fnUntraced(function* (name: string) {
  const { all } = yield* Environment
  const folder = all["XDG_CONFIG_HOME"] || (all["HOME"] ? join(all["HOME"], ".config") : "")
  return folder === "" ? undefined : join(folder, "sallyport", name)
})

/** The reason in an error of the file system. */
export const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Writes JSON to a file, atomically. The file is never readable by others. `what` names the content in errors. */
export const writePrivately = (file: string, content: object, what: string) =>
  Effect.try({
    try: () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const fresh = `${file}.${process.pid}.new`
      rmSync(fresh, { force: true })
      writeFileSync(fresh, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flag: "wx" })
      renameSync(fresh, file)
    },
    catch: (cause) => new CommandFailed({ happened: `Can't save ${what} to ${file}: ${reasonOf(cause)}.` })
  })
