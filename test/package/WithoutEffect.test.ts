import { cpSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, expect, test } from "vitest"
import { clientAlone, installed, node, oldNode, run, tool } from "./Consumer.ts"

/** A project with both packages and without Effect. No folder above it has packages. */
const folder = mkdtempSync(join(tmpdir(), "sallyport-kit-"))

/** The disk space in MB of everything below a folder, like `du -sm`. */
const diskSpace = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .map((entry) => statSync(join(entry.parentPath, entry.name)).blocks * 512)
    .reduce((total, bytes) => total + bytes, 0) / 1_048_576

beforeAll(() => {
  const packages = join(installed, "node_modules")
  for (const name of readdirSync(packages).filter((entry) => entry !== "effect" && !entry.startsWith(".")))
    cpSync(join(packages, name), join(folder, "node_modules", name), { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
  return () => rmSync(folder, { recursive: true, force: true })
})

test("the service and the test kit take less than 60 MB, including all packages that they need", () => {
  const taken = diskSpace(join(folder, "node_modules"))
  console.log(`sallyport and sallyport-service with their packages: ${Math.ceil(taken)} MB`)
  expect(taken).toBeLessThan(60)
})

test("the test kit runs without Effect and uses the client's own classes", async () => {
  const script = `
    import { NotFound } from "sallyport/client"
    import { start } from "sallyport/testing/promise"
    await using service = await start()
    const missing = await service.sallyport.users.get("usr_1", { realm_id: "rl_1" }).catch((error) => error)
    console.log(missing instanceof NotFound)`
  expect(await node(folder, "--input-type=module", "--eval", script)).toEqual({ code: 0, out: "true\n", err: "" })
})

test("the test kit's types check without Effect, in strict mode and with library checks", async () => {
  cpSync(join(import.meta.dirname, "projects/kit"), folder, { recursive: true })
  const types = tool("@types")
  const ended = await node(folder, tool("typescript/bin/tsc"), "--checkers", "1", "-p", ".", "--typeRoots", types)
  expect(ended).toEqual({ code: 0, out: "", err: "" })
})

test("the CLI explains how to install the program when only the client is installed", async () => {
  for (const program of [process.execPath, oldNode])
    expect(await run(clientAlone, program, "node_modules/sallyport/dist/sallyport.js", "dev")).toEqual({
      code: 1,
      out: "",
      err: "The command sallyport needs the package sallyport-service, which is not installed. Install it: npm install sallyport-service@0.1.0, or npm install ./sallyport-service-0.1.0.tgz if you packed it yourself.\n"
    })
})

test("importing an entry of the service with only the client installed fails and names the missing package", async () => {
  const ended = await node(clientAlone, "--input-type=module", "--eval", 'import "sallyport/testing/promise"')
  expect(ended.err).toContain("Cannot find package 'sallyport-service'")
  expect(ended.code).toBe(1)
})
