import { expect, test } from "vitest"
import { splitStatements } from "#sql/Statements"

test("splits statements at semicolons and skips empty ones", () => {
  expect(splitStatements("select 1; select 2 ;;\n ; select 3")).toEqual(["select 1", "select 2", "select 3"])
  expect(splitStatements(" \n -- nothing; at all\n /* neither; */ ")).toEqual([])
})

test("ignores a semicolon in quotes", () => {
  expect(splitStatements(`select ';', 'it''s;', E'it\\'s;', "a;""b"; select 2`)).toEqual([
    `select ';', 'it''s;', E'it\\'s;', "a;""b"`,
    "select 2"
  ])
})

test("treats a backslash in a plain string as an ordinary character", () => {
  expect(splitStatements("select 'a\\'; select 2")).toEqual(["select 'a\\'", "select 2"])
})

test("ignores a semicolon between dollar quotes", () => {
  const body = "create function f() returns int as $fn$ begin return $1; $$ ; $$ end; $fn$ language plpgsql"
  expect(splitStatements(`${body}; do $$ begin; end $$; select a$b$, $1`)).toEqual([
    body,
    "do $$ begin; end $$",
    "select a$b$, $1"
  ])
})

test("accepts semicolons and quotes in comments, including nested comments", () => {
  expect(splitStatements("-- it's;\nselect 1 /* a /* b; */ c; ' */ + 1; -- end;")).toEqual([
    "select 1 /* a /* b; */ c; ' */ + 1"
  ])
})
