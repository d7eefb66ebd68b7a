import { existsSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { bodyOf } from "../support/imports.ts"
import { fetchThatFails, refusedConnection, rows, STATE } from "./ImportCalls.ts"
import { importLimits, usersAtCommand } from "./Users.ts"

describe("a killed import", () => {
  test.each([
    [
      "its first call",
      0,
      "An earlier run was stopped before its first call was completed. Starting from the first row."
    ],
    ["a later call", 1, "An earlier run processed 2 rows. Resuming after them."]
  ])("makes the next run report the rows that may count as unchanged (killed in %s)", async (_, answered, begun) => {
    const { write, run, read, path } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(2 * (answered + 1))))
    let left = ""
    const sending = fetchThatFails(answered, (send) => {
      left = read(STATE)
      return send()
    })
    expect(await run(["import", file], { services: importLimits(2), fetch: sending.fetch })).toMatchObject({
      code: 0,
      err: ""
    })
    expect(existsSync(path(STATE))).toBe(false)
    // The progress file that a killed process leaves behind.
    write(STATE, left)
    const ended = await run(["import", file])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.err).toBe(
      `${begun} It sent up to 2 more rows without a response; those that were imported count as unchanged.\nUp to 2 of the unchanged rows may have been written by an earlier run, which sent them but received no response.\n`
    )
    expect(ended.out).toMatch(new RegExp(`\n  ${answered * 2} created\n  2 unchanged\n$`))
  })

  test("leaves no progress file if no request reached the service", async () => {
    const { write, run, path } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(2)))
    expect(await run(["import", file], { fetch: fetchThatFails(0, refusedConnection).fetch })).toMatchObject({
      code: 1
    })
    expect(existsSync(path(STATE))).toBe(false)
  })
})
