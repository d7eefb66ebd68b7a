import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"

const root = resolve(import.meta.dirname, "../..")
const read = (path: string) => readFileSync(join(root, path), "utf8")

const declared = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .flatMap((path) => [
    ...read(`src/${path}`).matchAll(
      /Metric\.(counter|gauge|histogram|summary|frequency|timer)\(\s*"(\w+)",\s*\{\s*description:\s*"([^"]*)"/g
    )
  ])
  .map(([, type, name = "", meaning]) => ({ name, type, meaning }))

/** The rows of the tables in docs/metrics.md. */
const described = [...read("docs/metrics.md").matchAll(/^\| `(\w+)` \| (\w+) \| (\w+) \| (.*?) \| (.+) \|$/gm)].map(
  ([, name = "", type, unit, , meaning]) => ({ name, type, unit, meaning })
)

const names = new Set(declared.map(({ name }) => name))

/** The names of the metrics in an expression, without the suffixes of histogram series. */
const metricsIn = (expression: string): ReadonlyArray<string> =>
  [
    ...expression
      .replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(?:by|on) \([^)]*\)/g, "")
      .matchAll(/\b[a-z]\w*\b(?!\s*\()/g)
  ]
    .map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ""))
    .filter((name) => !["and", "by", "up"].includes(name))

test("docs/metrics.md lists exactly the service's metrics with their types and meanings", () => {
  const byName = (one: { readonly name: string }, other: { readonly name: string }) => (one.name < other.name ? -1 : 1)
  const found = described.map(({ name, type, meaning }) => ({ name, type, meaning }))
  expect(found.toSorted(byName)).toEqual(declared.toSorted(byName))
  expect(names.size).toBe(declared.length)
})

test("metric names follow the Prometheus conventions: counters end in _total, units are seconds and bytes", () => {
  const unitOf = (name: string) => (/_seconds(?:_|$)/.test(name) ? "seconds" : name.endsWith("_bytes") ? "bytes" : "1")
  expect(described.filter(({ name, unit }) => unit !== unitOf(name))).toEqual([])
  expect(declared.filter(({ name, type }) => name.endsWith("_total") !== (type === "counter"))).toEqual([])
})

interface Panel {
  readonly type: string
  readonly title?: string
  readonly description?: string
  readonly fieldConfig?: { readonly defaults?: { readonly unit?: string } }
  readonly targets?: ReadonlyArray<{ readonly expr: string }>
}

test("every dashboard panel queries existing metrics and has a title, a unit and a description", () => {
  const { panels }: { readonly panels: ReadonlyArray<Panel> } = JSON.parse(read("docs/monitoring/dashboard.json"))
  const shown = panels.filter(({ type }) => type !== "row")
  expect(
    shown.filter(({ title, description, fieldConfig }) => !title || !description || !fieldConfig?.defaults?.unit)
  ).toEqual([])
  const asked = shown.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr)))
  expect(asked.filter((name) => !names.has(name))).toEqual([])
  expect(new Set(asked).size).toBeGreaterThan(25)
})

test("the alerts query existing metrics and equal the alerts in the production guide", () => {
  const file = read("docs/monitoring/alerts.yaml")
  const [, inGuide] = /```yaml alerts\.yaml\n(.*?)```/s.exec(read("docs/guides/production.md")) ?? []
  expect(inGuide).toBe(file)
  const rules: ReadonlyArray<{ readonly expr: string }> = parse(file).groups[0].rules
  expect(rules.flatMap(({ expr }) => metricsIn(expr)).filter((name) => !names.has(name))).toEqual([])
  expect(rules.length).toBeGreaterThan(10)
})
