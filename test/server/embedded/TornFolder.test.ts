import { cpSync, mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, test } from "vitest"
import { damageIn } from "#sql/PgliteFolder"
import { runToEnd, start } from "../ServerProcess.ts"

const KEY = "a-root-key-of-more-than-thirty-two-characters"

let whole = ""

beforeAll(async () => {
  whole = join(mkdtempSync(join(tmpdir(), "sallyport-")), "data")
  const running = await start({ SALLYPORT_DATA_DIR: whole, SALLYPORT_ROOT_KEY: KEY })
  await running.stop("SIGKILL")
})

/** Returns a copy of the data folder with something removed. */
const torn = (tear: (database: string) => void): string => {
  const copy = join(mkdtempSync(join(tmpdir(), "sallyport-")), "data")
  cpSync(whole, copy, { recursive: true })
  tear(join(copy, "database"))
  return copy
}

const segmentsIn = (database: string) =>
  readdirSync(join(database, "pg_wal"))
    .filter((name) => /^[0-9A-F]{24}$/.test(name))
    .map((name) => join(database, "pg_wal", name))

const says = (folder: string, known = "") =>
  `The embedded database in ${folder}/database is damaged: some of its files are missing or inconsistent${known}.\n` +
  "Restore the whole folder SALLYPORT_DATA_DIR from a backup, and set the damaged one aside. See docs/guides/production.md.\n"

describe("C228: a data folder", () => {
  test("is intact after the process was killed", () => {
    expect(damageIn(join(whole, "database"))).toBeUndefined()
  })

  test.each<readonly [fact: string, tear: (database: string) => void]>([
    ["PG_VERSION is missing", (at) => rmSync(join(at, "PG_VERSION"))],
    ["PG_VERSION is incomplete", (at) => truncateSync(join(at, "PG_VERSION"))],
    ["global/pg_control is missing", (at) => rmSync(join(at, "global/pg_control"))],
    ["global/pg_control is incomplete", (at) => truncateSync(join(at, "global/pg_control"), 100)],
    ["base is missing", (at) => rmSync(join(at, "base"), { recursive: true })],
    ["pg_wal is missing", (at) => rmSync(join(at, "pg_wal"), { recursive: true })],
    ["pg_wal contains no log file", (at) => segmentsIn(at).forEach((file) => rmSync(file))]
  ])("is rejected: %s", (fact, tear) => {
    expect(damageIn(join(torn(tear), "database"))).toMatchObject({
      reason: "Damaged",
      message: expect.stringContaining(`inconsistent (${fact}).`)
    })
  })

  test("ends the service with code 1 and without a new database if damaged", async () => {
    const without = torn((at) => rmSync(join(at, "PG_VERSION")))
    const cut = torn((at) => segmentsIn(at).forEach((file) => truncateSync(file, 5_000)))
    for (const [folder, known] of [
      [without, " (PG_VERSION is missing)"],
      [cut, ""]
    ] as const) {
      const ended = await runToEnd({ SALLYPORT_DATA_DIR: folder, SALLYPORT_ROOT_KEY: KEY })
      expect(ended).toEqual({ code: 1, output: says(folder, known) })
    }
    expect(readdirSync(join(without, "database"))).not.toContain("PG_VERSION")
  })
})
