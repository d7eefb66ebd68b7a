import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { check } from "recheck"
import { describe, expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../../src")

const literal =
  /(?<=(?:[(,=:[!&|?{};]|return|=>|^)\s*)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/gm

const isExpression = (source: string, flags: string): boolean => {
  try {
    return new RegExp(source, flags).source === source
  } catch {
    return false
  }
}

/** The regular expressions in the source, each once. The generated SDK has none. */
const expressions = new Map(
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.startsWith("client/generated/"))
    .flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(literal)].flatMap(([, source = "", flags = ""]) =>
        isExpression(source, flags) ? [[`/${source}/${flags}`, { source, flags }] as const] : []
      )
    )
)

/** The operators that repeat something. An expression without them matches in linear time. */
const repeats = /[*+]|\{\d+,?\d*\}/

/** Settings that suffice to distinguish linear from slow expressions. The generous defaults take four times as long. */
const settings = { timeout: 20_000, skipRecall: true, attackTimeout: 100, maxIteration: 3, incubationLimit: 5_000 }

/** The growth of the matching time with the length of the text, or `unknown`. */
const growthOf = async ({ source, flags }: { readonly source: string; readonly flags: string }): Promise<string> => {
  const found = await check(source, flags, settings)
  if (found.status === "vulnerable") return found.complexity.summary
  return found.status === "safe" ? "linear" : "unknown"
}

const { version } = JSON.parse(readFileSync(join(root, "../node_modules/recheck/package.json"), "utf8"))

/** The file with the results of earlier runs, since checking all expressions takes more than ten seconds. */
const cacheFile = join(root, `../node_modules/.cache/sallyport/recheck-${version}.json`)

/** The growth of each expression's matching time. */
const growths = async (): Promise<ReadonlyMap<string, string>> => {
  const known: Readonly<Record<string, string>> = existsSync(cacheFile)
    ? JSON.parse(readFileSync(cacheFile, "utf8"))
    : {}
  const found = new Map<string, string>()
  for (const [name, expression] of expressions) {
    if (repeats.test(expression.source)) found.set(name, known[name] ?? (await growthOf(expression)))
  }
  mkdirSync(dirname(cacheFile), { recursive: true })
  writeFileSync(cacheFile, JSON.stringify(Object.fromEntries(found)))
  return found
}

/** Expressions that may take quadratic time, each with the reason why its input is harmless. */
const accepted: ReadonlyMap<string, string> = new Map([
  [String.raw`/ \(choices: (.+)\)$/`, "Help of our own commands"],
  [
    String.raw`/(?:^|_)(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/`,
    "Names of settings"
  ],
  [String.raw`/-----BEGIN[\s\S]*?-----END[^-]*-----/g`, "Certificates that an operator pastes into the console"],
  [String.raw`/<img[^>]* src="([^"]*)"/g`, "Sanitized markup, in which every tag is closed"],
  [String.raw`/<script>.*?<\/script>/gs`, "Scripts of our own pages"],
  [String.raw`/<style[^>]*>(.*?)<\/style>/gs`, "Sanitized drawings, in which every style is closed"],
  ["/=+$/", "Keys that we publish ourselves"],
  [String.raw`/\/+$/`, "URLs of the configuration"],
  [String.raw`/\[([^[\]]*\{(\w+)\}[^[\]]*)\]/g`, "Messages of our own"],
  [String.raw`/\s*\n\s*/g`, "Errors of the database at startup"],
  [String.raw`/^- \[([^\]]+)\]\(([^)]+)\)/gm`, "Our own guides"],
  [String.raw`/^\/+|\/+$/g`, "Paths in our own image of the embedded database"],
  [String.raw`/^\[|\]$|\.+$/g`, "The host of a URL, which is short"],
  [String.raw`/for schema "?([^"]+)"?$/`, "Errors of the database at startup"],
  [String.raw`/https?:\/\/[^\s<]*<[^<>]+>|</g`, "Our own guides"]
])

describe("SEC-80: regular expressions", () => {
  test("match in linear time, or are listed as harmless", { timeout: 120_000 }, async () => {
    const slow = [...(await growths())].flatMap(([name, growth]) => (growth === "linear" ? [] : [name]))
    expect(slow.toSorted()).toEqual([...accepted.keys()].toSorted())
    expect(expressions.size).toBeGreaterThan(100)
  })

  test.each([
    { expression: /^(a+)+$/, growth: "exponential" },
    { expression: /^(?:a|a)*$/, growth: "exponential" },
    { expression: /^(?:\w+\s?)*$/, growth: "exponential" },
    { expression: /\s+$/, growth: "2nd degree polynomial" },
    { expression: /(?:a*)(?:a*)!!/, growth: "3rd degree polynomial" },
    { expression: /^[a-z]+$/, growth: "linear" },
    { expression: /^\s*|a{2,5}(?=b)/, growth: "linear" }
  ])("$expression is recognized as $growth", async ({ expression, growth }) => {
    expect(await growthOf(expression)).toBe(growth)
  })
})
