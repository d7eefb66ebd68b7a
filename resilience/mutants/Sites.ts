import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { SeededRandom } from "../../test/harness/SeededRandom.ts"
import { equivalents, isEquivalent } from "./Equivalents.ts"
import { type Mutant, mutantsOf, type Operator } from "./Operator.ts"
import { type Ring, rings, type Source, sourceOf } from "./Source.ts"

export const root = resolve(import.meta.dirname, "../..")

/** Files without logic: user-facing texts, and the samples and descriptions of the API reference. */
const prose = /\/(?:messages|texts|docs)\/|(?:Docs|Samples|Texts|Style|Logos)\.ts$/

/** The source files of a ring, except those without logic. */
const sourcesOf = (ring: Ring): ReadonlyArray<Source> =>
  readdirSync(join(root, "src", ring), { recursive: true, encoding: "utf8" })
    .map((path) => `src/${ring}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts") && !prose.test(path))
    .toSorted()
    .map((path) => sourceOf(path, ring, readFileSync(join(root, path), "utf8")))

/** Finds all mutants of these operators, including equivalent ones. */
export const findMutants = (operators: ReadonlyArray<Operator>): ReadonlyArray<Mutant> =>
  rings.flatMap(sourcesOf).flatMap((source) => operators.flatMap((operator) => mutantsOf(operator, source)))

/** Removes the known equivalent mutants. */
export const withoutEquivalents = (mutants: ReadonlyArray<Mutant>): ReadonlyArray<Mutant> =>
  mutants.filter((mutant) => !equivalents.some((known) => isEquivalent(known, mutant)))

/** The elements with the smallest number. */
const withMinimum = <A>(all: ReadonlyArray<A>, number: (one: A) => number): ReadonlyArray<A> => {
  const least = Math.min(...all.map(number))
  return all.filter((one) => number(one) === least)
}

const distinct = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(all)]

/**
 * Draws a sample that is spread evenly over the rings, and then over the operators. Each mutant is drawn from a ring
 * with the fewest mutants so far, and from that ring's operator with the fewest. Operators that apply to few rings come
 * first.
 */
export const sampleOf = (mutants: ReadonlyArray<Mutant>, size: number, random: SeededRandom): ReadonlyArray<Mutant> => {
  const left = new Set(mutants)
  const drawn: Array<Mutant> = []
  const drawnFrom = (key: "ring" | "operator", name: string) => drawn.filter((mutant) => mutant[key] === name).length
  const ringsOf = new Map(
    distinct(mutants.map(({ operator }) => operator)).map((name) => [
      name,
      distinct(mutants.filter(({ operator }) => operator === name).map(({ ring }) => ring)).length
    ])
  )
  while (drawn.length < size && left.size > 0) {
    const ring = random.pick(
      withMinimum(distinct([...left].map((mutant) => mutant.ring)), (name) => drawnFrom("ring", name))
    )
    const inRing = [...left].filter((mutant) => mutant.ring === ring)
    const rarest = withMinimum(
      withMinimum(distinct(inRing.map(({ operator }) => operator)), (name) => drawnFrom("operator", name)),
      (name) => ringsOf.get(name) ?? 0
    )
    const operator = random.pick(rarest)
    const mutant = random.pick(inRing.filter((each) => each.operator === operator))
    if (mutant === undefined) break
    left.delete(mutant)
    drawn.push(mutant)
  }
  return drawn
}
