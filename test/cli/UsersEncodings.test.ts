import { describe, expect, test } from "vitest"
import { reportLines, rowsIn, usersAtCommand } from "./Users.ts"

const csv = "id,email,last_name\n1,a@example.test,Müller\n2,b@example.test,Meier\n"
const json =
  '[{"reference":"1","email":"a@example.test","last_name":"Müller"},\n{"reference":"2","email":"b@example.test","last_name":"Meier"}]'

const bigEndian = (text: string) => Buffer.from(text, "utf16le").swap16()

describe("SEC-263: users import", () => {
  test.each([
    ["big-endian UTF-16 with a byte order mark", "users.csv", bigEndian(`\ufeff${csv}`), []],
    ["big-endian UTF-16 without one", "users.csv", bigEndian(csv), ["--encoding", "utf-16"]],
    ["little-endian UTF-16 with a byte order mark", "users.csv", Buffer.from(`\ufeff${csv}`, "utf16le"), []],
    ["little-endian UTF-16 without one", "users.csv", Buffer.from(csv, "utf16le"), ["--encoding", "utf-16"]],
    ["JSON in big-endian UTF-16", "users.json", bigEndian(`\ufeff${json}`), []],
    ["UTF-8 with a byte order mark", "users.csv", Buffer.from(`\ufeff${csv}`), []]
  ])("reads %s", async (_, name, content, words) => {
    const { importing, write, realm } = await usersAtCommand()
    expect(await importing(write(name, content), words)).toMatchObject({ code: 0, told: { created: 2 } })
    expect((await rowsIn(realm)).map(({ last_name: last }) => last)).toEqual(["Müller", "Meier"])
  })

  test.each([
    ["CSV", "users.csv", "id,email,last_name\n1,a@example.test,A\ufffdB\n"],
    ["NDJSON", "users.ndjson", '{"reference":"1","email":"a@example.test","last_name":"A\ufffdB"}\n'],
    ["JSON", "users.json", '[{"reference":"1","email":"a@example.test","last_name":"A\ufffdB"}]']
  ])("accepts a literal replacement character (U+FFFD) in a %s file", async (_, name, content) => {
    const { importing, write, realm } = await usersAtCommand()
    expect(await importing(write(name, content))).toMatchObject({ code: 0, told: { created: 1 } })
    expect(await rowsIn(realm)).toMatchObject([{ last_name: "A\ufffdB" }])
  })

  test("rejects a UTF-16 row with a lone surrogate and imports the other rows", async () => {
    const { importing, read, write, realm } = await usersAtCommand()
    const text = "id,email,last_name\n1,a@example.test,A\ud83dB\n2,b@example.test,\ud83d\ude00\n"
    const content = Buffer.from(`\ufeff${text}`, "utf16le")
    expect(await importing(write("users.csv", content))).toMatchObject({ code: 1, told: { created: 1, refused: 1 } })
    expect(reportLines(read("users.csv.refused.ndjson"))).toMatchObject([
      { line: 2, errors: ["The line is not UTF-8."] }
    ])
    expect(await rowsIn(realm)).toMatchObject([{ last_name: "\ud83d\ude00" }])
  })

  test.each([
    [[]],
    [["--preset", "supabase"]]
  ])("rejects a CSV in which two columns have the same name %j", async (words) => {
    const { run, write, realm } = await usersAtCommand()
    const file = write("users.csv", "id,email,email\n1,a@example.test,b@example.test\n")
    expect(await run(["import", file, ...words])).toEqual({
      code: 2,
      out: "",
      err: "Error: Two columns are named email.\nRename one of them.\n"
    })
    expect(await rowsIn(realm)).toEqual([])
  })

  test.each([
    ";",
    ",",
    "\t",
    "|"
  ])("reads the delimiter from the first line that Excel writes (sep=%s)", async (mark) => {
    const { importing, read, write, realm } = await usersAtCommand()
    const lines = [
      `sep=${mark}`,
      ...["id,email,last_name", "1,a@example.test,Ada", "2"].map((line) => line.replaceAll(",", mark))
    ]
    const ended = await importing(write("users.csv", `\ufeff${lines.join("\r\n")}\r\n`))
    expect(ended).toMatchObject({ code: 1, told: { created: 1, refused: 1 } })
    expect(reportLines(read("users.csv.refused.ndjson"))).toMatchObject([{ line: 4 }])
    expect(await rowsIn(realm)).toMatchObject([{ last_name: "Ada" }])
  })
})

test.each([
  [
    "without JSON",
    "that is not JSON",
    "The line is not valid JSON from character 2 on. Send one complete object per line"
  ],
  ["with a truncated object", '{"reference": "1"', "The line ends inside an object. Send one complete object per line"],
  ["with an extra comma", '{"reference": "1",}', "The line is not valid JSON from character 19 on."],
  ["with the start of an array", "[", "The line is an array, or the start of one."]
])("the error for a line %s describes the problem", async (_, line, sentence) => {
  const { importing, read, write } = await usersAtCommand()
  const file = write("users.ndjson", `{"reference":"1","email":"a@example.test"}\n${line}\n`)
  expect(await importing(file)).toMatchObject({ code: 1, told: { created: 1, refused: 1 } })
  expect(JSON.stringify(reportLines(read("users.ndjson.refused.ndjson"))[0])).toContain(sentence)
})
