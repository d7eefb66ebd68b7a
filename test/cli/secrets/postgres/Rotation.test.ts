import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { expect, test } from "vitest"
import { keyIdOf } from "#platform/Secrets"
import type { DatabaseTarget } from "#sql/Database"
import { onOneDatabase } from "../../../support/encryptedColumns.ts"
import { cli } from "../../Cli.ts"

const OLD = "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"
const OTHER = "c4ca4238a0b923820dcc509a6f75849bc81e728d9d4c2f636f067f89cc14862c"

const urlOf = (target: DatabaseTarget) => (target._tag === "Postgres" ? Redacted.value(target.url) : "")

/** Runs `secrets` with these settings. */
const secrets = (environment: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
  cli(["secrets", ...words], { environment })

test(
  "rotates a key file in three steps and checks the nodes before each step",
  () =>
    onOneDatabase(async (under, target) => {
      const folder = mkdtempSync(join(tmpdir(), "sallyport-rotation-"))
      const file = join(folder, "secret")
      writeFileSync(file, `${OLD}\n`, { mode: 0o640 })
      const keys = () => readFileSync(file, "utf8").trim().split(",")
      const environment = { DATABASE_URL: urlOf(target), SALLYPORT_SECRET_FILE: file }
      const rotate = (...words: ReadonlyArray<string>) => secrets(environment, "rotate", ...words)
      const underKeys = async () => {
        const { out } = await secrets(environment, "status", "--json")
        const { secrets: found }: { readonly secrets: ReadonlyArray<{ key: string; rows: number }> } = JSON.parse(out)
        return [...new Set(found.map(({ key }) => key))]
      }

      await under([OLD], async (kit, given) => {
        await given.realm({ jwt_algo: "hs256" })
        const dry = await rotate("--dry-run", "--node", kit.url)
        expect([dry.code, keys(), dry.out]).toEqual([0, [OLD], expect.stringContaining("Step 1 of 3: add a new key")])
        expect(await rotate("--node", kit.url)).toMatchObject({ code: 0, out: expect.stringContaining(file) })
        expect(statSync(file).mode & 0o777).toBe(0o640)
        // The node was not restarted, so it has only one key.
        expect(await rotate("--node", kit.url)).toMatchObject({
          code: 1,
          err: expect.stringContaining(`${kit.url}: it doesn't have the key ${keyIdOf(keys()[1] ?? "")}\n`)
        })
        expect(await rotate()).toMatchObject({ code: 1, err: expect.stringContaining("Can't determine which keys") })
      })
      const [, fresh = ""] = keys()
      expect([keys(), fresh]).toEqual([[OLD, fresh], expect.stringMatching(/^\d{8}T\d{6}Z-[0-9A-Za-z]{43}$/)])
      expect(await underKeys()).toEqual([keyIdOf(OLD)])

      await under([OLD, fresh], async ({ url }) => {
        const gone = await rotate("--node", url, "--node", "http://127.0.0.1:65001")
        expect([gone.code, gone.err]).toEqual([
          1,
          expect.stringContaining("it can't be reached: the connection was refused")
        ])
        expect(await rotate("--dry-run", "--node", url)).toMatchObject({
          code: 0,
          out: expect.stringContaining("Step 2 of 3")
        })
        expect(keys()).toEqual([OLD, fresh])
        expect(await rotate("--node", url)).toMatchObject({ code: 0, out: expect.stringContaining("Step 2 of 3") })
        expect(keys()).toEqual([fresh, OLD])

        // The node has both keys with the old one first. Everything can be encrypted with the new key, but that doesn't
        // finish the rotation.
        const next = await rotate("--dry-run", "--node", url)
        expect(next.out).toMatch(/^Next step: re-encrypt \d+ secrets? with the new key/)
        expect(await underKeys()).toEqual([keyIdOf(OLD)])
        const late = await rotate("--node", url)
        expect([late.code, late.err]).toEqual([
          1,
          expect.stringMatching(
            /not every node encrypts with it yet:[^]*\nRe-encrypted \d+ secrets? with the new key\.\nRestart/
          )
        ])
        expect(await underKeys()).toEqual([keyIdOf(fresh)])
        expect(keys()).toEqual([fresh, OLD])
      })

      await under([fresh, OLD], async ({ url }) => {
        // The rotation must not overwrite a file saved by an earlier rotation.
        writeFileSync(`${file}.old`, "kept")
        const last = await rotate("--node", url, "--json")
        expect([last.code, JSON.parse(last.out)]).toEqual([
          0,
          {
            step: "remove",
            dry_run: false,
            keys: [{ id: keyIdOf(fresh), made_at: expect.any(Number) }],
            new_key: null,
            file,
            old_file: `${file}.old.2`,
            reencrypted: 0,
            says: expect.stringContaining(`The old key is now in ${file}.old.2, readable only by its owner.`)
          }
        ])
        expect(keys()).toEqual([fresh])
        expect([readFileSync(`${file}.old`, "utf8"), readFileSync(`${file}.old.2`, "utf8")]).toEqual([
          "kept",
          `${OLD}\n`
        ])
        expect(statSync(`${file}.old.2`).mode & 0o777).toBe(0o600)
        expect((await rotate("--node", url)).err).toContain(`${url}: it still has the key ${keyIdOf(OLD)}\n`)
      })
      await under([fresh], async ({ url }, given) => {
        expect((await given.realm({ jwt_algo: "hs256" })).id).toMatch(/^rl_/)
        expect(await rotate("--node", url)).toMatchObject({ code: 0, out: expect.stringContaining("Nothing to do") })
      })
      rmSync(folder, { recursive: true, force: true })
    }),
  60_000
)

test("prints the variable to set for a key in the environment, without ever showing the old key", () =>
  onOneDatabase(async (under, target) => {
    await under([OLD], (_, given) => given.realm({ jwt_algo: "hs256" }))
    const at = (SALLYPORT_SECRET: string, ...words: ReadonlyArray<string>) =>
      secrets({ DATABASE_URL: urlOf(target), SALLYPORT_SECRET }, "rotate", ...words)
    const first = await at(OLD)
    const [, made = ""] = /<current key>,(\S+)/.exec(first.out) ?? []
    expect([first.code, made, first.out.includes(OLD)]).toEqual([0, expect.stringMatching(/^\d{8}T\d{6}Z-/), false])
    const second = await at(`${OLD},${made}`, "--yes")
    expect(second).toMatchObject({ code: 0, out: expect.stringContaining(`<${keyIdOf(made)}>,<${keyIdOf(OLD)}>`) })
    const third = await at(`${made},${OLD}`, "--yes")
    expect(third).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Re-encrypted 1 secret with[^\n]*new key\.\nStep 3 of 3[^]*keep only the new key/)
    })
    for (const { out, err } of [second, third]) expect([out.includes(made), err]).toEqual([false, ""])

    // With manually created keys, the new one can't be identified.
    const unknown = await at(`${made.slice(17)},${OLD},${made}`, "--yes")
    expect(unknown.code).toBe(0)
    expect(await at(`${OTHER},${OLD}`, "--yes")).toMatchObject({
      code: 1,
      err: expect.stringContaining(`1 stored secrets are encrypted with a missing key (${keyIdOf(made)})`)
    })
  }))

test("reports a database that is in memory or unreachable", async () => {
  expect(await secrets({ DATABASE_URL: "memory://" }, "rotate")).toMatchObject({
    code: 1,
    err: expect.stringContaining("The database is in memory")
  })
  expect(
    await secrets({ DATABASE_URL: "postgres://me@127.0.0.1:1/none", SALLYPORT_SECRET: OLD }, "rotate")
  ).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /ECONNREFUSED[^]*Check the host and the port in DATABASE_URL, and that PostgreSQL is running/
    )
  })
  expect(await secrets({ SALLYPORT_DATA_DIR: join(tmpdir(), "sallyport-none") }, "rotate")).toMatchObject({
    code: 1,
    err: expect.stringContaining("There is no database in")
  })
})
