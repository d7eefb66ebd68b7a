import { gzipSync } from "node:zlib"
import { Context } from "effect"
import { describe, expect, test } from "vitest"
import { StandardStreams } from "#cli/users/StandardStreams"
import { bodyOf, exportedRows, exportOf } from "../support/imports.ts"
import { cli, serviceEnvironment } from "./Cli.ts"
import { importLimits, reportLines, usersAtCommand } from "./Users.ts"

const row = (n: number) => ({ reference: `crm-${n}`, email: `user${n}@example.test` })

const bytesOf = (text: string) => Buffer.from(text, "latin1")

/** Input piped into the command. */
const piped = (text: string) => {
  const streams = Context.get(Context.empty(), StandardStreams)
  async function* input() {
    yield Buffer.from(text)
  }
  return Context.make(StandardStreams, { ...streams, input: input() })
}

describe("users import with bad input", () => {
  test.each([
    ["that is empty", "users.csv", "", "users.csv is empty."],
    ["of blank lines", "users.ndjson", "\n \n", "users.ndjson is empty."],
    [
      "with a JSON document that is cut off",
      "users.json",
      '{"users": [{"reference": "crm-1", "em',
      "The JSON is incomplete: it ends after 0 complete users."
    ],
    [
      "with a JSON document without users",
      "users.json",
      '{\n  "people": [{"reference": "crm-1"}]\n}',
      "The JSON contains no list of users: it is not a list and has none in users."
    ],
    [
      "whose compressed data is cut off",
      "users.ndjson.gz",
      gzipSync("x".repeat(99)).subarray(0, 20),
      "users.ndjson.gz. It is incomplete: the compressed data ends too early."
    ]
  ])("reports a file %s and says what to do", async (_, name, content, happened) => {
    const { write, run } = await usersAtCommand()
    const ended = await run(["import", write(name, content)])
    expect(ended).toMatchObject({ code: 1, out: "" })
    expect(ended.err).toContain(happened)
    expect(ended.err).toMatch(
      /\nNo users were imported\.\n(Export the users again and use the new file|Run the command again)/
    )
  })

  test("reports a missing file", async () => {
    const { run, path } = await usersAtCommand()
    expect((await run(["import", path("nobody.csv")])).err).toBe(
      `Error: Can't read ${path("nobody.csv")}. The file doesn't exist.\nNothing was changed.\nCheck the name and the folder.\n`
    )
  })

  test("imports the lines before an unclosed quotation mark, and continues once the file is fixed", async () => {
    const { write, run, importing } = await usersAtCommand()
    const file = write(
      "users.csv",
      'id,email\n1,a@example.test\n2,b@example.test\n3,"c@example.test\n4,d@example.test\n'
    )
    const stopped = await run(["import", file])
    expect(stopped).toMatchObject({ code: 1, out: "" })
    expect(stopped.err).toContain("A quotation mark on line 4 or right after is never closed")
    expect(stopped.err).toContain("\n2 users were imported, and 0 rows rejected. Run the same command to resume.\n")
    write("users.csv", "id,email\n1,a@example.test\n2,b@example.test\n3,c@example.test\n4,d@example.test\n")
    expect(await importing(file)).toMatchObject({ code: 0, told: { created: 4, rows_of_earlier_runs: 2 } })
  })

  test("rejects a CSV line with too few or too many cells", async () => {
    const { write, read, importing, realm } = await usersAtCommand()
    const file = write(
      "users.csv",
      'id,email,first_name\n1,a@example.test,Ann "Annie" B\n2\n3,c@example.test,C,D\n4,d@example.test,D,\n'
    )
    expect(await importing(file)).toMatchObject({ code: 1, told: { created: 2, refused: 2 } })
    expect(reportLines(read("users.csv.refused.ndjson"))).toMatchObject([
      { line: 3, errors: ["The line has 1 cell, but the header has 3."] },
      { line: 4, errors: ["The line has 4 cells, but the header has 3."] }
    ])
    expect(exportedRows(await exportOf(realm))).toMatchObject([{ first_name: 'Ann "Annie" B' }, {}])
  })

  test.each([
    ["CSV", "users.csv", bytesOf("id,email,last_name\n1,a@example.test,M\u00fcller\n2,b@example.test,Meier\n")],
    [
      "NDJSON",
      "users.ndjson",
      bytesOf(
        '{"reference":"1","email":"a@example.test","last_name":"M\u00fcller"}\n{"reference":"2","email":"b@example.test"}\n'
      )
    ],
    [
      "JSON",
      "users.json",
      bytesOf(
        '[{"reference":"1","email":"a@example.test","last_name":"M\u00fcller"},\n{"reference":"2","email":"b@example.test"}]'
      )
    ]
  ])("rejects %s in Latin-1 unless --encoding latin1 is given", async (_, name, content) => {
    const { write, run, realm } = await usersAtCommand()
    const file = write(name, content)
    const refused = await run(["import", file])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(
      "1 row was rejected.\n" +
        `${file}.refused.ndjson lists them with the reasons. Some are not UTF-8. For files saved by Excel on Windows, use --encoding latin1.`
    )
    expect(await run(["import", file, "--encoding", "latin1"])).toMatchObject({ code: 0 })
    const names = exportedRows(await exportOf(realm)).map(({ last_name: last }) => last)
    expect(names).toContain("M\u00fcller")
  })

  test("reports that --map is only for CSV", async () => {
    const { write, run } = await usersAtCommand()
    const ended = await run(["import", write("users.ndjson", bodyOf([row(1)])), "--map", "mail=email"])
    expect(ended).toMatchObject({ code: 2 })
    expect(ended.err).toContain("--map only works with CSV columns, but the input is JSON.")
  })

  test("imports users from a pipe without a progress file", async () => {
    const { run, realm } = await usersAtCommand()
    expect(await run(["import"], { services: piped(bodyOf([row(1)])) })).toMatchObject({ code: 0 })
    expect(await run(["import", "-"], { services: piped(bodyOf([row(2)])) })).toMatchObject({ code: 0 })
    expect(exportedRows(await exportOf(realm))).toHaveLength(2)
  })

  test("imports the users of a truncated export and then fails", async () => {
    const { write, run, importing } = await usersAtCommand()
    const start = { object: "export", secrets: false }
    const cut = await run(["import", write("cut.ndjson", bodyOf([start, row(1), row(2)]))], {
      services: importLimits(1)
    })
    expect(cut).toMatchObject({ code: 1 })
    expect(cut.err).toContain("The export was cut off: its last line is missing after 2 rows.\n2 users were imported")
    const less = await run([
      "import",
      write("less.ndjson", bodyOf([start, row(3), { object: "export_end", users: 2 }]))
    ])
    expect(less.err).toContain(
      "Users are missing or were added: the export should contain 2 users, but the input has 1 row."
    )
    const whole = write("whole.ndjson", bodyOf([start, row(4), { object: "export_end", users: 1 }]))
    expect((await run(["import", whole])).err).toBe(
      "The export contains no passwords, because it was made with a key below level admin_all_realms.\n"
    )
    expect(await importing(whole)).toMatchObject({ code: 0, told: { unchanged: 1, rows: 1 } })
  })

  test("stops after a hundred lines if no line is an object", async () => {
    const { write, run } = await usersAtCommand()
    const ended = await run(["import", write("users.ndjson", "reference email\n".repeat(300))])
    expect(ended).toMatchObject({ code: 1, out: "" })
    expect(ended.err).toContain(
      "None of the first 100 lines is a JSON object, so the import has stopped. Send one complete object per line, with no array around the lines and no commas between them.\nNo users were imported.\n"
    )
  })
})

describe("users import", () => {
  const importFrom = async (environment: Readonly<Record<string, string>>, answer?: () => Response) => {
    const { at, write, realm } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf([row(1)]))
    return cli(["users", "import", file, "--realm", realm.id], {
      environment: { ...serviceEnvironment(at), ...environment },
      ...(answer === undefined ? {} : { fetch: () => Promise.resolve(answer()) })
    })
  }

  test("reports an API key that the service rejects", async () => {
    const ended = await importFrom({ SALLYPORT_KEY: "sk_wrong" })
    expect(ended).toMatchObject({ code: 1, out: "" })
    expect(ended.err).toMatch(
      /^Error: The service at \S+ rejected the API key: The API key is not valid\.\nNo users were imported\.\nSet SALLYPORT_KEY to an API key of this service/
    )
  })

  test("requires --realm with a key for all realms, unless only one realm exists", async () => {
    const { at, write } = await usersAtCommand()
    await at.given.realm()
    const file = write("users.ndjson", bodyOf([row(1)]))
    const environment = serviceEnvironment(at)
    const asked = await cli(["users", "import", file], { environment })
    expect(asked.err).toBe(
      "Error: This key is for all realms.\nNo users were imported.\nChoose a realm with --realm (sallyport realms list shows all).\n"
    )
    // The test service has many realms. The response lists only the first.
    const fetch: typeof globalThis.fetch = (url, init) =>
      globalThis.fetch(String(url).replace("max_results=2", "max_results=1"), init)
    const only = await cli(["users", "export"], { environment, fetch })
    expect(only.err).toMatch(/\nChoose a realm with --realm\. There is only one: --realm rl_\w+\n$/)
  })

  test("reports an unreachable service", async () => {
    const ended = await importFrom({ SALLYPORT_URL: "http://localhost:1" })
    expect(ended.err).toMatch(
      /^Error: The service at http:\/\/localhost:1 can't be reached: .*\nNo users were imported\.\n/
    )
  })

  test("reports a service with a newer release", async () => {
    const ended = await importFrom({}, () => new Response('{"object": "import_result", "rows_done": 1}\n'))
    expect(ended).toMatchObject({ code: 1 })
    expect(ended.err).toMatch(
      /sent a response that this release \(.+\) can't read\. It is probably newer\.\nNo users were imported\.\nInstall the service's release/
    )
  })

  test("warns about a service with a different clock time", async () => {
    const { write, run } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf([row(1)]))
    const late = async (...request: Parameters<typeof globalThis.fetch>) => {
      const answer = await globalThis.fetch(...request)
      const date = new Date(Date.parse(answer.headers.get("date") ?? "") - 3_660_000).toUTCString()
      return new Response(answer.body, { status: answer.status, headers: { date } })
    }
    expect((await run(["import", file], { fetch: late })).err).toMatch(
      /^Warning: this machine's clock is 61 minutes ahead of the service's\. .* Rows with times in the service's future are rejected\.\n$/
    )
  })
})
