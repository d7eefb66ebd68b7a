import type { RealmId } from "#domain/Ids"

/** How much of the time one realm gets in the long run, and how much all of them together. */
export const REALM_SHARE = 1 / 10
export const SHARE = 1 / 2

/** How much a realm may take at once before it waits, in milliseconds. */
export const ALLOWANCE_MILLIS = 250

/** How many jobs of one realm may wait. */
export const MOST_WAITING = 256

/** Whose turn it is: a job's, nobody's for so many milliseconds, or nobody's because nothing waits. */
export type Turn<Job> =
  | { readonly _tag: "Begin"; readonly realmId: RealmId; readonly job: Job }
  | { readonly _tag: "Rest"; readonly millis: number }
  | { readonly _tag: "Idle" }

/**
 * Who renders next. Realms take turns, and each may use no more than a share of the time: what it has used is owed, and
 * worn off as time goes by. Knows no clock of its own: `now` is in milliseconds of whatever clock.
 */
export class RenderingTurns<Job> {
  /** In the order of their turns. */
  readonly #waiting = new Map<RealmId, Array<Job>>()
  /** Until when, at its share, a realm has worn off what it has used. */
  readonly #owedUntil = new Map<RealmId, number>()
  #restUntil = Number.NEGATIVE_INFINITY

  /** Lets a job wait for its turn, behind those of its realm or before them; false: too many wait already. */
  add(realmId: RealmId, job: Job, place: "last" | "first" = "last"): boolean {
    const jobs = this.#waiting.get(realmId) ?? []
    if (jobs.length >= MOST_WAITING) return false
    if (place === "last") jobs.push(job)
    else jobs.unshift(job)
    this.#waiting.set(realmId, jobs)
    return true
  }

  /** Lets a job wait no longer. */
  remove(realmId: RealmId, job: Job): void {
    const jobs = this.#waiting.get(realmId)?.filter((other) => other !== job) ?? []
    if (jobs.length === 0) this.#waiting.delete(realmId)
    else this.#waiting.set(realmId, jobs)
  }

  /** Takes the next job out of those that wait. */
  next(now: number): Turn<Job> {
    this.#forget(now)
    if (this.#waiting.size === 0) return { _tag: "Idle" }
    let soonest = Number.POSITIVE_INFINITY
    for (const [realmId, jobs] of this.#waiting) {
      const mayAt = Math.max(this.#restUntil, (this.#owedUntil.get(realmId) ?? now) - ALLOWANCE_MILLIS / REALM_SHARE)
      soonest = Math.min(soonest, mayAt)
      const job = mayAt > now ? undefined : jobs.shift()
      if (job === undefined) continue
      // Behind all other realms, if anything is left.
      this.#waiting.delete(realmId)
      if (jobs.length > 0) this.#waiting.set(realmId, jobs)
      return { _tag: "Begin", realmId, job }
    }
    return { _tag: "Rest", millis: soonest - now }
  }

  /** Notes that a realm has used so many milliseconds. */
  charge(realmId: RealmId, millis: number, now: number): void {
    this.#owedUntil.set(realmId, Math.max(now, this.#owedUntil.get(realmId) ?? now) + millis / REALM_SHARE)
    this.#restUntil = now + millis / SHARE - millis
  }

  #forget(now: number): void {
    for (const [realmId, until] of this.#owedUntil) if (until <= now) this.#owedUntil.delete(realmId)
  }
}
