import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { stepsOf } from "../support/regexSteps.ts"

const root = resolve(import.meta.dirname, "../../src")

const literal =
  /(?<=(?:[(,=:[!&|?{};]|return|=>|^)\s*)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/gm

/** The regular expressions that the source spells out. */
const expressions = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(literal)].flatMap(([, source = "", flags = ""]) => {
      try {
        return [{ path, expression: new RegExp(source, flags) }]
      } catch {
        return []
      }
    })
  )

const LENGTH = 50_000

/** Texts that make a matcher try in vain: something again and again, and an end that fits nothing. */
const parts = [
  "a",
  " ",
  "\t ",
  "a ",
  "a.",
  "a@",
  "a-",
  "_",
  "0",
  "0.",
  "1,",
  "%41",
  "/",
  "a/",
  "<",
  "<a ",
  "<!--",
  "&",
  "="
].concat([";q=", "{", "{{", "}", "[", "](", "\\", "'", '"', "\n", " \n", "#", "é", "A", "sk_", "::", "://", "$", "*"])

const ends = ["!", "", "\u0001"]

const textOf = (part: string, end: string, length: number) => part.repeat(length / part.length) + end

const adversarial = parts.flatMap((part) => ends.map((end) => ({ part, end, short: textOf(part, end, 1_000) })))

/** How many steps for a character an expression takes at most, on the text of 50 KB that is worst for it. */
const stepsEach = (expression: RegExp): number => {
  const tried = adversarial.map(({ part, end, short }) => ({ part, end, steps: stepsOf(expression, short, 1e5) }))
  const { part, end } = tried.reduce((found, next) => (next.steps > found.steps ? next : found))
  return Math.ceil(stepsOf(expression, textOf(part, end, LENGTH), 40 * LENGTH) / LENGTH)
}

/** Those that read what is ours alone: our own keys and pages, the configuration, what a database says at the start. */
const ofOurs = [
  "domain/PublishedKeys.ts: /=+$/",
  "http/docs/Guide.ts: /\\[([^\\]]+)\\]\\(([\\w-]+)\\.md\\)/g",
  "server/EnvironmentReader.ts: /\\/+$/",
  "testing/TestSallyport.ts: /\\/+$/",
  "sql/DatabaseRefused.ts: /\\s*\\n\\s*/g"
]

/** It takes back what it has found in a group, which the matcher does not know; either half of it takes up all it reads. */
const unread = [/^core\/mail\/MailParts\.ts: .*\\1/]

describe("SEC-80: no expression takes more steps than in proportion, on 50 KB of what it does not expect", () => {
  test("none in the source does", () => {
    const slow = expressions
      .map(({ path, expression }) => ({ name: `${path}: ${expression}`, expression }))
      .filter(({ name }) => !unread.some((known) => known.test(name)))
      .filter(({ expression }) => stepsEach(expression) > 12)
    expect(slow.map(({ name }) => name).filter((name) => !ofOurs.includes(name))).toEqual([])
    expect(expressions.length).toBeGreaterThan(100)
  })

  test.each([
    [/^(a+)+$/, 40],
    [/^(?:a|a)*$/, 40],
    [/^(?:\w+\s?)*$/, 40],
    [/\s+$/, 40],
    [/(?:a*)(?:a*)!!/, 40],
    [/^[a-z]+$/, 12],
    [/^\s*|a{2,5}(?=b)/, 12]
  ])("what it finds out of %s", (expression, steps) => {
    const each = stepsEach(expression)
    expect(steps === 40 ? each >= 40 : each <= 12).toBe(true)
  })
})
