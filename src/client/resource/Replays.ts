/** Remembers used DPoP proofs. Servers that share work must share it. */
export interface Replays {
  /**
   * Marks a proof as used until a time in Unix seconds: returns true for the first caller, false for all others, even if
   * they call concurrently.
   */
  add(proof: string, until: number): boolean | Promise<boolean>
}

/** How many proofs a process remembers. */
const MAX_PROOFS = 100_000

/** Remembers proofs in this process, for a single server. While it is full, it rejects new proofs. */
export const memoryReplays = (most: number = MAX_PROOFS): Replays => {
  // By the minute of their expiry, so that all proofs of a minute are removed together.
  const minutes = new Map<number, Set<string>>()
  let [size, latest] = [0, 0]

  /** Proofs expire at most two windows after their use, so anything that much older than the latest is expired. */
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

/** How many seconds a proof's time may differ from the clock. */
export const PROOF_SECONDS = 60
