import { expect, test } from "vitest"
import { node, project, tool } from "./Consumer.ts"

const folder = project("types")

test.each([
  "node16",
  "bundler"
])("Every entry has its types under %s resolution, strict and with libraries checked", async (resolution) => {
  const ended = await node(folder, tool("typescript/bin/tsc"), "-p", `tsconfig.${resolution}.json`)
  expect(ended).toEqual({ code: 0, out: "", err: "" })
})
