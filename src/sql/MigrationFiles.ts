import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { DatabaseRefused } from "./DatabaseRefused.ts"
import { splitStatements } from "./Statements.ts"

/** A file named `NNNN_name.sql`. `statements` splits its text when called. */
export interface Migration {
  readonly version: number
  readonly name: string
  readonly checksum: string
  /**
   * If a database has this migration, a release can run on it only if it knows the migration with this number. 0 if there
   * is no such requirement. A file declares it on a separate line: `-- contract after 0021: reason`.
   */
  readonly needs: number
  /**
   * False if the statements run one by one, outside a transaction. A file declares it with the line `-- without a
   * transaction: reason`.
   */
  readonly isTransactional: boolean
  readonly statements: () => ReadonlyArray<string>
}

/** Creates a migration from a file's name and text. */
export const migration = (fileName: string, text: string): Migration => ({
  version: Number.parseInt(fileName, 10),
  name: fileName.replace(/^\d+_/, "").replace(/\.sql$/, ""),
  // The checksum must not change if a checkout rewrites line endings.
  checksum: createHash("sha256").update(text.replaceAll("\r\n", "\n")).digest("hex"),
  needs: Number(/^-- contract after (\d{4}):/m.exec(text)?.[1] ?? 0),
  isTransactional: !/^-- without a transaction:/m.test(text),
  statements: () => splitStatements(text)
})

/** The migrations of this release, oldest first. */
export const readMigrations = (folder?: string): Effect.Effect<ReadonlyArray<Migration>, DatabaseRefused> =>
  Effect.suspend(() => {
    const from = folder ?? findUpwards("sql/migrations")
    if (from === undefined) return refused("The folder sql/migrations is missing from this installation.")
    const names = readdirSync(from).filter((name) => name.endsWith(".sql"))
    const misnamed = names.find((name) => !/^\d{4}_\w+\.sql$/.test(name))
    if (misnamed !== undefined) return refused(`The migration ${misnamed} is not named like 0001_name.sql.`)
    const found = names.sort().map((name) => migration(name, readFileSync(join(from, name), "utf8")))
    const duplicate = found.find((each, index) => found[index - 1]?.version === each.version)
    if (duplicate !== undefined) return refused(`Two migrations have the number ${duplicate.version}.`)
    return Effect.succeed(found)
  })

const refused = (message: string) => Effect.fail(new DatabaseRefused({ reason: "Broken", message }))

/**
 * Finds a path in the folder of this module or the nearest folder above it. The module runs from `src/sql` or, when
 * bundled, from `dist`.
 */
export const findUpwards = (path: string): string | undefined => {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const candidate = join(folder, path)
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return undefined
  }
}
