import type { Operator, Rule } from "./Operator.ts"
import type { Ring } from "./Source.ts"

/** The rings that contain SQL. */
const withSql: ReadonlyArray<Ring> = ["platform", "store", "sql"]

/** A rule that applies only inside strings and templates. */
const inSql = (pattern: RegExp, change: Rule["change"]): Rule => ({
  within: "strings",
  pattern,
  change: (match, source) => {
    // `code` has an underscore for each character of a string. An empty match may be at the end of a string.
    const around = source.code.slice(Math.max(0, match.index - 1), match.index + 1)
    return around.includes("_") ? change(match, source) : undefined
  }
})

const value = String.raw`(?:\$\{[^{}]+\}|\w+\.realm_id)`

/** The operators for SQL. */
export const sqlOperators: ReadonlyArray<Operator> = [
  {
    name: "realm",
    description: "a condition on realm_id removed",
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
    description: "another condition removed",
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
    description: "a sort order reversed",
    rings: withSql,
    rules: [
      // The order in which rows are locked only has to be the same everywhere.
      inSql(/(?<=\border by (?:\w+\.)?\w+) desc\b|(?<=\border by (?:\w+\.)?\w+)(?! desc|\w|\.)(?! for )/g, ([found]) =>
        found === "" ? " desc" : ""
      )
    ]
  },
  {
    name: "lock",
    description: "a row lock removed",
    rings: withSql,
    caughtBy: /^test\/.*Concurren/,
    rules: [inSql(/\bfor (?:no key update|update|key share|share)(?: of \w+)?(?: skip locked)?/g, () => "")]
  }
]
