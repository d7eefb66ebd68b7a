import { describe, expect, test } from "vitest"
import { readUsers, UnreadableFile } from "../../src/admin/imports/UserFile.ts"

const read = (bytes: string) => readUsers(new File([Buffer.from(bytes, "latin1")], "users"))

const utf8 = (text: string) => Buffer.from(text).toString("latin1")

describe("A user file in the console", () => {
  test("SEC-237: is rejected unless it is UTF-8, although the character U+FFFD is accepted", async () => {
    for (const bytes of ["email,name\na@example.test,J\xF6", '{"reference":"J\xF6"}', '[{"reference":"J\xF6"}]']) {
      await expect(read(bytes)).rejects.toEqual(new UnreadableFile("not_utf8"))
    }
    const good = await read(utf8("\uFEFFemail,name\na@example.test,J\u00F6\uFFFD"))
    expect(good).toMatchObject({ columns: ["email", "name"], records: [{ cells: ["a@example.test", "Jö\uFFFD"] }] })
  })

  test("SEC-238: is read with its numbers exactly as written", async () => {
    const line = '{"reference":"r","custom":{"fb":10155555555555557}}'
    for (const text of [line, `[${line}]`]) {
      const file = await read(text)
      expect(JSON.stringify(file.records)).toContain(line)
    }
  })
})
