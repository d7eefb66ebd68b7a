/** Names are compared without what people write in different ways: case, and the marks between words. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** How many letters to add, leave out, replace or swap with their neighbour to make one word of another. */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      )
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}

/** The longest name that is compared. */
const LONGEST = 64

/** The shortest part of a name that says which name it is a part of. */
const MIN_PART_LENGTH = 3

/** Whether a name is how another begins or ends. */
const isEndOf = (part: string, whole: string): boolean =>
  part.length >= MIN_PART_LENGTH && (whole.startsWith(part) || whole.endsWith(part))

/** How far a name may be at most from one that was meant. */
const FARTHEST = 3

/** How far a name may be from one that was meant: a letter in three. */
const farthest = (name: string): number => Math.min(FARTHEST, Math.floor(name.length / 3))

/** How far a name is from one that may be meant. One that it shortens is nearer than any other, one that it extends is far. */
const distanceOf = (given: string, candidate: string): number => {
  if (isEndOf(given, candidate)) return (candidate.length - given.length) / LONGEST
  const steps = distance(given, candidate)
  return isEndOf(candidate, given) ? Math.min(FARTHEST, steps) : steps
}

/** The name that someone may have meant: of these, the one most like it, if any is; the first of several. */
export const nearestName = (name: string, names: Iterable<string>): string | undefined => {
  const given = bare(name.slice(0, LONGEST))
  let nearest: string | undefined
  let least = farthest(given) + 1
  for (const candidate of names) {
    const steps = distanceOf(given, bare(candidate))
    if (steps < least) {
      least = steps
      nearest = candidate
    }
  }
  return nearest
}
