import { expect, test } from "vitest"
import { splitStatements } from "#sql/Statements"

test("statements end at semicolons, and empty ones are left out", () => {
  expect(splitStatements("select 1; select 2 ;;\n ; select 3")).toEqual(["select 1", "select 2", "select 3"])
  expect(splitStatements(" \n -- nothing; at all\n /* neither; */ ")).toEqual([])
})

test("a semicolon in quotes ends nothing", () => {
  expect(splitStatements(`select ';', 'it''s;', E'it\\'s;', "a;""b"; select 2`)).toEqual([
    `select ';', 'it''s;', E'it\\'s;', "a;""b"`,
    "select 2"
  ])
})

test("a backslash escapes nothing in a plain string", () => {
  expect(splitStatements("select 'a\\'; select 2")).toEqual(["select 'a\\'", "select 2"])
})

test("a semicolon between dollar quotes ends nothing", () => {
  const body = "create function f() returns int as $fn$ begin return $1; $$ ; $$ end; $fn$ language plpgsql"
  expect(splitStatements(`${body}; do $$ begin; end $$; select a$b$, $1`)).toEqual([
    body,
    "do $$ begin; end $$",
    "select a$b$, $1"
  ])
})

test("comments may hold semicolons and quotes, and nest", () => {
  expect(splitStatements("-- it's;\nselect 1 /* a /* b; */ c; ' */ + 1; -- end;")).toEqual([
    "select 1 /* a /* b; */ c; ' */ + 1"
  ])
})
