import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const root = new URL("../..", import.meta.url).pathname

const run = (command: string, words: ReadonlyArray<string>, cwd: string) => {
  const { status, stderr } = spawnSync(command, words, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${words.join(" ")}: ${stderr}`)
}

/**
 * Builds the bundle of another commit in a folder, with the currently installed packages. Returns the path of the
 * program.
 */
export const buildRelease = (commit: string, folder: string): string => {
  mkdirSync(folder, { recursive: true })
  run("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", commit, folder], root)
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  run(process.execPath, ["build/Bundle.ts"], folder)
  return join(folder, "dist/sallyport.js")
}

/** Copies a bundle into a folder and adds a migration. Returns the path of the program. */
export const addMigration = (file: string, sql: string, folder: string): string => {
  cpSync(dirname(file), join(folder, "dist"), { recursive: true })
  cpSync(join(root, "sql"), join(folder, "sql"), { recursive: true })
  for (const name of ["node_modules", "package.json"]) symlinkSync(join(root, name), join(folder, name))
  const next = readdirSync(join(folder, "sql/migrations")).length + 1
  writeFileSync(join(folder, `sql/migrations/${String(next).padStart(4, "0")}_rolling.sql`), `${sql};\n`)
  return join(folder, "dist/sallyport.js")
}
