import { expect, test } from "vitest"
import { node, project, tool } from "./Consumer.ts"

const folder = project("suites")

test("runs the kit in a vitest suite, which exits on its own", async () => {
  const words = ["run", "--root", folder, "--hookTimeout", "60000", "--testTimeout", "60000"]
  const ended = await node(folder, tool("vitest/vitest.mjs"), ...words)
  expect(ended.out + ended.err).toContain("1 passed")
  expect(ended.code).toBe(0)
})

test("runs the kit in a jest suite, which exits on its own", async () => {
  const words = ["--rootDir", folder, "--testMatch", "**/*.jest.js", "--testTimeout", "60000"]
  const ended = await node(folder, "--experimental-vm-modules", tool("jest/bin/jest.js"), ...words)
  expect(ended.err).toContain("1 passed")
  expect(ended.err).not.toContain("did not exit")
  expect(ended.code).toBe(0)
})

test("runs the kit in a node:test suite, which exits on its own", async () => {
  const ended = await node(folder, "--test", "login.node.js")
  expect(ended.out).toContain("pass 1")
  expect(ended.code).toBe(0)
})
