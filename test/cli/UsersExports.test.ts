import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { type PresetName, presetNames, presets } from "#cli/users/presets/Presets"
import type { SourceRecord } from "#cli/users/Row"
import { isObject } from "#cli/users/Values"
import { authenticate } from "../support/logins.ts"
import { rowsIn, usersAtCommand } from "./Users.ts"

const fileOf = (name: string): URL => new URL(`./exports/${name}`, import.meta.url)

const textIn = (name: string): string => readFileSync(fileOf(name), "utf8")

/**
 * The users in an export, as objects. For a CSV, one object with its columns but without values represents all users.
 */
const recordsIn = (preset: PresetName, name: string): ReadonlyArray<SourceRecord> => {
  const text = textIn(name)
  if (name.endsWith(".ndjson")) {
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  }
  if (name.endsWith(".csv")) {
    const columns = presets[preset].header ?? (text.split("\n", 1)[0] ?? "").replaceAll('"', "").split(",")
    return [Object.fromEntries(columns.map((column) => [column, ""]))]
  }
  const document: unknown = JSON.parse(text)
  const list = isObject(document) ? presets[preset].lists.map((one) => document[one]).find(Array.isArray) : undefined
  return (list ?? []).filter(isObject)
}

/** Hand-made exports with every column of the exporting system, and the expected import results. */
const exports: ReadonlyArray<readonly [PresetName, string, words: ReadonlyArray<string>, told: object]> = [
  [
    "auth0",
    "auth0.ndjson",
    [],
    {
      created: 2,
      left_out: {
        second_factors: 1,
        users_without_login: 1,
        profiles: {},
        columns: {
          nickname: 1,
          picture: 1,
          updated_at: 1,
          last_ip: 1,
          last_password_reset: 1,
          logins_count: 1,
          multifactor_last_modified: 1,
          phone_verified: 1
        }
      }
    }
  ],
  [
    "auth0",
    "auth0-hashes.ndjson",
    [],
    {
      created: 1,
      left_out: {
        users_without_login: 0,
        columns: { password_set_date: 1, tenant: 1, connection: 1, _tmp_is_unique: 1, version: 1 }
      }
    }
  ],
  ["auth0", "auth0.csv", [], { created: 1, left_out: { profiles: {}, columns: { nickname: 1 } } }],
  [
    "firebase",
    "firebase.json",
    [],
    { created: 1, left_out: { passwords: 1, profiles: { "playgames.google.com": 1 }, columns: { photoUrl: 1 } } }
  ],
  [
    "firebase",
    "firebase.csv",
    [],
    {
      created: 1,
      left_out: {
        passwords: 1,
        profiles: {},
        columns: { photoUrl: 1, google_email: 1, google_name: 1, google_photo: 1 }
      }
    }
  ],
  ["cognito", "cognito.csv", [], { created: 1, left_out: { second_factors: 1, columns: { website: 1 } } }],
  [
    "cognito",
    "cognito.json",
    [],
    { created: 2, left_out: { second_factors: 0, profiles: {}, columns: { UserLastModifiedDate: 1 } } }
  ],
  [
    "keycloak",
    "keycloak.json",
    [],
    {
      created: 2,
      left_out: {
        second_factors: 1,
        profiles: { "directory ldap-1": 1 },
        required_actions: { TERMS_AND_CONDITIONS: 1 },
        passed_over: { program: 1 },
        columns: { realmRoles: 2, groups: 1, clientRoles: 1, clientConsents: 1 }
      }
    }
  ],
  [
    "keycloak",
    "keycloak-7.json",
    [],
    {
      created: 1,
      left_out: {
        users_without_login: 0,
        columns: { disableableCredentialTypes: 1, realmRoles: 1, applicationRoles: 1 }
      }
    }
  ],
  [
    "supabase",
    "supabase.csv",
    [],
    {
      created: 1,
      left_out: {
        profiles: { google: 1 },
        locks: { banned_until: 1 },
        passed_over: { guest: 1 },
        columns: { instance_id: 1, aud: 1, role: 1, updated_at: 1, confirmed_at: 1 }
      }
    }
  ],
  [
    "supabase",
    "supabase.json",
    [],
    { created: 1, left_out: { profiles: {}, columns: { aud: 1, role: 1, confirmed_at: 1, updated_at: 1 } } }
  ],
  [
    "devise",
    "devise.csv",
    [],
    {
      created: 2,
      left_out: {
        second_factors: 1,
        locks: { locked_at: 1 },
        columns: { sign_in_count: 2, updated_at: 2, failed_attempts: 1, otp_secret: 1 }
      }
    }
  ]
]

describe("SEC-261: an export of another system", () => {
  test.each(exports)("contains every column in the table of the preset (%s: %s)", (preset, name) => {
    const { columns, prefixes = {}, flatten = (record) => record } = presets[preset]
    const records = recordsIn(preset, name)
    expect(records.length).toBeGreaterThan(0)
    const found = new Set(records.flatMap((record) => [...Object.keys(record), ...Object.keys(flatten(record))]))
    const isKnown = (column: string) =>
      Object.hasOwn(columns, column) || Object.keys(prefixes).some((start) => column.startsWith(start))
    expect([...found].filter((column) => !isKnown(column))).toEqual([])
  })

  test.each(
    exports
  )("is imported, and the report counts omitted values (%s: %s)", async (preset, name, words, told) => {
    const { importing, write, realm } = await usersAtCommand()
    await realm.authProvider({ provider_type: "google" })
    const ended = await importing(write(name, textIn(name)), ["--preset", preset, ...words])
    expect(ended).toMatchObject({ code: 0, told })
    const expected: { readonly left_out?: { readonly columns?: object } } = told
    expect(ended.told.left_out.columns).toEqual(expected.left_out?.columns)
  })

  test("lets Auth0 users log in after an import of both files", async () => {
    const { importing, write, realm } = await usersAtCommand()
    await realm.authProvider({ provider_type: "google" })
    for (const name of ["auth0-hashes.ndjson", "auth0.ndjson"]) {
      expect(await importing(write(name, textIn(name)), ["--preset", "auth0"])).toMatchObject({ code: 0 })
    }
    expect(await rowsIn(realm)).toMatchObject([
      { email: "ada@example.test", custom: { plan: "gold", roles: ["admin"] } },
      { email: "bob@example.test", state: "inactive" }
    ])
    expect((await authenticate(realm, "ada@example.test")).status).toBe(200)
  })

  test.each([
    ["okta.csv", ["secondEmail", "status"]],
    [
      "clerk.csv",
      [
        "primary_email_address",
        "primary_phone_number",
        "verified_email_addresses",
        "unverified_email_addresses",
        "verified_phone_numbers",
        "unverified_phone_numbers",
        "password_hasher"
      ]
    ]
  ])("is rejected without a preset until every column is mapped (%s)", async (name, unknown) => {
    const { run, write, realm } = await usersAtCommand()
    const ended = await run(["import", write(name, textIn(name))])
    expect(ended).toMatchObject({ code: 2, out: "" })
    for (const column of unknown) expect(ended.err).toContain(`Unknown column: ${column}.`)
    expect(await rowsIn(realm)).toEqual([])
  })
})

/** The page's tables, by the heading above each table. */
const tablesOf = (page: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const lines = part.split("\n")
        return [lines[0] ?? "", lines.filter((line) => line.startsWith("| `"))]
      })
  )

test.each(presetNames)("documents every column of the preset %s on the page of import columns", (name) => {
  const { system, columns, prefixes = {} } = presets[name]
  const rows = [
    ...Object.entries(columns).map(([column, { becomes }]) => `| \`${column}\` | ${becomes} |`),
    ...Object.entries(prefixes).map(([start, { becomes }]) => `| \`${start}…\` | ${becomes} |`)
  ]
  const page = readFileSync(new URL("../../docs/import-columns.md", import.meta.url), "utf8")
  expect(tablesOf(page).get(system)).toEqual(rows)
})
