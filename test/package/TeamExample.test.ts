import { cpSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { installed, node, tool } from "./Consumer.ts"

const folder = join(installed, "team")
cpSync(join(installed, "node_modules/sallyport/examples/team"), folder, { recursive: true })

test("The app for teams has its types, with nothing but the package and Express", async () => {
  expect(await node(folder, tool("typescript/bin/tsc"), "--checkers", "1")).toEqual({ code: 0, out: "", err: "" })
})

test("The tests of the app for teams pass outside of the repository", async () => {
  const ended = await node(folder, "--test", "team.test.ts")
  expect(ended.out).toContain("fail 0")
  expect(ended.code).toBe(0)
})
