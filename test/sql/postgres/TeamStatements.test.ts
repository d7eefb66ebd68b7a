import * as Redacted from "effect/Redacted"
import { afterAll, beforeAll, expect, test } from "vitest"
import { Given, type GivenRealm } from "#testing/Given"
import { type Started, start } from "#testing/promise"
import { appAt } from "../../external/BrowserLogins.ts"
import { freshDatabase } from "../../support/databases.ts"
import { BCRYPT, importRows } from "../../support/imports.ts"
import { visibleText } from "../../support/pages.ts"
import { OWNER, roles, VIEWER } from "../../support/teams.ts"
import { Visitor } from "../../support/visitor.ts"
import { type ObservedPostgres, observePostgres } from "../../support/wireStatements.ts"

let observed: ObservedPostgres
let started: Started
let realm: GivenRealm
let origin: string

beforeAll(async () => {
  const database = await freshDatabase()
  if (database._tag !== "Postgres") throw new Error("These tests need PostgreSQL.")
  observed = await observePostgres(Redacted.value(database.url))
  started = await start({ database: { ...database, url: observed.url } })
  realm = await new Given(started.url, started.key).realm({ roles })
  origin = (await appAt(realm)).origin
})

afterAll(async () => {
  await started.stop()
  observed.close()
})

/** The owner, logged in, of an org with this many members. */
const ownerOf = async (members: number) => {
  const org = { reference: `crew-${members}`, name: `Crew of ${members}` }
  const rows = Array.from({ length: members }, (_, n) => ({
    reference: `member-${members}-${n}`,
    email: `member-${n}@crew-${members}.test`,
    first_name: `Member ${String(n).padStart(4, "0")}`,
    credentials: [{ credential_type: "password", password_hash: BCRYPT }],
    memberships: [{ org, permissions: n === 0 ? OWNER : VIEWER }]
  }))
  expect((await importRows(realm, rows)).refused).toEqual([])
  const visitor = new Visitor(realm.transport, origin)
  await visitor.logIn(`member-0@crew-${members}.test`)
  return visitor
}

/** The minimum number of statements in five visits, because keys and realms are reloaded into memory once a second. */
const statementsOf = async (visitor: Visitor, path: string) => {
  let fewest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round += 1) {
    observed.statements.length = 0
    expect((await visitor.open(path)).status).toBe(200)
    fewest = Math.min(fewest, observed.statements.length)
  }
  return fewest
}

const shown = ({ page }: Visitor) => new Set(visibleText(page).match(/Member \d{4}/g)).size

test("C211: the page of a team takes as many statements for 3,600 members as for 36", async () => {
  const [small, large] = [await ownerOf(36), await ownerOf(3_600)]
  const first = await statementsOf(small, "/team")
  expect([await statementsOf(large, "/team"), shown(small), shown(large)]).toEqual([first, 36, 50])
  const next = /href="(team[^"]*after=[^"]*)"/.exec(large.page.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
  expect([await statementsOf(large, `/${next}`), shown(large)]).toEqual([first, 50])
  for (const search of ["member 003", "member-35@", "nobody", "M"]) {
    const path = `/team?search=${encodeURIComponent(search)}`
    expect([search, await statementsOf(large, path)]).toEqual([search, await statementsOf(small, path)])
  }
  await large.open("/team?search=member%203599")
  expect([shown(large), visibleText(large.page).includes("member-3599@crew-3600.test")]).toEqual([1, true])
})
