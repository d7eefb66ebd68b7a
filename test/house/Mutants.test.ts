import { describe, expect, test } from "vitest"
import { equivalents, isEquivalent } from "../../resilience/mutants/Equivalents.ts"
import { applyMutant, mutantsOf } from "../../resilience/mutants/Operator.ts"
import { operators } from "../../resilience/mutants/Operators.ts"
import { findMutants, sampleOf, withoutEquivalents } from "../../resilience/mutants/Sites.ts"
import { type Ring, rings, sourceOf } from "../../resilience/mutants/Source.ts"
import { SeededRandom } from "../harness/SeededRandom.ts"

/** All mutants of the source. */
const all = findMutants(operators)

/** The mutants of a piece of code by one operator, each in the form of the changed code. */
const mutated = (name: string, code: string, ring: Ring): ReadonlyArray<string> => {
  const source = sourceOf(`src/${ring}/Planted.ts`, ring, code)
  const operator = operators.filter((each) => each.name === name)
  return operator.flatMap((each) => mutantsOf(each, source)).map((mutant) => applyMutant(code, mutant))
}

/** Examples of code and its mutants for each operator. */
const specimens: ReadonlyArray<
  readonly [operator: string, ring: Ring, code: string, ...mutants: ReadonlyArray<string>]
> = [
  ["equality", "core", "a === b ? 1 : 2", "a !== b ? 1 : 2"],
  ["comparison", "core", "a < b && c >= d", "a <= b && c >= d", "a < b && c > d"],
  ["comparison", "actors", "DateTime.isLessThan(due, now)", "DateTime.isLessThanOrEqualTo(due, now)"],
  ["connective", "http", "a && b", "a || b"],
  ["connective", "http", "all.some(one)", "all.every(one)"],
  ["condition", "api", "if (a(b)) return c", "if (!(a(b))) return c"],
  ["condition", "api", "return (!a)", "return (a)"],
  ["arithmetic", "domain", "Math.ceil(a - b)", "Math.floor(a - b)", "Math.ceil(a + b)"],
  ["guard", "core", "  if (!known) return yield* new Unknown({ id })", "  "],
  ["guard", "domain", '  if (a > b) return "too_long"', "  "],
  ["guard", "core", "  yield* requireManager(\n    realm\n  )\n  work()", "  yield* Effect.void\n  work()"],
  ["event", "core", "yield* journal.record([created(a)])", "yield* Effect.void"],
  [
    "event",
    "core",
    'journal.recordIn(id, [{ eventType: "a" }, ...events])',
    "Effect.void",
    "journal.recordIn(id, [...events])",
    'journal.recordIn(id, [{ eventType: "a" }])'
  ],
  ["event", "core", 'gone ? [{ eventType: "a" as const, id }] : []', "gone ? [] : []"],
  ["level", "api", '.annotate(RequiredLevel, "admin_realm")', '.annotate(RequiredLevel, "write")'],
  ["level", "api", '.annotate(RequiredLevel, "read")', '.annotate(RequiredLevel, "write")'],
  ["status", "http", "{ status: 404 }", "{ status: 401 }"],
  ["status", "hosted", "problemView(texts, why, 422)", "problemView(texts, why, 400)"],
  [
    "status",
    "http",
    'A: () => notFound("a"), B: () => badRequest("b")',
    'A: () => badRequest("a"), B: () => badRequest("b")',
    'A: () => notFound("a"), B: () => notFound("b")'
  ],
  ["annotation", "api", '.annotate(Wrapper, "org")', ""],
  ["header", "http", '{ "cache-control": "no-store" }', '{ "x-not-cache-control": "no-store" }'],
  ["header", "http", "{ headers: { vary: accept } }", "{ headers: { xvary: accept } }"],
  ["header", "http", 'setHeader(response, "allow", verbs)', 'setHeader(response, "x-not-allow", verbs)'],
  ["limit", "domain", "const MAX_LENGTH = 1_000", "const MAX_LENGTH = 1001"],
  ["limit", "domain", "const BLOCK_MINUTES = 15", "const BLOCK_MINUTES = 150"],
  [
    "limit",
    "domain",
    "{ most: 3, within: Duration.hours(1) }",
    "{ most: 4, within: Duration.hours(1) }",
    "{ most: 3, within: Duration.hours(10) }"
  ],
  ["default", "http", "all ?? false", "all ?? true"],
  ["default", "http", "(most = 100) => most ?? 7", "(most = 101) => most ?? 7", "(most = 100) => most ?? 8"],
  ["default", "domain", 'state ?? "active"', 'state ?? "active-other"'],
  ["flag", "core", "{ isNew: true, kept: false }", "{ isNew: false, kept: false }", "{ isNew: true, kept: true }"],
  ["transaction", "core", "yield* transaction.run(change)", "yield* (change)"],
  [
    "realm",
    "store",
    "sql`select where realm_id = ${a.realmId} and id = ${id}`",
    "sql`select where true and id = ${id}`"
  ],
  ["realm", "store", "sql`where id = ${id} and u.realm_id = o.realm_id`", "sql`where id = ${id} and true`"],
  ["realm", "store", "[sql`realm_id = ${realmId}`]", "[sql`true`]"],
  [
    "filter",
    "store",
    "sql`where a = 1 and expires_at > ${date(now)} and b is null`",
    "sql`where a = 1 and true and b is null`",
    "sql`where a = 1 and expires_at > ${date(now)} and true`"
  ],
  ["order", "store", "sql`order by id limit 1`", "sql`order by id desc limit 1`"],
  ["order", "store", "sql`select a order by u.id`", "sql`select a order by u.id desc`"],
  ["order", "store", "sql`order by id desc`", "sql`order by id`"],
  ["lock", "store", "sql`select a for update of b skip locked`", "sql`select a `"]
]

describe("mutation operators", () => {
  test.each(
    specimens.map(([operator, ring, code, ...mutants]) => ({ operator, ring, code, mutants }))
  )("mutate by $operator in $ring: $code", ({ operator, ring, code, mutants }) => {
    expect(mutated(operator, code, ring)).toEqual(mutants)
  })

  test("each have an example here and a match in the source", () => {
    const names = operators.map(({ name }) => name)
    expect(names.filter((name) => !specimens.some(([operator]) => operator === name))).toEqual([])
    const found = new Set(all.map(({ operator }) => operator))
    expect(names.filter((name) => !found.has(name))).toEqual([])
  })
})

describe("all mutation operators", () => {
  const everyMutant = (code: string) =>
    rings.flatMap((ring) => operators.flatMap(({ name }) => mutated(name, code, ring)))

  test.each([
    "// if (a === b) return",
    "/* a && b */",
    'const text = "a === b && c"',
    "const text = `if (a < b)`",
    "const found = /a === b && !c/.test",
    "interface A {\n  readonly a: true\n}",
    "type A =\n  | { readonly status: 404 }\n  | false",
    "const half = all / 2 // of a === b",
    "{ disableCodecs: true }",
    "const MAX_BATCH = 5"
  ])("leave this code unchanged: %s", (code) => {
    expect(everyMutant(code)).toEqual([])
  })

  test("mutate code in the placeholders of a template, but not its text", () => {
    expect(mutated("equality", "`a === b ${c === `${d} === e`} f === g`", "core")).toEqual([
      "`a === b ${c !== `${d} === e`} f === g`"
    ])
  })

  test("leave the order of row locks unchanged", () => {
    expect(mutated("order", "sql`select a order by id for update`", "store")).toEqual([])
  })
})

describe("a sample of mutants", () => {
  const size = 4 * rings.length
  const draw = (seed: number) => sampleOf(withoutEquivalents(all), size, new SeededRandom(seed))

  test("depends only on the seed", () => {
    expect(draw(1)).toEqual(draw(1))
    expect(draw(2)).not.toEqual(draw(1))
  })

  test("is spread evenly over the rings and includes every operator", () => {
    const sample = draw(1)
    expect(rings.map((ring) => sample.filter((mutant) => mutant.ring === ring).length)).toEqual(rings.map(() => 4))
    expect(new Set(sample.map(({ operator }) => operator)).size).toBe(operators.length)
    expect(new Set(sample).size).toBe(size)
  })
})

test("every listed equivalent is a mutant of the source", () => {
  expect(equivalents.filter((known) => !all.some((mutant) => isEquivalent(known, mutant)))).toEqual([])
})
