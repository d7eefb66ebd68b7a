/** Remembers which DPoP proofs were used. Servers that share their work share it too. */
export interface Replays {
  /**
   * Notes that a proof is used, until a time in seconds since 1970: true for the first to note it, false for everybody after.
   * Of two that note it at once, one gets true.
   */
  add(proof: string, until: number): boolean | Promise<boolean>
}

/** How many proofs a process remembers. */
const MAX_PROOFS = 100_000

/** Remembers proofs in this process, for a server that runs alone. While it is full, it takes no further proofs. */
export const memoryReplays = (most: number = MAX_PROOFS): Replays => {
  // By the minute in which they end, so that those of a minute are forgotten at once.
  const minutes = new Map<number, Set<string>>()
  let [size, latest] = [0, 0]

  /** A proof ends at most two windows after the moment of its use, so that what ends that long before the latest is over. */
  const forget = () => {
    for (const [minute, proofs] of minutes) {
      if ((minute + 1) * 60 > latest - 2 * PROOF_SECONDS) continue
      minutes.delete(minute)
      size -= proofs.size
    }
  }

  return {
    add: (proof, until) => {
      const minute = Math.floor(until / 60)
      const isNewMinute = minute > Math.floor(latest / 60)
      latest = Math.max(latest, until)
      if (isNewMinute) forget()
      if (size >= most || [...minutes.values()].some((proofs) => proofs.has(proof))) return false
      const proofs = minutes.get(minute) ?? new Set()
      minutes.set(minute, proofs.add(proof))
      size += 1
      return true
    }
  }
}

/** How far, in seconds, the time of a proof may be from the clock. */
export const PROOF_SECONDS = 60
