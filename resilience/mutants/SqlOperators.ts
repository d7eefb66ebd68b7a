import type { Operator, Rule } from "./Operator.ts"
import type { Ring } from "./Source.ts"

/** The rings that have SQL. */
const withSql: ReadonlyArray<Ring> = ["platform", "store", "sql"]

/** A rule for SQL: only what is in a string or a template counts. */
const inSql = (pattern: RegExp, change: Rule["change"]): Rule => ({
  within: "strings",
  pattern,
  change: (match, source) => {
    // The contents of strings are blanked in the code. A match without a length ends its text.
    const around = source.code.slice(Math.max(0, match.index - 1), match.index + 1)
    return around.includes("_") ? change(match, source) : undefined
  }
})

const value = String.raw`(?:\$\{[^{}]+\}|\w+\.realm_id)`

/** The ways in which statements are made wrong. */
export const sqlOperators: ReadonlyArray<Operator> = [
  {
    name: "realm",
    description: "realm_id left out of a condition",
    rings: withSql,
    caughtBy: /^test\/(?:access|sql)\//,
    rules: [
      inSql(new RegExp(String.raw`\band (?:\w+\.)?realm_id = ${value}`, "g"), () => "and true"),
      inSql(new RegExp(String.raw`(?<=\b(?:where|on) )(?:\w+\.)?realm_id = ${value}`, "g"), () => "true"),
      inSql(new RegExp(String.raw`(?<=\`)(?:\w+\.)?realm_id = ${value}`, "g"), () => "true")
    ]
  },
  {
    name: "filter",
    description: "another condition of a statement left out",
    rings: withSql,
    rules: [
      inSql(
        /\band (?!(?:\w+\.)?realm_id\b)(?:\w+\.)?\w+ (?:is (?:not )?null|(?:<=?|>=?|=|<>) (?:'[^']*'|\$\{(?:[^{}]|\{[^{}]*\})+\}|\d+))/g,
        () => "and true"
      )
    ]
  },
  {
    name: "order",
    description: "an order reversed",
    rings: withSql,
    rules: [
      // The order in which rows are locked is the same for all statements, whichever it is.
      inSql(/(?<=\border by (?:\w+\.)?\w+) desc\b|(?<=\border by (?:\w+\.)?\w+)(?! desc|\w|\.)(?! for )/g, ([found]) =>
        found === "" ? " desc" : ""
      )
    ]
  },
  {
    name: "lock",
    description: "rows read without a lock",
    rings: withSql,
    caughtBy: /^test\/.*Concurren/,
    rules: [inSql(/\bfor (?:no key update|update|key share|share)(?: of \w+)?(?: skip locked)?/g, () => "")]
  }
]
