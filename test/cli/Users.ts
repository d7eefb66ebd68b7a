import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context } from "effect"
import { onTestFinished } from "vitest"
import { CallLimits } from "#cli/users/ImportJob"
import { Waits } from "#cli/users/Sending"
import type { GivenRealm } from "#testing/Given"
import { exportedRows, exportOf } from "../support/imports.ts"
import { service } from "../support/sallyport.ts"
import { type CliOptions, cli, serviceEnvironment } from "./Cli.ts"

/**
 * Limits requests to this many rows, and retries immediately, up to `retries` times, while the service is unavailable.
 */
export const importLimits = (rows: number, retries = 0): Context.Context<never> =>
  Context.make(CallLimits, { rows, bytes: 1_000_000 }).pipe(
    Context.add(
      Waits,
      Array.from({ length: retries }, () => 0)
    )
  )

/** A realm, a folder, and the command `sallyport users` run in that folder. */
export const usersAtCommand = async (settings = {}) => {
  const at = await service()
  const realm = await at.given.realm(settings)
  const folder = mkdtempSync(join(tmpdir(), "sallyport-users-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = (name: string) => join(folder, name)
  const run = (words: ReadonlyArray<string>, options: CliOptions = {}) =>
    cli(["users", ...words, "--realm", realm.id], { environment: serviceEnvironment(at), ...options })
  return {
    at,
    realm,
    path,
    write: (name: string, content: string | Uint8Array) => {
      writeFileSync(path(name), content)
      return path(name)
    },
    read: (name: string) => readFileSync(path(name), "utf8"),
    run,
    /** Imports a file. `told` is the last line that the command prints with `--json`. */
    importing: async (file: string, words: ReadonlyArray<string> = [], options: CliOptions = {}) => {
      const ended = await run(["import", file, "--json", ...words], options)
      const last = ended.out.trimEnd().split("\n").at(-1) ?? ""
      return { ...ended, told: last === "" ? undefined : JSON.parse(last) }
    }
  }
}

/** The users of a realm in export format. */
export const rowsIn = async (realm: GivenRealm) => exportedRows(await exportOf(realm))

/** The message about users without a password. */
export const withoutPassword = (users: string) =>
  `${users} imported without a password or a profile. They can set a password with “Forgot password?” on the login page.`

/** The lines of a report of rejected rows. */
export const reportLines = (text: string): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))

/** A CSV of these records with every cell quoted. */
export const csvOf = (records: ReadonlyArray<Readonly<Record<string, string>>>): string => {
  const columns = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const cell = (text = "") => `"${text.replaceAll('"', '""')}"`
  return [columns.join(","), ...records.map((record) => columns.map((name) => cell(record[name])).join(","))].join("\n")
}
