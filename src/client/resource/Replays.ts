/** Stores used DPoP proofs. Servers that share their requests must also share this store. */
export interface Replays {
  /**
   * Marks a proof as used until a time in Unix seconds. Returns true for the first caller and false for all others,
   * even if they call concurrently.
   */
  add(proof: string, until: number): boolean | Promise<boolean>
}

/** The maximum number of proofs that a process stores. */
const MAX_PROOFS = 100_000

/** Stores proofs in this process, which is enough for a single server. Rejects new proofs while it is full. */
export const memoryReplays = (most: number = MAX_PROOFS): Replays => {
  // Grouped by the minute in which they expire, so that all proofs of a minute are removed together.
  const minutes = new Map<number, Set<string>>()
  let [size, latest] = [0, 0]

  /**
   * Removes expired proofs. Proofs expire at most two windows after their use, so everything that much older than the
   * latest proof has expired.
   */
  const removeExpired = () => {
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
      if (isNewMinute) removeExpired()
      if (size >= most || [...minutes.values()].some((proofs) => proofs.has(proof))) return false
      const proofs = minutes.get(minute) ?? new Set()
      minutes.set(minute, proofs.add(proof))
      size += 1
      return true
    }
  }
}

/** The maximum difference between a proof's time and the clock, in seconds. */
export const PROOF_SECONDS = 60
