import { Console, Effect, Exit } from "effect"
import { expect, test, vi } from "vitest"
import { programOf } from "#server/Program"

/** Returns what the service writes to stderr when its configuration is invalid. */
const printed = async (asJson: boolean): Promise<string> => {
  vi.stubEnv("PORT", "99999999")
  const lines: Array<string> = []
  const own = { ...globalThis.console, error: (line: unknown) => void lines.push(String(line)) }
  try {
    const exit = await Effect.runPromiseExit(Effect.provideService(programOf("serve", asJson), Console.Console, own))
    expect(Exit.isFailure(exit)).toBe(true)
  } finally {
    vi.unstubAllEnvs()
  }
  expect(lines).toHaveLength(1)
  return lines[0] ?? ""
}

test("a service started with --json logs a JSON entry if the start fails", async () => {
  const line = await printed(true)
  expect(line).not.toContain("\n")
  expect(JSON.parse(line)).toEqual({
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    level: "FATAL",
    message: expect.stringContaining("PORT must be a whole number from 0 to 65535."),
    pid: process.pid
  })
})

test("a service started without --json prints plain text if the start fails", async () => {
  expect(await printed(false)).toMatch(/^The configuration is not valid:\n {2}- PORT must be a whole number/)
})
