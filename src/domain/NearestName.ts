/** Removes differences in case and in the separators between words. */
const normalizedName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/** The edit distance: the number of letters to insert, delete, replace or swap with their neighbor. */
const editDistance = (one: string, other: string): number => {
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

/** The maximum length of a name to compare. */
const MAX_COMPARED_LENGTH = 64

/** The minimum length of a prefix or suffix that identifies a name. */
const MIN_PART_LENGTH = 3

/** Returns whether a name is a prefix or suffix of another. */
const isPrefixOrSuffixOf = (part: string, whole: string): boolean =>
  part.length >= MIN_PART_LENGTH && (whole.startsWith(part) || whole.endsWith(part))

/** The maximum distance between a mistyped name and a suggestion. */
const MAX_DISTANCE = 3

/** The maximum distance for this name: one error per three letters. */
const maxDistanceFor = (name: string): number => Math.min(MAX_DISTANCE, Math.floor(name.length / 3))

/**
 * The distance of a name from a candidate. A name that abbreviates the candidate is nearest. A name that extends the
 * candidate is at the maximum distance.
 */
const distanceOf = (given: string, candidate: string): number => {
  if (isPrefixOrSuffixOf(given, candidate)) return (candidate.length - given.length) / MAX_COMPARED_LENGTH
  const steps = editDistance(given, candidate)
  return isPrefixOrSuffixOf(candidate, given) ? Math.min(MAX_DISTANCE, steps) : steps
}

/** The most similar name, or undefined if none is similar enough. If several are equally similar, the first one. */
export const nearestName = (name: string, names: Iterable<string>): string | undefined => {
  const given = normalizedName(name.slice(0, MAX_COMPARED_LENGTH))
  let nearest: string | undefined
  let least = maxDistanceFor(given) + 1
  for (const candidate of names) {
    const steps = distanceOf(given, normalizedName(candidate))
    if (steps < least) {
      least = steps
      nearest = candidate
    }
  }
  return nearest
}
