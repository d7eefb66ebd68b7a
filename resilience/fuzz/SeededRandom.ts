/** What decides, the same each time for the same seed. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Whether something of this likelihood happens. */
  is(likelihood: number): boolean {
    return this.next() < likelihood
  }

  /** One of several; undefined of none. */
  of<A>(all: ReadonlyArray<A>): A | undefined {
    return all[Math.floor(this.next() * all.length)]
  }

  /** A whole number below this. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }
}

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

const things: ReadonlyArray<unknown> = [
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

/** Text that nobody expects. */
export const oddText = (chance: Chance): string => {
  if (chance.is(0.8)) return chance.of(texts) ?? ""
  return Array.from({ length: chance.below(40) }, () => String.fromCharCode(chance.below(0x1_00_00))).join("")
}

/** What JSON can hold and nobody expects. */
export const oddValue = (chance: Chance): unknown => (chance.is(0.6) ? oddText(chance) : chance.of(things))
