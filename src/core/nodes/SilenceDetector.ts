import type { NodeRow } from "#store/operations/NodesRepo"

/** How often a node sends a heartbeat and checks the others, in milliseconds. */
export const HEARTBEAT_MILLIS = 2_000

/**
 * How long a node may be silent before it counts as dead, and the longest pause between checks before detection starts over,
 * in milliseconds.
 */
const SILENCE = 8_000
const GAP = 1.5 * HEARTBEAT_MILLIS

/**
 * Detects dead nodes. A node counts as dead if its heartbeat count has not changed for eight seconds of the local monotonic
 * clock, so the nodes' clocks need not agree. After a pause between checks, such as a database outage, detection starts over,
 * because the other nodes could not send heartbeats either.
 */
export const silenceDetector = () => {
  const seen = new Map<string, { readonly beat: number; readonly since: number }>()
  let checkedAt = Number.NEGATIVE_INFINITY
  /** `at` is the monotonic time in milliseconds. */
  return (nodes: ReadonlyArray<NodeRow>, at: number): ReadonlyArray<string> => {
    if (at - checkedAt > GAP) seen.clear()
    checkedAt = at
    const present = new Set(nodes.map(({ id }) => id))
    for (const id of seen.keys()) if (!present.has(id)) seen.delete(id)
    return nodes.flatMap(({ id, beat }) => {
      const before = seen.get(id)
      if (before !== undefined && before.beat === beat) return at - before.since > SILENCE ? [id] : []
      seen.set(id, { beat, since: at })
      return []
    })
  }
}
