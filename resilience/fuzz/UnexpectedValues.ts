import type { SeededRandom } from "../../test/harness/SeededRandom.ts"

const texts = [
  "' or 1=1--",
  "'; drop table users;--",
  '"',
  "\\",
  "%",
  "{}",
  "null",
  "undefined",
  "{{7*7}}",
  "../../etc/passwd",
  "a\r\nx-evil: 1",
  "<script>alert(1)</script>",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\u202e",
  "ﷺ",
  "İ",
  "\u2028",
  "1e309",
  "NaN",
  "-1",
  "9007199254740993",
  "__proto__",
  "constructor",
  "a@".repeat(1_500),
  " ".repeat(3_000),
  "x".repeat(50_000),
  ""
]

const unexpectedValues: ReadonlyArray<unknown> = [
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  [{}],
  { "": 1 },
  { "\u0000": 1 },
  { a: ["\ud800"] },
  { toString: "x", length: -1 },
  Array.from({ length: 3_000 }, (_, n) => n)
]

/** A text that handlers rarely expect. */
export const unexpectedText = (random: SeededRandom): string => {
  if (random.chance(0.8)) return random.pick(texts) ?? ""
  return Array.from({ length: random.below(40) }, () => String.fromCharCode(random.below(0x1_00_00))).join("")
}

/** A JSON value that handlers rarely expect. */
export const unexpectedValue = (random: SeededRandom): unknown =>
  random.chance(0.6) ? unexpectedText(random) : random.pick(unexpectedValues)
