import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { nodeRefusal } from "../../src/server/NodeVersion.ts"

const root = new URL("../../", import.meta.url)

test("rejects a Node release that is too old and names the supported releases", () => {
  expect(nodeRefusal("20.20.2")).toBe(
    "Sallyport needs Node 22.19 or later; this is 20.20.2. Install a later one, or let npx download one: npx -p node@24 sallyport. Its client, sallyport/client, runs on Node 20.16 or later."
  )
  expect(nodeRefusal("22.18.0")).toBe(
    "Sallyport needs Node 22.19 or later; this is 22.18.0. Install a later one, or let npx download one: npx -p node@24 sallyport. Its client, sallyport/client, runs on Node 20.16 or later."
  )
  for (const version of ["22.19.0", "22.21.1", "23.0.0", "24.21.0", process.versions.node]) {
    expect(nodeRefusal(version)).toBeUndefined()
  }
})

test("requires the same Node release as the packages and the guide", () => {
  const engine: unknown = JSON.parse(
    readFileSync(new URL("node_modules/@effect/platform-node/package.json", root), "utf8")
  )
  expect(engine).toMatchObject({ engines: { node: ">=22.19.0" } })
  expect(readFileSync(new URL("docs/guides/production.md", root), "utf8")).toContain("Node 22.19 or later")
})
