import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { describe, expect, test } from "vitest"

const root = resolve(import.meta.dirname, "../..")

/** Folders whose files may contain citations. */
const folders = [".ci", "bench", "deploy", "docs", "examples", "resilience", "sql", "src", "test"]
const texts = /\.(?:ts|mjs|js|sql|md|ya?ml)$/

interface Text {
  readonly path: string
  readonly text: string
}

const read = (path: string): Text => ({ path, text: readFileSync(join(root, path), "utf8") })

const paths = [
  ...readdirSync(root),
  ...folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`)
    )
].filter(
  (path) => texts.test(path) && !/^(bench|resilience)\/results\//.test(path) && path !== "test/house/Citations.test.ts"
)

const all = paths.map(read)

const textOf = (path: string): string => read(path).text

const headings = (path: string, form: RegExp): ReadonlySet<string> =>
  new Set([...textOf(path).matchAll(form)].map(([, id = ""]) => id))

const decisions = headings("docs/contract/decisions.md", /^### (C\d+a?):/gm)
const rows = headings("docs/security.md", /^\| ((?:SEC|RG)-\d+) \|/gm)
const vulnerabilities = new Set(textOf("docs/security.md").match(/\b(?:CVE-\d{4}-\d+|GHSA(?:-\w{4}){3})\b/g))
const keys = [...headings("docs/contract/contract.md", /^\| (v[12]\.\S+) \|/gm)]
const records = new Set(
  readdirSync(join(root, "docs/decisions")).map((name) => {
    const [, number] = /^# (ADR-\d{4}): /.exec(textOf(`docs/decisions/${name}`)) ?? []
    return number === `ADR-${name.slice(0, 4)}` ? number : `${name} has no title of its number`
  })
)

const isThere = (path: string): boolean => existsSync(join(root, path))

/**
 * The forms of citations, each with a check that the citation resolves. A contract key may be a prefix of several keys.
 */
const citations: ReadonlyArray<readonly [form: RegExp, resolves: (id: string) => boolean]> = [
  [/(?<![\w%\\])C\d{1,3}a?(?![\w%])/g, (id) => decisions.has(id)],
  [/\b(?:SEC|RG)-\d+\b/g, (id) => rows.has(id)],
  [/\bADR-\d+\b/g, (id) => records.has(id)],
  [/\b(?:CVE-\d{4}-\d+|GHSA(?:-\w{4}){3})\b/g, (id) => vulnerabilities.has(id)],
  [/(?<=`)v[12]\.[a-z_]+(?:\.[\w.-]+)?(?=`)/g, (id) => keys.some((key) => key === id || key.startsWith(`${id}.`))],
  [/(?<![\w./-])docs\/[\w/-]+\.md\b/g, isThere],
  [/(?<=`|`node )(?:src|test|sql|bench(?!\/results)|resilience(?!\/results)|examples)\/[\w./-]+\.\w+(?=`)/g, isThere]
]

/** Documents outside the repository, and nonstandard spellings of citations. */
const forbidden: ReadonlyArray<RegExp> = [
  /\b[Dd]ecisions? \d+a?\b/g,
  /\brecords? \d+\b(?! \()/g,
  /\(SDK\)/g,
  /\bapi-v[12]\b(?:\.md)?/g,
  /\b(?:design|stack)\.md\b/g,
  /(?<!docs\/|\.\/|\]\()\bsecurity\.md\b/g,
  /\bRFC(?:-?|  +)\d+|\brfc[ -]\d+|\bNIST \d+/g,
  /\bsections? \d\b/gi,
  /(?<!\b(?:RFC \d{4,5}|OpenID Connect [A-Z][\w-]+) )§ ?[\d.]+/g
]

const lineOf = (text: string, at: number): number => text.slice(0, at).split("\n").length

const dangling = ({ path, text }: Text): ReadonlyArray<string> => [
  ...citations.flatMap(([form, resolves]) =>
    [...text.matchAll(form)]
      .filter(([id]) => !resolves(id))
      .map(({ 0: id, index }) => `${path}:${lineOf(text, index)}: ${id}`)
  ),
  ...forbidden.flatMap((form) =>
    [...text.matchAll(form)].map(({ 0: words, index }) => `${path}:${lineOf(text, index)}: ${words}`)
  )
]

/** The anchors that GitHub generates for a page's headings. */
const anchors = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-")
  )

const brokenLinks = ({ path, text }: Text): ReadonlyArray<string> =>
  [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^(?:https?|mailto):/.test(target)) return []
    const [file = "", anchor] = target.split("#")
    const page = file === "" ? path : join(dirname(path), file)
    if (!isThere(page)) return [`${path}: ${target}`]
    return anchor === undefined || anchors(textOf(page)).includes(anchor) ? [] : [`${path}: ${target}`]
  })

test("every citation in code, tests and documents resolves in this repository", () => {
  expect(all.flatMap(dangling)).toEqual([])
})

test("every link between documents leads to an existing page and heading", () => {
  expect(all.filter(({ path }) => path.endsWith(".md")).flatMap(brokenLinks)).toEqual([])
})

test("every service in the diagrams of docs/flows is a file in src", () => {
  const files = new Set(paths.map((path) => path.slice(path.lastIndexOf("/") + 1)))
  const named = all
    .filter(({ path }) => path.startsWith("docs/flows/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/participant \w+ as ([A-Z]\w+)/g)].map(([, name = ""]) => ({ path, name }))
    )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ name }) => !files.has(`${name}.ts`))).toEqual([])
})

test.each([
  ["docs/contract/decisions.md", /^### (C\d+a?):/gm],
  ["docs/security.md", /^\| ((?:SEC|RG)-\d+) \|/gm]
] as const)("%s uses no number twice", (path, heading) => {
  const ids = [...textOf(path).matchAll(heading)].map(([, id]) => id)
  expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([])
})

test("decisions, security rows and ADRs are numbered from 1 without gaps", () => {
  const numbers = (ids: Iterable<string>, form: RegExp) =>
    [...ids].flatMap((id) => form.exec(id)?.slice(1).map(Number) ?? []).toSorted((a, b) => a - b)
  for (const [ids, form] of [
    [decisions, /^C(\d+)$/],
    [rows, /^SEC-(\d+)$/],
    [rows, /^RG-(\d+)$/],
    [records, /^ADR-(\d+)$/]
  ] as const) {
    const found = numbers(ids, form)
    expect(found.length).toBeGreaterThan(10)
    expect(found).toEqual(found.map((_, index) => index + 1))
  }
})

test("the table of contents lists every decision, in the order of the page", () => {
  const page = textOf("docs/contract/decisions.md")
  const titles = [...page.matchAll(/^### (C\d+a?: .+)$/gm)].map(([, title = ""]) => title)
  const listed = [...page.matchAll(/^ {2}- \[(C\d+a?: .+)\]\(#.+\)$/gm)].map(([, title = ""]) => title)
  expect(listed).toEqual(titles)
})

test("a decision is marked as planned only if the page lists the decision as not built yet", () => {
  const page = textOf("docs/contract/decisions.md")
  const planned = [...page.matchAll(/^### (C\d+a?): .+\n\n\*\*Planned\.\*\*/gm)].map(([, id = ""]) => id)
  const [, list = ""] = /^## Not built yet\n([\s\S]*?)^## /m.exec(page) ?? []
  expect([...list.matchAll(/^- (C\d+a?): /gm)].map(([, id = ""]) => id).toSorted()).toEqual(planned.toSorted())
  expect(page.match(/\*\*Planned\.\*\*/g)).toHaveLength(planned.length)
})

test("every security row names existing tests whose titles cite that row", () => {
  const wrong = textOf("docs/security.md")
    .split("\n")
    .flatMap((line) => {
      const [, id = ""] = /^\| ((?:SEC|RG)-\d+) \|/.exec(line) ?? []
      if (id === "") return []
      const shown = [...line.matchAll(/`([\w/]+\.test\.ts)`/g)].map(([, file = ""]) => file)
      if (shown.length === 0 && id.startsWith("SEC-")) return [`${id}: no test`]
      return shown
        .filter((file) => !isThere(`test/${file}`) || !new RegExp(`\\b${id}\\b`).test(textOf(`test/${file}`)))
        .map((file) => `${id}: ${file}`)
    })
  expect(wrong).toEqual([])
})

describe("the citation check", () => {
  const planted = [
    "C999",
    "SEC-999",
    "RG-21",
    "ADR-0099",
    "CVE-2020-00001",
    "`v2.session.colour`",
    "docs/contract/nowhere.md",
    "`src/domain/Nowhere.ts`",
    "decision 12",
    "decisions 40 and 41",
    "record 6",
    "(SDK)",
    "api-v2",
    "section 4",
    "design.md",
    "stack.md",
    "security.md",
    "RFC6238",
    "rfc 6238",
    "NIST 800-63B",
    "§2"
  ]
  test.each(planted)("finds %s", (citation) => {
    expect(dangling({ path: "planted.ts", text: `/** As in ${citation}. */` })).toHaveLength(1)
  })

  test("accepts citations that resolve", () => {
    const text =
      "C12, C10a, SEC-35, RG-01, ADR-0004, CVE-2026-18963, `v2.session.id`, `v2.session`, RFC 6238 §5.2, docs/security.md"
    expect(dangling({ path: "planted.ts", text: `// ${text}\n"%C3%9C"` })).toEqual([])
  })

  test("finds a broken link", () => {
    const text = "[a](../security.md) [b](nowhere.md) [c](../security.md#attacks) [d](../security.md#nowhere)"
    expect(brokenLinks({ path: "docs/flows/planted.md", text })).toEqual([
      "docs/flows/planted.md: nowhere.md",
      "docs/flows/planted.md: ../security.md#nowhere"
    ])
  })
})
