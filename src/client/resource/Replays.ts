/** Remembers which DPoP proofs were used. Servers that share their work share it too. */
export interface Replays {
  /**
   * Notes that a proof is used, until a time in seconds since 1970: true for the first to note it, false for everybody after.
   * Of two that note it at once, one gets true.
   */
  add(proof: string, until: number): boolean | Promise<boolean>
}

/** How many proofs a process remembers. */
const MOST_PROOFS = 100_000

/** Remembers proofs in this process, for a server that runs alone. While it is full, it takes no further proofs. */
export const memoryReplays = (most: number = MOST_PROOFS): Replays => {
  const used = new Map<string, number>()
  let latest = 0
  return {
    add: (proof, until) => {
      if (used.has(proof)) return false
      if (used.size >= most) {
        // A proof expires within twice the window from the moment of its use: what ends before that moment is over.
        for (const [old, end] of used) if (end < latest - 2 * PROOF_SECONDS) used.delete(old)
      }
      if (used.size >= most) return false
      latest = Math.max(latest, until)
      used.set(proof, until)
      return true
    }
  }
}

/** How far, in seconds, the time of a proof may be from the clock. */
export const PROOF_SECONDS = 60
