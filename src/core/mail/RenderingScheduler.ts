import type { RealmId } from "#domain/Ids"

/** The maximum share of time, in the long term, for one realm and for all realms together. */
export const REALM_SHARE = 1 / 10
export const SHARE = 1 / 2

/** How long a realm may render without a pause before it has to wait, in milliseconds. */
export const ALLOWANCE_MILLIS = 250

/** The maximum number of waiting jobs of one realm. */
export const MAX_WAITING = 256

/** The next action: start a job, pause for some milliseconds, or stay idle because no job is waiting. */
export type NextJob<Job> =
  | { readonly _tag: "Begin"; readonly realmId: RealmId; readonly job: Job }
  | { readonly _tag: "Rest"; readonly millis: number }
  | { readonly _tag: "Idle" }

/**
 * Schedules rendering jobs. Realms take turns, and each realm gets only its share of the time. The time that a realm uses
 * becomes a debt, which decreases as time passes. `now` is a time of any clock, in milliseconds.
 */
export class RenderingScheduler<Job> {
  /** The waiting jobs. Realms are listed in the order of their turns. */
  readonly #waiting = new Map<RealmId, Array<Job>>()
  /** The time when each realm's debt will be paid off. */
  readonly #debtUntil = new Map<RealmId, number>()
  #restUntil = Number.NEGATIVE_INFINITY

  /** Adds a job, as the last or the first of the realm's jobs. Returns false if too many are waiting. */
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

  /** Takes the next job from the queue. */
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
      // If the realm has more jobs, move it to the end of the queue.
      this.#waiting.delete(realmId)
      if (jobs.length > 0) this.#waiting.set(realmId, jobs)
      return { _tag: "Begin", realmId, job }
    }
    return { _tag: "Rest", millis: earliest - now }
  }

  /** Charges a realm for the time it used. */
  charge(realmId: RealmId, millis: number, now: number): void {
    this.#debtUntil.set(realmId, Math.max(now, this.#debtUntil.get(realmId) ?? now) + millis / REALM_SHARE)
    this.#restUntil = now + millis / SHARE - millis
  }

  #forget(now: number): void {
    for (const [realmId, until] of this.#debtUntil) if (until <= now) this.#debtUntil.delete(realmId)
  }
}
