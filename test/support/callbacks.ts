import { createContext, Script } from "node:vm"
import * as Arbitrary from "effect/Arbitrary"
import { expect } from "vitest"
import { anyText, elementOf, joined, matching, oneOf } from "./arbitraries.ts"

const page = createContext(Object.create(null))

/** Runs a script like a page in which the callback is a function. Returns the arguments of each call. */
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

/** Converts a value from the page's JavaScript realm to one of this realm. */
export const ownValue = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Texts that don't name a callable function. */
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
/** Texts that name a function. */
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

const sign = elementOf("abzAZ019_$.....(); \n<>/*'\"\\=[]\u2028\u2029é\0".split(""))

const dottedName = Arbitrary.schema(matching(/^[A-Za-z_$][\w$]{0,12}(\.[A-Za-z_$][\w$]{0,12}){0,6}$/))

const signs = joined(sign, { maxLength: 12 })

/** Arbitrary callback parameters. */
export const texts = oneOf(
  elementOf([...hostileCallbacks, ...goodCallbacks]),
  dottedName,
  dottedName,
  dottedName,
  signs,
  signs,
  signs,
  anyText({ maxLength: 80 })
)

/** Texts with which an attacker might break out of a response. */
const inside = oneOf(
  elementOf(["</script><script>alert(1)</script>", "<!--", "]]>", "\u2028\u2029", '");alert(1);("', "\\", "*/"]),
  Arbitrary.filter(anyText({ maxLength: 12 }), (text) => text.isWellFormed())
)

/** Responses that contain hostile text. */
export const values = oneOf(
  Arbitrary.all({
    result: Arbitrary.Constant("okay"),
    token: inside,
    url: oneOf(inside, inside, Arbitrary.Constant(null))
  }),
  Arbitrary.all({
    valid: Arbitrary.Constant(false),
    error: inside,
    errors: Arbitrary.array(inside, { maxLength: 3 })
  })
)

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_$"

/** An independent implementation of the rule for names. */
export const isName = (text: string): boolean => {
  const names = text.split(".")
  const fits = (name: string) =>
    letters.includes(name.charAt(0)) &&
    name !== "" &&
    Array.from(name).every((one) => `${letters}0123456789`.includes(one))
  return text.length <= 64 && names.length <= 5 && names.every(fits)
}
