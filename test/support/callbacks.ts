import { createContext, Script } from "node:vm"
import fc from "fast-check"
import { expect } from "vitest"

const page = createContext(Object.create(null))

/** What a page gets that loads a script, where a callback is a function: the arguments of each call. */
export const calls = (callback: string, script: string): ReadonlyArray<ReadonlyArray<unknown>> => {
  const made: Array<ReadonlyArray<unknown>> = []
  const [root = "", ...rest] = callback.split(".")
  const before = Object.keys(page)
  page[root] = rest.reduceRight<unknown>(
    (inner, name) => ({ [name]: inner }),
    (...given: ReadonlyArray<unknown>) => made.push(given)
  )
  new Script(script).runInContext(page)
  delete page[root]
  expect(Object.keys(page)).toEqual(before)
  return made
}

/** What comes over from the page's realm of objects, as ours. */
export const own = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** What names no function that may be called. */
export const hostileCallbacks = [
  "alert(1)//",
  "</script><script>alert(1)</script>",
  "a\u2028b",
  "a\u2029",
  "a;b",
  "a(1);b",
  "a=b",
  "a[0]",
  "a['b']",
  "a..b",
  ".a",
  "a.",
  "1a",
  "a.1",
  "a b",
  "a\n",
  "\na",
  "a\r\nX: y",
  "a\0",
  "",
  " ",
  "a,b",
  "a/**/",
  "/**/a",
  "a`",
  "ａ",
  "é",
  "a.b.c.d.e.f",
  "a\u200d",
  "\\u0061",
  "CWS\u0007\u000e0",
  "%61",
  "x".repeat(65),
  "if",
  "import",
  "function",
  "new",
  "while",
  "void.x",
  "typeof",
  "a-b",
  "a:b",
  "{}",
  "()",
  "async()=>1"
]
/** What names one. */
export const goodCallbacks = [
  "cb",
  "_",
  "$",
  "jQuery123_456",
  "a.b.c.d.e",
  "app.on.$done",
  "let",
  "x.if",
  "eval",
  "x".repeat(64)
]

const sign = fc.constantFrom(..."abzAZ019_$.....(); \n<>/*'\"\\=[]\u2028\u2029é\0".split(""))
/** What may be sent as a callback, of all sorts. */
export const texts = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...hostileCallbacks, ...goodCallbacks) },
  { weight: 3, arbitrary: fc.stringMatching(/^[A-Za-z_$][\w$]{0,12}(\.[A-Za-z_$][\w$]{0,12}){0,6}$/) },
  { weight: 3, arbitrary: fc.array(sign, { maxLength: 12 }).map((signs) => signs.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) }
)

/** What somebody may have in an answer who wants to get out of it. */
const inside = fc.oneof(
  fc.constantFrom("</script><script>alert(1)</script>", "<!--", "]]>", "\u2028\u2029", '");alert(1);("', "\\", "*/"),
  fc.string({ unit: "binary", maxLength: 12 }).filter((text) => text.isWellFormed())
)
/** Answers with hostile text in them. */
export const values = fc.oneof(
  fc.record({ result: fc.constant("okay"), token: inside, url: fc.option(inside) }),
  fc.record({ valid: fc.constant(false), error: inside, errors: fc.array(inside, { maxLength: 3 }) })
)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$"

/** The rule, in other words. */
export const isName = (text: string): boolean => {
  const names = text.split(".")
  const fits = (name: string) =>
    letters.includes(name.charAt(0)) &&
    name !== "" &&
    Array.from(name).every((one) => `${letters}0123456789`.includes(one))
  return text.length <= 64 && names.length <= 5 && names.every(fits)
}
