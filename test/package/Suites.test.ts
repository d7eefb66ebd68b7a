import { expect, test } from "vitest"
import { node, project, tool } from "./Consumer.ts"

const folder = project("suites")

test("a vitest suite runs the test kit and exits by itself", async () => {
  const words = ["run", "--root", folder, "--hookTimeout", "60000", "--testTimeout", "60000"]
  const ended = await node(folder, tool("vitest/vitest.mjs"), ...words)
  expect(ended.out + ended.err).toContain("1 passed")
  expect(ended.code).toBe(0)
})

test("a jest suite runs the test kit and exits by itself", async () => {
  const words = ["--rootDir", folder, "--testMatch", "**/*.jest.js", "--testTimeout", "60000"]
  const ended = await node(folder, "--experimental-vm-modules", tool("jest/bin/jest.js"), ...words)
  expect(ended.err).toContain("1 passed")
  expect(ended.err).not.toContain("did not exit")
  expect(ended.code).toBe(0)
})

test("a node:test suite runs the test kit and exits by itself", async () => {
  const ended = await node(folder, "--test", "login.node.js")
  expect(ended.out).toContain("pass 1")
  expect(ended.code).toBe(0)
})
