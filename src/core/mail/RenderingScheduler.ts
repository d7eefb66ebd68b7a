import type { RealmId } from "#domain/Ids"

/** The long-term share of time for one realm, and for all realms together. */
export const REALM_SHARE = 1 / 10
export const SHARE = 1 / 2

/** How much time a realm may use at once before it has to wait, in milliseconds. */
export const ALLOWANCE_MILLIS = 250

/** How many jobs of one realm may wait. */
export const MAX_WAITING = 256

/** The next action: start a job, rest for some milliseconds, or nothing because no job is waiting. */
export type NextJob<Job> =
  | { readonly _tag: "Begin"; readonly realmId: RealmId; readonly job: Job }
  | { readonly _tag: "Rest"; readonly millis: number }
  | { readonly _tag: "Idle" }

/**
 * Schedules rendering jobs. Realms are served round robin, and each may use only its share of time: the time used
 * becomes a debt that decreases as time passes. `now` is in milliseconds of any clock.
 */
export class RenderingScheduler<Job> {
  /** In the order in which realms are served. */
  readonly #waiting = new Map<RealmId, Array<Job>>()
  /** When each realm will have paid off its debt. */
  readonly #debtUntil = new Map<RealmId, number>()
  #restUntil = Number.NEGATIVE_INFINITY

  /** Adds a job after or before the realm's other jobs. Returns false if too many are waiting. */
  add(realmId: RealmId, job: Job, position: "last" | "first" = "last"): boolean {
    const jobs = this.#waiting.get(realmId) ?? []
    if (jobs.length >= MAX_WAITING) return false
    if (position === "last") jobs.push(job)
    else jobs.unshift(job)
    this.#waiting.set(realmId, jobs)
    return true
  }

  /** Removes a waiting job. */
  remove(realmId: RealmId, job: Job): void {
    const jobs = this.#waiting.get(realmId)?.filter((other) => other !== job) ?? []
    if (jobs.length === 0) this.#waiting.delete(realmId)
    else this.#waiting.set(realmId, jobs)
  }

  /** Takes the next job. */
  next(now: number): NextJob<Job> {
    this.#forget(now)
    if (this.#waiting.size === 0) return { _tag: "Idle" }
    let earliest = Number.POSITIVE_INFINITY
    for (const [realmId, jobs] of this.#waiting) {
      const allowedAt = Math.max(
        this.#restUntil,
        (this.#debtUntil.get(realmId) ?? now) - ALLOWANCE_MILLIS / REALM_SHARE
      )
      earliest = Math.min(earliest, allowedAt)
      const job = allowedAt > now ? undefined : jobs.shift()
      if (job === undefined) continue
      // If the realm has more jobs, it moves to the end of the queue.
      this.#waiting.delete(realmId)
      if (jobs.length > 0) this.#waiting.set(realmId, jobs)
      return { _tag: "Begin", realmId, job }
    }
    return { _tag: "Rest", millis: earliest - now }
  }

  /** Charges a realm for milliseconds used. */
  charge(realmId: RealmId, millis: number, now: number): void {
    this.#debtUntil.set(realmId, Math.max(now, this.#debtUntil.get(realmId) ?? now) + millis / REALM_SHARE)
    this.#restUntil = now + millis / SHARE - millis
  }

  #forget(now: number): void {
    for (const [realmId, until] of this.#debtUntil) if (until <= now) this.#debtUntil.delete(realmId)
  }
}
