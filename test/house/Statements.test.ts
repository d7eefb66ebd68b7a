import { expect, test } from "vitest"
import { missingStatements, partsOf, shapeOf } from "../suite/Statements.ts"

const ran = (...texts: ReadonlyArray<string>) => new Map(texts.map((text) => [shapeOf(text), "test/v2/Orgs.test.ts"]))

const known = ["select id from orgs where realm_id = $1", "insert into orgs (id, name) values ($1, $2)"]

test("a statement that ran on only one database is reported with the file that ran the statement", () => {
  const planted = "select id from orgs where realm_id = $1 for share"
  expect(missingStatements(ran(...known, planted), ran(...known))).toEqual([
    ["select id from orgs where realm_id = ? for share", "test/v2/Orgs.test.ts"]
  ])
  expect(missingStatements(ran(...known), ran(...known, planted))).toEqual([])
})

test("statements differ by conditions and columns, but not by values or layout", () => {
  expect(shapeOf("select id\n  from orgs where id in ($1,$2, $3)")).toBe(
    shapeOf("select id from orgs where id in ($4, $5)")
  )
  expect(shapeOf("insert into t (a) values ($1, $2), ($3, $4)")).toBe(
    shapeOf("insert into t (a) values ($1, $2), ($3, $4), ($5, $6)")
  )
  const merged = (...states: ReadonlyArray<string>) =>
    shapeOf(states.map((state) => `(select id from orgs where state = '${state}' limit $1)`).join(" union all "))
  expect(merged("active", "closed")).toBe(merged("inactive", "active", "closed"))
  expect(merged("active")).not.toBe(merged("active", "closed"))
  const [one = ""] = known
  for (const other of [`${one} and state = $2`, one.replace("id", "id, name"), one.replace("orgs", "users")]) {
    expect(shapeOf(other)).not.toBe(shapeOf(one))
  }
})

test("a combined statement counts as its parts, whatever their number", () => {
  const parts = (...writes: ReadonlyArray<string>) =>
    partsOf(
      `with realm as (select $1), step0 as (select a)${writes
        .map((write, index) => `, step${index + 1} as (insert into ${write} select $2 from step${index} returning 1)`)
        .join("")} select a`
    ).map(shapeOf)
  const [users, orgs, both] = [parts("users"), parts("orgs"), parts("users", "orgs")]
  expect(both.filter((part) => !users.includes(part) && !orgs.includes(part))).toEqual([])
  expect(both).toContain("insert into users select ? from step")
  expect(parts("users").filter((part) => !orgs.includes(part))).toEqual(["insert into users select ? from step"])
})
