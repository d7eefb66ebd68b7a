import { expect, test } from "vitest"
import { importRows, linesOf, rejections } from "../support/imports.ts"
import { service } from "../support/sallyport.ts"

const list = (element: string, count: number): string => `[${Array(count).fill(element).join(",")}]`

/** A row of almost 1 MiB with the given members. */
const rowWith = (members: string): string => `{"reference":"r","email":"r@example.test",${members}}`

const longRows: ReadonlyArray<readonly [what: string, row: string, problems: ReadonlyArray<string>]> = [
  ["300,000 memberships", rowWith(`"memberships":${list("{}", 300_000)}`), ["memberships too_many"]],
  ["100,000 credentials", rowWith(`"credentials":${list('{"x":1}', 100_000)}`), ["credentials too_many"]],
  [
    "a membership with 400,000 permissions",
    rowWith(`"memberships":[{"permissions":${list("7", 400_000)}}]`),
    ["memberships[0].permissions too_many"]
  ],
  [
    "a membership with 400,000 permissions in one text",
    rowWith(`"memberships":[{"permissions":"${"a ".repeat(400_000)}"}]`),
    ["memberships[0].permissions too_many"]
  ],
  [
    "1,000 memberships with 400 permissions each",
    rowWith(`"memberships":${list(`{"permissions":${list("7", 400)}}`, 1_000)}`),
    ["null too_many_in_all"]
  ],
  ["990 kB of invalid JSON", `${list("1", 490_000)}!`, ["null malformed_row"]]
]

test.each(longRows)("SEC-235: rejects a row with %s without examining its elements", async (_, row, problems) => {
  const realm = await (await service()).given.realm()
  const { result, events } = await realm.seen.during(() => importRows(realm, [row]))
  expect([rejections(result), events]).toEqual([[[1, ...problems]], []])
  expect(result.summary).toMatchObject({ rows: 1, refused: 1 })
})

test("SEC-235: lists at most 20 problems of a row", async () => {
  const realm = await (await service()).given.realm()
  const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, n]))
  const memberships = Array.from({ length: 300 }, () => ({ permissions: [7, 7], expires_at: "x", org: { name: 7 } }))
  const rows = [
    { reference: "1", email: "1@example.test", ...unknown },
    { reference: "2", email: "2@example.test", memberships },
    { reference: "3", email: "3@example.test", memberships: memberships.map(() => ({ org: null, expires_at: 1 })) }
  ]
  const { refused } = await importRows(realm, rows)
  for (const row of refused) {
    const codes = [row["error_details"]].flat().map((detail) => Object(detail).code)
    expect([codes.length, codes.at(-1)]).toEqual(row["line"] === 1 ? [20, "unknown_member"] : [21, "more_problems"])
    expect(JSON.stringify(row).length).toBeLessThan(16_000)
    expect(JSON.stringify(row).split("Members here").length).toBeLessThanOrEqual(3)
  }
  expect(refused.map(({ line }) => line)).toEqual([1, 2, 3])
})

test("SEC-235: limits the length of the response for the worst rows", async () => {
  const realm = await (await service()).given.realm()
  const body = `${longRows.map(([, row]) => row).join("\n")}\n`
  const reply = await realm.post("/v2/imports", body, { "content-type": "application/x-ndjson" })
  expect([reply.status, linesOf(reply.text).length]).toEqual([200, longRows.length + 1])
  expect(reply.text.length).toBeLessThan(body.length / 100)
})

test("imports a row with the maximum number of memberships and permissions", async () => {
  const realm = await (await service()).given.realm()
  const permissions = Array.from({ length: 20 }, (_, n) => `p${n}`)
  const memberships = Array.from({ length: 1_000 }, (_, n) => ({ org: { reference: `o${n}`, name: "O" }, permissions }))
  const imported = await importRows(realm, [{ reference: "r", email: "r@example.test", memberships }])
  expect([rejections(imported), imported.summary]).toMatchObject([[], { created: 1, orgs_created: 1_000 }])
})

test("SEC-235: reports only the first invalid value in a row with more than 1,000 elements", async () => {
  const realm = await (await service()).given.realm()
  const memberships = Array.from({ length: 1_000 }, () => ({ permissions: Array(20).fill(7), org: { name: 7 } }))
  const imported = await importRows(realm, [{ reference: "r", email: "r@example.test", memberships }])
  expect(rejections(imported)).toEqual([[1, "memberships[0].org.name not_text"]])
})
