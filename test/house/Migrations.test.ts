import { Effect } from "effect"
import { expect, test } from "vitest"
import { migration, readMigrations } from "#sql/MigrationFiles"
import { FIRST_CHECKED, migrationProblems } from "../suite/MigrationRules.ts"

const earlier = [
  migration(
    "0001_things.sql",
    `create table things (id text primary key, name text, size integer);
    alter table things add constraint things_named check (name is not null) not valid;
    alter table things validate constraint things_named`
  )
]

const unsafe = (text: string) => migrationProblems(migration("0002_change.sql", text), earlier)

test("RG-14: every migration after the first release is safe while nodes of the previous release run", async () => {
  const all = await Effect.runPromise(readMigrations())
  const found = all.flatMap((each, index) =>
    each.version < FIRST_CHECKED
      ? []
      : migrationProblems(each, all.slice(0, index)).map((what) => `${each.name}: ${what}`)
  )
  expect(found).toEqual([])
  expect(all.length).toBeGreaterThan(5)
})

test.each([
  "alter table things add column colour text",
  "alter table things add column colour text not null default 'red'",
  "alter table things add constraint sized check (size > 0) not valid; alter table things validate constraint sized",
  "alter table things alter column size set default 1",
  "create function note() returns trigger language plpgsql as 'begin return null; end'; create trigger noted after update on things for each row execute function note()",
  "alter table things alter column name set not null",
  "create table others (id text primary key, thing_id text references things (id)); create index others_by_thing on others (thing_id)",
  "-- without a transaction: the index of a large table\ndrop index concurrently if exists by_name; create index concurrently by_name on things (name)",
  "-- contract after 0001: nobody reads the size anymore\nalter table things drop column size",
  "-- contract after 0001: the table has no readers any more\ndrop table things"
])("a migration is safe: %s", (text) => {
  expect(unsafe(text)).toEqual([])
})

test.each([
  ["drop table things", "something is dropped that older nodes still use"],
  [
    "create trigger noted before update on things for each row execute function note()",
    "a trigger runs before a change, and so may alter what older nodes write"
  ],
  ["alter table things drop column size", "things.size is dropped, which older nodes still use"],
  [
    "alter table things rename to items",
    "something is renamed, so older or newer nodes don't know it: add it under the new name"
  ],
  ["-- contract after 0001: \nalter table things rename size to extent", "something is renamed, so"],
  ["alter table things alter column size set not null", "things.size becomes not null without a validated check"],
  ["alter table things alter column size type bigint", "the type of things.size changes, which rewrites the table"],
  [
    "alter table things add column at timestamptz default clock_timestamp()",
    "the default of at is computed for each row"
  ],
  [
    "alter table things add column at timestamptz default current_timestamp",
    "the default of at is computed for each row"
  ],
  ["alter table things add column colour text not null", "colour is not null and has no default"],
  ["alter table things add column colour text unique", "colour comes with a constraint, which reads the whole table"],
  ["alter table things add constraint sized check (size > 0)", "the constraint sized is validated under a lock"],
  ["alter table things add constraint sized unique (size)", "the constraint sized creates its index under a lock"],
  ["alter table things alter column size drop default", "the default of things.size is dropped, which older nodes"],
  ["alter table things alter column name drop not null", "things.name may become null, which older nodes"],
  [
    "create index by_name on things (name)",
    "the index by_name is created while nobody can write: create it concurrently"
  ],
  ["create index concurrently by_name on things (name)", "concurrently needs a separate file"],
  [
    "-- without a transaction: large\ncreate index concurrently by_name on things (name)",
    "the index by_name may already exist"
  ],
  [
    "-- without a transaction: large\nalter table things add column colour text",
    "AlterTableStmt needs no file without"
  ],
  ["drop index by_name", "an index is dropped under a lock: drop it concurrently"],
  ["update things set size = 1", "rows are changed all at once"],
  ["set lock_timeout = 0", "a setting is changed: the migrator sets the timeouts"],
  ["alter table things disable trigger all", "AT_DisableTrigAll is a change that the rules don't cover yet"],
  ["lock table things", "LockStmt is a statement that the rules don't cover yet"],
  ["-- contract after 0002: itself\ndrop table things", "a contract must follow an earlier migration"]
])("a migration is unsafe: %s", (text, what) => {
  expect(unsafe(text).join("; ")).toContain(what)
})
