import { escapeHtml, Html } from "#platform/Html"

type Kind = "comment" | "string" | "number" | "keyword" | "name"

const words = (text: string): string => `\\b(?:${text.replaceAll(" ", "|")})\\b`

const script = words(
  "const let var function return if else for of in new await async import from export default class extends throw try catch finally while do switch case break continue typeof instanceof yield type interface readonly true false null undefined def with as raise except pass None True False func package go range defer struct map select insert update delete where order by limit create table values"
)

/** The patterns of each family of languages, as parts of one regular expression. */
const families = {
  script: { comment: "//[^\\n]*|/\\*[\\s\\S]*?\\*/", keyword: script },
  shell: {
    comment: "(?<=^|\\s)#[^\\n]*",
    keyword: "(?<=^|\\n|\\| |&& |\\$\\()(?:export )?[\\w./-]+(?=[ =]|$)",
    name: "\\$\\{?\\w+\\}?|(?<=\\s)--?[\\w-]+"
  },
  config: { comment: "(?<=^|\\s)#[^\\n]*", name: "(?<=^|\\n)[ -]*[\\w.-]+(?=:|\\s?=)" },
  json: { name: '"(?:[^"\\\\\\n]|\\\\.)*"(?=\\s*:)', keyword: words("true false null") }
} as const

const familyOf: Readonly<Record<string, keyof typeof families>> = {
  js: "script",
  jsx: "script",
  ts: "script",
  tsx: "script",
  mjs: "script",
  sql: "script",
  go: "script",
  sh: "shell",
  bash: "shell",
  python: "config",
  py: "config",
  yaml: "config",
  yml: "config",
  toml: "config",
  ini: "config",
  nginx: "config",
  json: "json"
}

const STRING = "\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`"
const NUMBER = "\\b\\d+(?:\\.\\d+)?\\b"

const order: ReadonlyArray<Kind> = ["comment", "name", "string", "keyword", "number"]

/** Highlights code: comments, strings, numbers, keywords and names get a class. Unknown languages are only escaped. */
export const highlighted = (language: string, code: string): Html => {
  const family = familyOf[language]
  if (family === undefined) return Html.of(escapeHtml(code))
  const parts: Readonly<Partial<Record<Kind, string>>> = { string: STRING, number: NUMBER, ...families[family] }
  const kinds = order.filter((kind) => parts[kind] !== undefined)
  const pattern = new RegExp(kinds.map((kind) => `(?<${kind}>${parts[kind]})`).join("|"), "g")
  let markup = ""
  let end = 0
  for (const found of code.matchAll(pattern)) {
    const kind = kinds.find((one) => found.groups?.[one] !== undefined)
    markup += `${escapeHtml(code.slice(end, found.index))}<span class="${kind}">${escapeHtml(found[0])}</span>`
    end = found.index + found[0].length
  }
  return Html.of(markup + escapeHtml(code.slice(end)))
}
