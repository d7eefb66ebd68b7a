import type { NodeRow } from "#store/operations/NodesRepo"

/** How often a node sends a heartbeat and checks the others, in milliseconds. */
export const HEARTBEAT_MILLIS = 2_000

/** How long a node may be silent before it counts as dead, and how long checks may pause before they start over. */
const SILENCE = 8_000
const GAP = 1.5 * HEARTBEAT_MILLIS

/**
 * Detects dead nodes: their heartbeat count has not changed for eight seconds. Only the local monotonic clock matters,
 * so the nodes' clocks may disagree. After a pause between checks, such as a database outage, detection starts over,
 * because the others could not send heartbeats either.
 */
export const silenceDetector = () => {
  const seen = new Map<string, { readonly beat: number; readonly since: number }>()
  let checkedAt = Number.NEGATIVE_INFINITY
  /** `at`: the monotonic time, in milliseconds. */
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
