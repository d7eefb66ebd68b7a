import { describe, expect, test } from "vitest"
import { LineReader } from "#http/imports/LineReader"
import { BCRYPT, counts, importRows, OTP_SECRET, type Row } from "../support/imports.ts"
import { newRealm } from "../support/sallyport.ts"

const row = (members: object): Row => ({ reference: "r", email: "r@example.test", ...members })

const app = { credential_type: "totp", name: "Phone", otp_secret: OTP_SECRET }

/** Rows with unknown members, and the suggestion for each member. */
const unknownMembers: ReadonlyArray<readonly [what: string, row: Row, members: Readonly<Record<string, string>>]> = [
  [
    "a user",
    row({ email_verified: true, passwordHash: BCRYPT, firstName: "Jo", membership: [], phone: "1", userId: "1" }),
    {
      email_verified: "email_verification",
      passwordHash: "credentials[].password_hash",
      firstName: "first_name",
      membership: "memberships",
      phone: "custom",
      userId: "reference"
    }
  ],
  [
    "a credential",
    row({ credentials: [app, { ...app, secret: OTP_SECRET, nmae: "Phone" }] }),
    { "credentials[1].secret": "otp_secret", "credentials[1].nmae": "name" }
  ],
  [
    "a membership and its org",
    row({ memberships: [{ role: "owner", org: { reference: "acme", slug: "acme" } }] }),
    { "memberships[0].role": "permissions", "memberships[0].org.slug": "reference" }
  ]
]

describe("unknown or misspelled members", () => {
  test.each(
    unknownMembers
  )("are reported with a suggestion in %s, and the row is rejected", async (_, bad, members) => {
    const realm = await newRealm()
    for (const query of ["?dry_run=true", ""]) {
      const { refused, summary } = await importRows(realm, [bad], query)
      const details = refused[0]?.["error_details"]
      const problems = Array.isArray(details) ? details : []
      expect(problems.map(({ code }) => code)).toEqual(Object.keys(members).map(() => "unknown_member"))
      expect(Object.fromEntries(problems.map(({ field, params }) => [field, params.nearest]))).toEqual(members)
      expect(summary).toMatchObject({ rows: 1, refused: 1 })
    }
    expect((await realm.get("/v2/users")).items).toEqual([])
  })
})

test("the message for an unknown member names the suggestion and all known members", async () => {
  const realm = await newRealm()
  const { refused } = await importRows(realm, [row({ memberships: [{ org: { reference: "a", nmae: "Acme" } }] })])
  expect(refused[0]?.["errors"]).toEqual([
    "Unknown member nmae. Did you mean name? Members here: id, reference, name, state, custom, created_at."
  ])
})

/** Lines that are not rows, with the expected message. */
const invalidLines: ReadonlyArray<readonly [line: string, message: string]> = [
  [
    '{"reference": "r",}',
    "The line is not valid JSON from character 19 on. Send one complete object per line, with no commas between the lines."
  ],
  [
    '{"reference": nope}',
    "The line is not valid JSON from character 16 on. Send one complete object per line, with no commas between the lines."
  ],
  ['{"reference": -', "The line ends inside an object. Send one complete object per line, without line breaks in it."],
  ["{", "The line ends inside an object. Send one complete object per line, without line breaks in it."],
  [
    '[{"reference": "r"}]',
    "The line is an array, or the start of one. Send each of its objects on a separate line, with no array around them."
  ],
  ["true", "The line is not a JSON object. Send one complete object per line."],
  ['{"user": {"reference": "r"}}', "Rows have no wrapper. Send the members of user at the top of the row."]
]

test.each(invalidLines)("the error for the line %s explains the problem", async (line, message) => {
  const { refused } = await importRows(await newRealm(), [line])
  expect(refused.map((one) => one["errors"])).toEqual([[message]])
})

test("the message for a duplicate row names the line of the first row, even across batches", async () => {
  const realm = await newRealm()
  const between = Array.from({ length: 450 }, (_, n) => ({ reference: `crm-${n}`, email: `user-${n}@example.test` }))
  const { refused } = await importRows(realm, [row({}), row({}), ...between, row({})])
  expect(refused.map((one) => [one["line"], one["errors"], one["error_details"]])).toMatchObject(
    [2, 453].map((line) => [
      line,
      ["Reference already appears on line 1. Only the first of the two rows is imported."],
      [{ field: "reference", code: "repeated_row", params: { line: 1 } }]
    ])
  )
})

test("an invalid custom attribute is reported with its key as field name", async () => {
  const bad = row({ custom: { legacy: {} }, memberships: [{ org: null, custom: { "a-b": 1, list: [[]] } }] })
  const { refused } = await importRows(await newRealm(), [bad])
  expect(refused.map((one) => [one["errors"], one["error_details"]])).toMatchObject([
    [
      [
        'The custom attribute "legacy" must be text, a number, true, false, null, or an array of those. Flatten an object, or send it as JSON text.',
        'The custom attribute "list" must be text, a number, true, false, null, or an array of those. Flatten an object, or send it as JSON text.'
      ],
      [
        { field: "custom.legacy", code: "custom_value", params: { key: "legacy" } },
        { field: "memberships[0].custom.list", code: "custom_value", params: { key: "list" } }
      ]
    ]
  ])
})

test("the message for a problem inside a list names its position, in both languages", async () => {
  const realm = await newRealm()
  const body = JSON.stringify(row({ credentials: [{ credential_type: "totp", name: "Phone" }] }))
  const messagesIn = async (language: string) => {
    const headers = { "content-type": "application/x-ndjson", "accept-language": language }
    return JSON.parse((await realm.post("/v2/imports", body, headers)).text.split("\n")[0] ?? "").errors
  }
  expect(await messagesIn("en")).toEqual(["OTP secret (credentials[0]) can't be blank."])
  expect(await messagesIn("es")).toEqual(["Secreto TOTP (credentials[0]): no puede estar en blanco."])
})

test("a conflicting value is reported with the line or the user that already has the value", async () => {
  const realm = await newRealm()
  const { id } = await realm.user({ email: "here@example.test" })
  // There is more than one batch of rows between the named line and the rejected one.
  const between = Array.from({ length: 450 }, (_, n) => ({ reference: `crm-${n}`, email: `user-${n}@example.test` }))
  const rows = [
    row({}),
    { reference: "same", email: "r@example.test" },
    { reference: "user", email: "here@example.test" },
    ...between,
    { reference: "far", email: "user-0@example.test" }
  ]
  for (const query of ["?dry_run=true", ""]) {
    const { refused } = await importRows(realm, rows, query)
    expect(refused.map(({ error_details: details }) => details)).toMatchObject([
      [{ field: "email", code: "taken", params: { line: 1 } }],
      [{ field: "email", code: "taken", params: { user_id: id } }],
      [{ field: "email", code: "taken", params: { line: 4 } }]
    ])
  }
})

test("times are accepted in ISO 8601, as other systems export them", async () => {
  const realm = await newRealm()
  const at = { created_at: "2020-05-20T18:40:00.250Z", last_login_at: "2020-05-20T20:40:00+02:00" }
  expect(counts(await importRows(realm, [row(at)]))["created"]).toBe(1)
  expect((await realm.get("/v2/users/r@example.test")).body).toMatchObject({
    created_at: 1_590_000_000.25,
    last_login_at: 1_590_000_000
  })
})

test("the error distinguishes a line that is too long from a line that isn't UTF-8", () => {
  const reader = new LineReader()
  const lines = [
    ...reader.push(Buffer.from([0xff, 10])),
    ...reader.push(Buffer.alloc(1024 * 1024 + 1, "x")),
    ...reader.end()
  ]
  expect(lines.map(({ number, unreadable }) => [number, unreadable])).toEqual([
    [1, "line_not_utf8"],
    [2, "line_too_long"]
  ])
})
