import { describe, expect, test } from "vitest"
import type { Schema } from "../suite/Relations.ts"
import { checkStatements } from "../suite/TenantStatements.ts"

const schema: Schema = {
  columns: new Map([
    ["realms", ["id", "name", "deleted_at"]],
    ["users", ["realm_id", "id", "name"]],
    ["events", ["realm_id", "id", "user_id"]],
    ["api_keys", ["id", "realm_id", "key_digest"]],
    ["quotas", ["subject", "used"]]
  ]),
  realmColumn: new Map([
    ["realms", "id"],
    ["users", "realm_id"],
    ["events", "realm_id"],
    ["api_keys", "realm_id"]
  ])
}

const problemsOf = (text: string) =>
  checkStatements(schema, [{ text, file: "A.test.ts" }], { lookups: [], copied: {} }).problems.map(
    (each) => each.split(", first in ")[0]
  )

describe("the check that a statement binds the realm of each row", () => {
  test.each([
    "select * from users where realm_id = $1 and id = $2",
    "select * from users u where $1 = u.realm_id::text",
    "select * from users where (realm_id, id) = ($1, $2)",
    "select * from users where realm_id in ($1, 'rl_0')",
    "select * from users where realm_id = any($1::text[])",
    "select * from users where (realm_id, id) in (select n.realm, n.id from json_to_recordset($1::json) as n (realm text, id text))",
    "select * from quotas where subject = $1",
    "select from realms r join users u on u.realm_id = r.id join events e on e.realm_id = u.realm_id where r.id = $1",
    "select from users u left join events e on e.realm_id = u.realm_id where u.realm_id = $1",
    "select from users u join events e using (realm_id) where e.realm_id = $1",
    "select from users u where u.realm_id = $1 and exists (select from events e where e.realm_id = u.realm_id)",
    "select (select count(*) from events e where e.realm_id = u.realm_id) from users u where u.realm_id = $1",
    "select from realms r cross join lateral (select id from users u where u.realm_id = r.id limit 1) u where r.id = $1",
    "select from (select realm_id, id from users) u where u.realm_id = $1",
    "select from (select * from users union all select * from users) u where u.realm_id = $1",
    "(select id from users where realm_id = $1 limit 1) union all (select id from users where realm_id = $1)",
    "with r as (select $1::text as realm_id) select from r join users u on u.realm_id = r.realm_id",
    "with gone as (delete from users where realm_id = $1 returning *) select from gone g join events e on e.realm_id = g.realm_id",
    "insert into users (id, realm_id) values ($1, $2), ($3, $4)",
    "insert into users select before.realm_id, r.id from (select $1::text as realm_id) before, json_populate_recordset(null::users, $2) r",
    "insert into users (realm_id, id) values ($1, $2) on conflict (realm_id, id) do update set name = excluded.name",
    "update users u set name = e.id from events e where u.realm_id = e.realm_id and e.realm_id = $1",
    "delete from events e using users u where u.realm_id = $1 and e.realm_id = u.realm_id",
    "delete from users where realm_id = $1 and ctid = any(array(select ctid from users where realm_id = $1 for update skip locked))"
  ])("accepts: %s", (text) => {
    expect(problemsOf(text)).toEqual([])
  })

  test.each([
    ["select * from users where id = $1", ["no realm binds the rows of users, found by id"]],
    ["select * from users", ["no realm binds the rows of users, found by nothing"]],
    ["select * from users where realm_id = $1 or id = $2", ["no realm binds the rows of users, found by id, realm_id"]],
    ["select * from users where realm_id <> $1", ["no realm binds the rows of users, found by realm_id"]],
    ["select * from users where realm_id = id", ["no realm binds the rows of users, found by id, realm_id"]],
    [
      "select from users u join events e on e.user_id = u.id where u.realm_id = $1",
      ["no realm binds the rows of events, found by user_id"]
    ],
    [
      "select from users u left join events e on u.realm_id = $1 and e.realm_id = $1",
      ["no realm binds the rows of users, found by realm_id"]
    ],
    [
      "select from users u where u.realm_id = $1 and exists (select from events e where e.user_id = u.id)",
      ["no realm binds the rows of events, found by user_id"]
    ],
    [
      "select from users u where exists (select from events e where e.realm_id = $1)",
      ["no realm binds the rows of users, found by nothing"]
    ],
    ["select (select name from users where id = $1)", ["no realm binds the rows of users, found by id"]],
    [
      "select from (select realm_id from users limit 10) u where u.realm_id = $1",
      ["no realm binds the rows of users, found by nothing"]
    ],
    [
      "select from (select realm_id, row_number() over () from users) u where u.realm_id = $1",
      ["no realm binds the rows of users, found by nothing"]
    ],
    [
      "with u as (select * from users) select from u where realm_id = $1",
      ["no realm binds the rows of users, found by nothing"]
    ],
    ["insert into users (id) values ($1)", ["no realm binds the rows of users, found by nothing"]],
    [
      "insert into users (realm_id, id) select realm_id, id from events where id = $1",
      ["no realm binds the rows of users, found by nothing", "no realm binds the rows of events, found by id"]
    ],
    [
      "insert into users (realm_id, id) values ($1, $2) on conflict (id) do update set name = ''",
      ["a conflict on users that does not include the realm"]
    ],
    ["update users set realm_id = $1 where realm_id = $2", ["rows of users may move to another realm"]],
    [
      "update users u set name = '' from events e where u.id = e.user_id and e.realm_id = $1",
      ["no realm binds the rows of users, found by id"]
    ],
    [
      "delete from users where ctid = any(array(select ctid from users where realm_id = $1))",
      ["no realm binds the rows of users, found by ctid"]
    ],
    [
      "with recursive n (realm_id) as (select realm_id from users where realm_id = $1 union all select u.realm_id from users u join n on n.realm_id = u.realm_id) select from n",
      ["no realm binds the rows of users, found by realm_id"]
    ],
    [
      "select from users natural join events where realm_id = $1",
      ["a natural or named join, which the gate can't read", "no realm binds the rows of events, found by nothing"]
    ],
    [
      "select from unnest($1::text[]) x where exists (select from users where realm_id = id)",
      ["no realm binds the rows of users, found by id, realm_id"]
    ],
    [
      "merge into users u using events e on u.id = e.id when matched then delete",
      ["a MergeStmt, which the gate can't read", "tables in 2 places, which the gate can't read"]
    ]
  ])("rejects: %s", (text, found) => {
    expect(problemsOf(text)).toEqual(found)
  })
})

describe("a listed lookup", () => {
  const list = {
    lookups: [
      { tables: ["users"], by: ["name"], in: /^select name/, reason: "a list of all", distributed: "a page of each" }
    ],
    copied: { api_keys: "found before its realm is known" }
  }
  const check = (...texts: ReadonlyArray<string>) =>
    checkStatements(
      schema,
      texts.map((text) => ({ text, file: "A.test.ts" })),
      list
    ).problems
  const listing = "select name from users order by name limit 1"
  const keys = "select from api_keys where id = $1"

  test("replaces a realm condition, and also binds the joined rows", () => {
    expect(
      check(listing, "select from api_keys k join users u on u.realm_id = k.realm_id where k.key_digest = $1")
    ).toEqual([])
  })

  test("applies only to the listed table, columns and statements, and is reported if unused", () => {
    expect(check(keys)).toEqual(["no statement needs the look-up of users by name"])
    expect(check(listing)).toEqual(["no statement needs a copy of api_keys on each node"])
    for (const text of [
      "select name from users where id = $1",
      "select id from users order by name",
      "select from events order by id"
    ]) {
      expect(check(listing, keys, text)).toEqual([expect.stringMatching(/^no realm binds the rows of/)])
    }
  })
})
