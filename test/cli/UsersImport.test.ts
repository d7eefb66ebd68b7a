import { gzipSync } from "node:zlib"
import { describe, expect, test } from "vitest"
import { BCRYPT, bodyOf, exportedRows, exportOf } from "../support/imports.ts"
import { authenticate } from "../support/logins.ts"
import { importLimits, reportLines, usersAtCommand } from "./Users.ts"

const row = (n: number) => ({ reference: `crm-${n}`, email: `user${n}@example.test` })

const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index + 1))

describe("users import", () => {
  test("imports NDJSON and reports the result", async () => {
    const { write, run, realm } = await usersAtCommand()
    const file = write(
      "users.ndjson",
      bodyOf([{ ...row(1), credentials: [{ credential_type: "password", password_hash: BCRYPT }] }, row(2)])
    )
    const ended = await run(["import", file])
    expect(ended).toMatchObject({ code: 0, err: "" })
    expect(ended.out).toMatch(/^Processed 2 rows in [\d.]+ s:\n  2 created\n$/)
    expect((await authenticate(realm, "user1@example.test")).status).toBe(200)
    expect((await run(["import", file])).out).toMatch(/\n  0 created\n  2 unchanged\n$/)
  })

  test("reads a CSV by its column names, including semicolons, quotes, a BOM and Windows line endings", async () => {
    const { write, importing, realm } = await usersAtCommand()
    const file = write(
      "users.csv",
      [
        "\ufeffId;E-Mail;First Name;last_name;email verified;password_hash;Created At;custom.plan;org_reference;org_name;permissions",
        `7;Ada@Example.test;Ada;"Love;lace, ""Countess"" of
two lines";true;${BCRYPT};2020-05-20T18:40:00Z;gold;acme;Acme;ar:owner billing:read`,
        "8;bob@example.test;Bob;;no;;1590000000;;;;"
      ].join("\r\n")
    )
    expect(await importing(file)).toMatchObject({ code: 0, told: { created: 2, orgs_created: 1 } })
    const [ada, bob] = exportedRows(await exportOf(realm))
    expect(ada).toMatchObject({
      reference: "7",
      email: "ada@example.test",
      first_name: "Ada",
      last_name: 'Love;lace, "Countess" of\ntwo lines',
      email_verification: "verified",
      custom: { plan: "gold" },
      created_at: 1_590_000_000,
      credentials: [{ password_hash: BCRYPT }],
      memberships: [{ org: { reference: "acme", name: "Acme" }, permissions: ["ar:owner", "billing:read"] }]
    })
    expect(bob).toMatchObject({
      email_verification: "none",
      created_at: 1_590_000_000,
      credentials: [],
      memberships: []
    })
  })

  test("maps columns with --map and omits a column mapped to nothing", async () => {
    const { write, importing, realm } = await usersAtCommand()
    const file = write("users.csv", "customer,contact,tier,notes\n7,ada@example.test,gold,nobody's business\n")
    const maps = ["customer=reference", "contact=email", "tier=custom.plan", "notes="].flatMap((map) => ["--map", map])
    expect(await importing(file, maps)).toMatchObject({ code: 0 })
    expect(exportedRows(await exportOf(realm))).toMatchObject([
      { reference: "7", email: "ada@example.test", custom: { plan: "gold" } }
    ])
  })

  test.each([
    [
      "id,e-mial",
      [],
      [
        "Unknown column: e-mial. Did you mean email?",
        "Map each column, for example:\n  --map 'e-mial=email'\n",
        "--map 'e-mial=' skips it.",
        "Members: id, reference,"
      ]
    ],
    [
      "id,email,password_hsh,plan",
      [],
      ["Unknown column: plan.", "\n  --map 'password_hsh=password_hash' --map 'plan=custom.plan'\n"]
    ],
    [
      "id,email,pw,plan",
      [],
      ["Unknown column: pw. It looks like a secret:", "\n  --map 'pw=' --map 'plan=custom.plan'\n"]
    ],
    [
      "id,email,custom.plan",
      ["--map", "custom.plan=custm.plan"],
      ["users have no member custm.plan. Did you mean custom.plan?"]
    ],
    ["email,first_name", [], ["No column is the reference", "Choose it, as in --map customer_no=reference."]],
    [
      "id,email,pl'an\u001b[2J",
      ["--map", "mail=email"],
      ["--map mail=email: there is no column mail.", "Columns: id, email, pl'an [2J."]
    ],
    ["id,email,pl'an\u001b[2J", [], ["Unknown column: pl'an [2J.", "--map 'pl'\\''an [2J=custom.pl_an__2J'\n"]],
    ["id,email", ["--map", "mail=email"], ["--map mail=email: there is no column mail.", "Columns: id, email."]],
    ["id,email", ["--map", "email=emial"], ["--map email=emial: users have no member emial. Did you mean email?"]],
    ["id,email", ["--map", "email"], ["--map email is not a valid mapping.", "Write --map column=member"]],
    ["id,email,email", [], ["Two columns are named email."]],
    ["id,reference,email", [], ["The columns id and reference are both reference.", "--map 'reference='"]],
    ["7,ada@example.test", [], ["its first line is not a header"]]
  ])("rejects a CSV that starts with %s %j as wrong usage, without sending a request", async (header, words, sentences) => {
    const { write, run } = await usersAtCommand()
    const ended = await run(["import", write("users.csv", `${header}\n7,ada@example.test\n`), ...words], {
      fetch: () => Promise.reject(new Error("Nothing may be sent."))
    })
    expect(ended).toMatchObject({ code: 2, out: "" })
    for (const sentence of sentences) expect(ended.err).toContain(sentence)
  })

  test("lists rejected rows in a report with their lines, and exits with 1", async () => {
    const { write, read, path, importing, run } = await usersAtCommand()
    const file = write(
      "users.ndjson",
      [
        JSON.stringify(row(1)),
        "",
        JSON.stringify({ ...row(2), credentials: [{ credential_type: "password", password_hash: "md5:abc" }] }),
        JSON.stringify({ ...row(3), email_verified: true }),
        JSON.stringify(row(1)),
        '{"reference": "crm-5", "email"',
        "[1, 2]",
        `{"reference": "crm-6", "email": "${"x".repeat(1_050_000)}"}`
      ].join("\r\n")
    )
    const ended = await importing(file)
    expect(ended).toMatchObject({ code: 1, told: { created: 1, refused: 6, report: `${file}.refused.ndjson` } })
    expect(JSON.parse(ended.err)).toMatchObject({ error: { happened: "6 rows were rejected." } })
    expect(reportLines(read("users.ndjson.refused.ndjson"))).toEqual([
      {
        line: 3,
        reference: "crm-2",
        email: "user2@example.test",
        errors: [
          expect.stringMatching(
            /^Password hash \(credentials\[0\]\) is not in an accepted format\. Accepted are argon2id/
          )
        ]
      },
      {
        line: 4,
        reference: "crm-3",
        email: "user3@example.test",
        errors: [expect.stringMatching(/^Unknown member email_verified\. Did you mean email_verification\?/)]
      },
      {
        line: 5,
        reference: "crm-1",
        email: "user1@example.test",
        errors: ["Reference already appears on line 1. Only the first of the two rows is imported."]
      },
      { line: 6, reference: null, email: null, errors: [expect.stringContaining("The line ends inside an object.")] },
      { line: 7, reference: null, email: null, errors: [expect.stringContaining("The line is an array")] },
      { line: 8, reference: null, email: null, errors: ["The line is longer than 1 MiB."] }
    ])
    const named = await run(["import", file, "--report", path("why.ndjson")])
    const [shown = "", told] = named.err.split(/(?=Error: )/)
    expect(shown).toMatch(
      /^  line 3 \(crm-2\): Password hash .{100,160}…\n  line 4 \(crm-3\): Unknown member email_verified\..*\n  line 5 .*\n  line 6: .*\n  line 7: The line is an array.*\n  and 1 other row\n$/
    )
    expect(told).toBe(
      `Error: 6 rows were rejected.\n${path("why.ndjson")} lists them with the reasons. Fix them and run the command again; imported users won't change.\n`
    )
    expect(read("why.ndjson")).toBe(read("users.ndjson.refused.ndjson"))
  })

  test("names the user who already has a rejected row's value", async () => {
    const { write, read, importing, realm } = await usersAtCommand()
    const ada = await realm.user({ email: "ada@example.test" })
    const file = write(
      "users.csv",
      "id,email,hash,role\n1,bob@example.test,,\n2,bob@example.test,,\n3,Ada@example.test,,\n4,eve@example.test,md5:abc,\n"
    )
    expect(await importing(file)).toMatchObject({ code: 1, told: { created: 1, refused: 3 } })
    expect(reportLines(read("users.csv.refused.ndjson"))).toMatchObject([
      { line: 3, errors: ["Email has already been taken. Line 2 has it."] },
      { line: 4, errors: [`Email has already been taken. User ${ada.id} has it.`] },
      { line: 5, errors: [expect.stringMatching(/^The column hash is not in an accepted format\. Accepted are/)] }
    ])
  })

  test("reports a reference used in two requests with the line of its first use", async () => {
    const { write, read, importing } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf([row(1), row(2), row(3), row(1)]))
    expect(await importing(file, [], { services: importLimits(2) })).toMatchObject({
      code: 1,
      told: { created: 3, refused: 1 }
    })
    expect(reportLines(read("users.ndjson.refused.ndjson"))).toMatchObject([
      {
        line: 4,
        reference: "crm-1",
        errors: ["Reference already appears on line 1. Only the first of the two rows is imported."]
      }
    ])
  })

  test("doesn't import users or store progress in a dry run", async () => {
    const { write, run, realm } = await usersAtCommand()
    const file = write("users.ndjson", bodyOf(rows(3)))
    const ended = await run(["import", file, "--dry-run"], { services: importLimits(2) })
    expect(ended.out).toMatch(
      /^Checked 3 rows in [\d.]+ s\. Nothing was written\. An import would do this:\n  3 created\n$/
    )
    expect(exportedRows(await exportOf(realm))).toEqual([])
  })

  test("C118: returns the same counts in a dry run as in the import, across requests", async () => {
    const { write, read, importing, realm } = await usersAtCommand()
    await realm.post("/v2/orgs", { org: { name: "Globex", reference: "globex" } })
    const of = (n: number, org: object, more = {}) => ({ ...row(n), memberships: [{ org }], ...more })
    const [acme, globex, initech] = ["acme", "globex", "initech"].map((reference) => ({ reference }))
    const lines = [
      of(1, { ...acme, name: "Acme" }),
      of(2, { ...acme }, { username: "two" }),
      of(3, { ...globex }, { email: "no address" }),
      of(4, { ...initech, name: "Initech" }, { email: "User1@example.test" }),
      of(5, { ...globex }, { username: "TWO" }),
      of(6, { ...acme }, { email: "user4@example.test" }),
      of(7, { ...initech, name: "Initech" })
    ]
    const file = write("users.ndjson", bodyOf(lines))
    const dry = await importing(file, ["--dry-run"], { services: importLimits(2) })
    const listed = read("users.ndjson.refused.ndjson")
    expect(reportLines(listed).map(({ line, errors }) => [line, errors])).toEqual([
      [3, [expect.stringContaining("mail")]],
      [4, ["Email has already been taken. Line 1 has it."]],
      [5, ["Username has already been taken. Line 2 has it."]]
    ])
    const counts = { created: 4, updated: 0, unchanged: 0, refused: 3, orgs_created: 2 }
    expect([dry.code, dry.told]).toMatchObject([1, { dry_run: true, ...counts }])
    const real = await importing(file, [], { services: importLimits(2) })
    expect([real.code, real.told]).toMatchObject([1, { dry_run: false, ...counts }])
    expect(read("users.ndjson.refused.ndjson")).toBe(listed)
    // In the second run, the users with these values exist and are also in the file.
    const again = await importing(file)
    expect(again.told).toMatchObject({ created: 0, unchanged: 4, refused: 3, orgs_created: 0 })
    expect(read("users.ndjson.refused.ndjson")).toBe(listed)
  })

  test("records no events by default, and one event per change with --events", async () => {
    const { write, importing, realm } = await usersAtCommand()
    const quiet = await realm.seen.caused(() => importing(write("one.ndjson", bodyOf([row(1)]))))
    expect(quiet.map(({ event_type: type }) => type)).toEqual(["realm.importing", "realm.imported"])
    const changes = await realm.seen.caused(() => importing(write("two.ndjson", bodyOf([row(2)])), ["--events"]))
    expect(changes.map(({ event_type: type }) => type).toSorted()).toEqual([
      "realm.imported",
      "realm.importing",
      "user.created"
    ])
  })

  test.each([
    ["NDJSON, packed", "users.ndjson.gz", gzipSync(bodyOf(rows(2)))],
    ["an array", "users.json", JSON.stringify(rows(2), null, 2)],
    ["a document", "users.json", JSON.stringify({ at: { users: [1] }, users: rows(2) })],
    ["one object per line, in a file named .json", "users.json", bodyOf(rows(2))],
    [
      "CSV, in a file without an extension",
      "users",
      "reference,email\ncrm-1,user1@example.test\ncrm-2,user2@example.test\n"
    ],
    [
      "UTF-16 with tabs, as Excel saves Unicode text",
      "users.txt",
      Buffer.from("\ufeffid\temail\n1\ta@example.test\n2\tb@example.test\n", "utf16le")
    ]
  ])("reads %s", async (_, name, content) => {
    const { write, importing } = await usersAtCommand()
    expect(await importing(write(name, content))).toMatchObject({ code: 0, told: { created: 2 } })
  })
})
