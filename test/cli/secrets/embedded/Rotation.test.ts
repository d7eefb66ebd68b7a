import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { expect, test } from "vitest"
import { keyIdOf } from "#platform/Secrets"
import { Given } from "#testing/Given"
import { TestSallyport } from "#testing/TestSallyport"
import { cli } from "../../Cli.ts"

const OLD = "8f14e45fceea167a5a36dedd4bea2543c9f0f895fb98ab9159f51fd0297e236d"

test("rotates the key file of an embedded database only while the service is stopped", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sallyport-rotation-"))
  const file = join(dataDir, "secret")
  writeFileSync(file, OLD, { mode: 0o600 })
  const environment = { SALLYPORT_DATA_DIR: dataDir, PORT: "65001" }
  const rotate = (...words: ReadonlyArray<string>) => cli(["secrets", "rotate", ...words], { environment })

  await Effect.gen(function* () {
    const layer = TestSallyport.layer({ database: { _tag: "Embedded", dataDir }, secrets: [OLD] })
    const { transport, key } = Context.get(yield* Layer.build(layer), TestSallyport)
    yield* Effect.promise(() => new Given(transport, key).realm({ jwt_algo: "hs256" }))
    expect(yield* Effect.promise(() => rotate())).toMatchObject({
      code: 1,
      err: expect.stringMatching(/is in use by this process[^]*Stop that process/)
    })
    const { out } = yield* Effect.promise(() => cli(["doctor"], { environment }))
    expect(out).toContain("The running service is using the embedded database.")
  }).pipe(Effect.scoped, Effect.runPromise)

  const done = await rotate()
  const fresh = readFileSync(file, "utf8").trim()
  expect([done.code, fresh, statSync(file).mode & 0o777]).toEqual([
    0,
    expect.stringMatching(/^\d{8}T\d{6}Z-[0-9A-Za-z]{43}$/),
    0o600
  ])
  expect(done.out).toMatch(/^Re-encrypted 1 secret with the new key\.\nThe key was rotated: the file /)
  expect(done.out).toContain(`The old key is now in ${file}.old, readable only by its owner.`)
  expect([readFileSync(`${file}.old`, "utf8"), statSync(`${file}.old`).mode & 0o777]).toEqual([`${OLD}\n`, 0o600])
  const { out } = await cli(["secrets", "status", "--json"], { environment })
  expect(JSON.parse(out)).toMatchObject({
    keys: [keyIdOf(fresh)],
    secrets: [{ table: "jwt_keys", key: keyIdOf(fresh), state: "first", rows: 1 }]
  })

  // The next run finishes a rotation that was interrupted halfway.
  writeFileSync(file, `${fresh},${OLD}\n`, { mode: 0o600 })
  expect((await rotate()).out).toContain("The key was rotated")
  expect(readFileSync(file, "utf8").trim()).toBe(fresh)
  expect(readdirSync(dataDir).filter((name) => name.startsWith("secret"))).toEqual(["secret", "secret.old"])
  rmSync(dataDir, { recursive: true, force: true })
})
