import { existsSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Where the workers of this run write down the statements that they ran. Called in the main process only. */
export const statementsFolder = (): string => join(tmpdir(), `sallyport-statements-${process.pid}`)

/** The distinct statements that ran on one database, each with the first test file that ran it. */
export type Statements = ReadonlyMap<string, string>

/**
 * A statement without what differs from call to call: its values, also those in its text, how many there are, how many
 * selections by different values it merges, and how it is laid out.
 */
export const shapeOf = (text: string): string =>
  text
    .replaceAll(/\$\d+|'[a-z_]+'/g, "?")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\?(?:, ?\?)+/g, "?, …")
    .replaceAll(/(\([^()]*\))(?:, ?\1)+/g, "$1, …")
    .replaceAll(/(\(select .+? limit \?\))(?: union all \1)+/g, "$1 union all …")
    .trim()

/** The parts of a statement that several writes were put together into (`src/store/Writes.ts`); else the whole. */
export const partsOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/, step\d+ as \(| returning 1\)/)
    .filter((part) => part !== "")
    .map((part) => part.replaceAll(/\bstep\d+\b/g, "step"))

/** The statements that the workers of a project wrote down. */
export const statementsOf = (project: string): Statements => {
  const folder = statementsFolder()
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${project}-`)) : []
  const lines = names.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
  const found = new Map<string, string>()
  for (const line of lines.filter((one) => one !== "")) {
    const { file, text }: { file: string; text: string } = JSON.parse(line)
    for (const shape of partsOf(text).map(shapeOf)) if (!found.has(shape)) found.set(shape, file)
  }
  return found
}

/** Statements that only one of the databases has a use for, each with the reason. */
const ofOneDatabase: ReadonlyMap<string, string> = new Map([
  [
    shapeOf(
      "select current_setting('server_version_num')::int as number, current_setting('server_version') as version"
    ),
    "The embedded database comes with the service: its version is known."
  ]
])

/** The statements of one database that never ran on the other. */
export const missing = (ran: Statements, other: Statements): ReadonlyArray<readonly [shape: string, file: string]> =>
  [...ran].filter(([shape]) => !other.has(shape) && !ofOneDatabase.has(shape))
