/** What a step of the matcher does. */
type Step =
  | { readonly kind: "read"; readonly takes: (code: number) => boolean }
  | { readonly kind: "at"; readonly holds: (text: string, at: number) => boolean }
  | { readonly kind: "look"; readonly steps: ReadonlyArray<Step>; readonly wanted: boolean }
  | { readonly kind: "split"; first: number; second: number }
  | { readonly kind: "jump"; to: number }
  | { readonly kind: "done" }

/** A form that the matcher below does not know. */
export class UnknownForm extends Error {}

const quantifier = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y

/** Whether a character is of a class, an escape or a dot, as the engine itself reads that. */
const reader = (atom: string, flags: string) => {
  const one = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[gyd]/g, ""))
  const known: Array<boolean | undefined> = []
  return (code: number) => (known[code] ??= one.test(String.fromCharCode(code)))
}

const isWord = (character: string | undefined) => character !== undefined && /\w/.test(character)

/** An expression as steps of a matcher that goes back where it has gone wrong, as the engine's does. */
class Compiler {
  #at = 0
  readonly #source: string
  readonly #flags: string

  constructor(source: string, flags: string) {
    this.#source = source
    this.#flags = flags
  }

  compile(): ReadonlyArray<Step> {
    const steps = [...this.#alternatives(), { kind: "done" } as const]
    if (this.#at < this.#source.length) throw new UnknownForm(this.#source.slice(this.#at))
    return steps
  }

  #takes(text: string): boolean {
    const there = this.#source.startsWith(text, this.#at)
    if (there) this.#at += text.length
    return there
  }

  /** Moves steps to where they stand in a longer list. */
  static moved = (steps: ReadonlyArray<Step>, by: number): Array<Step> =>
    steps.map((step) => {
      if (step.kind === "split") return { ...step, first: step.first + by, second: step.second + by }
      return step.kind === "jump" ? { ...step, to: step.to + by } : step
    })

  #alternatives(): Array<Step> {
    let steps = this.#sequence()
    while (this.#takes("|")) {
      const other = this.#sequence()
      const [here, there] = [steps.length, other.length]
      steps = [
        { kind: "split", first: 1, second: here + 2 },
        ...Compiler.moved(steps, 1),
        { kind: "jump", to: here + 2 + there },
        ...Compiler.moved(other, here + 2)
      ]
    }
    return steps
  }

  #sequence(): Array<Step> {
    const steps: Array<Step> = []
    while (this.#at < this.#source.length && !"|)".includes(this.#source[this.#at] ?? "")) {
      steps.push(...Compiler.moved(this.#quantified(this.#atom()), steps.length))
    }
    return steps
  }

  #quantified(steps: Array<Step>): Array<Step> {
    quantifier.lastIndex = this.#at
    const [whole, least, comma, most] = quantifier.exec(this.#source) ?? []
    if (whole === undefined) return steps
    this.#at += whole.length
    const from = least === undefined ? Number(whole.startsWith("+")) : Number(least)
    const to = whole.startsWith("?") ? 1 : least === undefined || most === "" ? Infinity : Number(comma ? most : least)
    if (from > 300 || (to !== Infinity && to > 300)) return this.#repeated(steps, Math.min(from, 1), Infinity)
    return this.#repeated(steps, from, to)
  }

  #repeated(body: Array<Step>, from: number, to: number): Array<Step> {
    const steps: Array<Step> = []
    const add = () => steps.push(...Compiler.moved(body, steps.length))
    for (let n = 0; n < from; n++) add()
    if (to === Infinity) {
      const start = steps.length
      steps.push({ kind: "split", first: start + 1, second: start + body.length + 2 })
      add()
      steps.push({ kind: "jump", to: start })
    }
    const end = steps.length + (to === Infinity ? 0 : (to - from) * (body.length + 1))
    for (let n = from; n < to && to !== Infinity; n++) {
      steps.push({ kind: "split", first: steps.length + 1, second: end })
      add()
    }
    return steps
  }

  #atom(): Array<Step> {
    for (const [opening, wanted] of [
      ["(?=", true],
      ["(?!", false]
    ] as const) {
      if (this.#takes(opening)) return [{ kind: "look", steps: [...this.#group(), { kind: "done" }], wanted }]
    }
    const behind = /\(\?<[=!]((?:\\.|\[(?:\\.|[^\]])*\]|[^()\\[*+?{|])+)\)/y
    behind.lastIndex = this.#at
    const looked = behind.exec(this.#source)
    if (looked !== null) return [this.#behind(looked[0])]
    const group = /\((?:\?:|\?<\w+>)?/y
    group.lastIndex = this.#at
    const [opening] = group.exec(this.#source) ?? []
    if (opening !== undefined) {
      if (this.#source.startsWith("(?<=", this.#at) || this.#source.startsWith("(?<!", this.#at))
        throw new UnknownForm()
      this.#at += opening.length
      return this.#group()
    }
    return [this.#one()]
  }

  #group(): Array<Step> {
    const steps = this.#alternatives()
    if (!this.#takes(")")) throw new UnknownForm(this.#source)
    return steps
  }

  /** A look behind at something of a fixed length costs what it costs, wherever it is. */
  #behind(text: string): Step {
    this.#at += text.length
    const there = new RegExp(text, `${this.#flags.replaceAll(/[gy]/g, "")}y`)
    return {
      kind: "at",
      holds: (whole, at) => {
        const near = whole.slice(Math.max(0, at - 8), at)
        there.lastIndex = near.length
        return there.test(near)
      }
    }
  }

  #one(): Step {
    if (this.#takes("^")) return { kind: "at", holds: (_, at) => at === 0 }
    if (this.#takes("$")) return { kind: "at", holds: (text, at) => at === text.length }
    if (this.#takes("\\b")) return { kind: "at", holds: (text, at) => isWord(text[at - 1]) !== isWord(text[at]) }
    const one = /\\[1-9k]|\\[pPu]\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\[(?:\\.|[^\]\\])*\]|[^\\[]/suy
    one.lastIndex = this.#at
    const [atom] = one.exec(this.#source) ?? []
    if (atom === undefined || /^\\[1-9kB]/.test(atom)) throw new UnknownForm(this.#source.slice(this.#at))
    this.#at += atom.length
    return { kind: "read", takes: reader(atom, this.#flags) }
  }
}

/** A matcher that goes back where it has gone wrong, and counts its steps up to a budget. */
class Walk {
  count = 0
  readonly #text: string
  readonly #budget: number
  /** Where it may go back to, innermost last: a step, and a place in the text. */
  readonly #back: Array<number> = []

  constructor(text: string, budget: number) {
    this.#text = text
    this.#budget = budget
  }

  /** Whether it gets to the end from one place on. */
  matches(steps: ReadonlyArray<Step>, from: number): boolean {
    const [text, back] = [this.#text, this.#back]
    const outer = back.length
    let [step, at] = [0, from]
    while (this.count <= this.#budget) {
      const now = steps[step]
      let alive = true
      step += 1
      if (now === undefined || now.kind === "done") {
        back.length = outer
        return true
      }
      if (now.kind === "read") {
        alive = at < text.length && now.takes(text.charCodeAt(at))
        at += 1
      } else if (now.kind === "split") {
        back.push(now.second, at)
        step = now.first
      } else if (now.kind === "jump") step = now.to
      else if (now.kind === "look") alive = this.matches(now.steps, at) === now.wanted
      else alive = now.holds(text, at)
      this.count += 1
      if (alive) continue
      if (back.length === outer) return false
      at = back.pop() ?? 0
      step = back.pop() ?? 0
    }
    back.length = outer
    return false
  }
}

const compiled = new WeakMap<RegExp, ReadonlyArray<Step>>()

/** The steps of an expression, which is looked for in many texts. */
const compile = (expression: RegExp): ReadonlyArray<Step> => {
  const steps = compiled.get(expression) ?? new Compiler(expression.source, expression.flags).compile()
  compiled.set(expression, steps)
  return steps
}

/** How many steps it takes to look for an expression in a text, from every place; no more than a budget. */
export const stepsOf = (expression: RegExp, text: string, budget: number): number => {
  const steps = compile(expression)
  // What can begin nowhere else is not looked for elsewhere.
  const { source, multiline, sticky } = expression
  const last = sticky || (source.startsWith("^") && !source.includes("|") && !multiline) ? 0 : text.length
  const walk = new Walk(text, budget)
  for (let from = 0; from <= last && walk.count <= budget; from++) if (walk.matches(steps, from)) break
  return walk.count
}
