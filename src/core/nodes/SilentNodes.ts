import type { NodeRow } from "#store/operations/NodesRepo"

/** How often a node beats and looks at the others, in milliseconds. */
export const BEAT = 2_000

/** After which silence a node counts as dead, and after which pause of one's own nothing is known any more. */
const SILENCE = 8_000
const GAP = 1.5 * BEAT

/**
 * Judges which nodes have died, by one's own monotonic clock: their beat has not changed for eight seconds of looking. So it does not
 * matter whose clock shows what. Whoever has not looked for a while, such as while the database was away, begins anew: the
 * others could not beat either, or have beaten meanwhile.
 */
export const silenceWatch = () => {
  const seen = new Map<string, { readonly beat: number; readonly since: number }>()
  let lookedAt = Number.NEGATIVE_INFINITY
  /** `at`: milliseconds since some moment. */
  return (nodes: ReadonlyArray<NodeRow>, at: number): ReadonlyArray<string> => {
    if (at - lookedAt > GAP) seen.clear()
    lookedAt = at
    const there = new Set(nodes.map(({ id }) => id))
    for (const id of seen.keys()) if (!there.has(id)) seen.delete(id)
    return nodes.flatMap(({ id, beat }) => {
      const before = seen.get(id)
      if (before !== undefined && before.beat === beat) return at - before.since > SILENCE ? [id] : []
      seen.set(id, { beat, since: at })
      return []
    })
  }
}
