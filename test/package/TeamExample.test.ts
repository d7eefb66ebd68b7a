import { cpSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { installed, node, tool } from "./Consumer.ts"

const folder = join(installed, "team")
cpSync(join(installed, "node_modules/sallyport-service/examples/team"), folder, { recursive: true })

test("the team app compiles with only the packages and Express", async () => {
  expect(await node(folder, tool("typescript/bin/tsc"), "--checkers", "1")).toEqual({ code: 0, out: "", err: "" })
})

test("the team app's tests pass outside the repository", async () => {
  const ended = await node(folder, "--test", "team.test.ts")
  expect(ended.out).toContain("fail 0")
  expect(ended.code).toBe(0)
})
