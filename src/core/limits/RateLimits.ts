import { Clock, Context, DateTime, Duration, Effect, Layer, Metric } from "effect"
import { foldedEmail } from "#domain/Email"
import type { RealmId } from "#domain/Ids"
import {
  blockSize,
  type Limit,
  type LimitName,
  type LimitScope,
  limitOf,
  RateLimited,
  type RealmLimitName,
  type RealmLimits
} from "#domain/Limit"
import { CurrentRealm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { Transaction } from "#platform/Transaction"
import { type LimitWindow, RateLimitsRepo } from "#store/access/RateLimitsRepo"
import { RealmChanges } from "../caches/RealmChanges.ts"

/** The subject of the limit on wrong device codes. `visitor` is a user ID or a client address. */
export const userCodeSubject = (realmId: RealmId, visitor: string): string => `${realmId} ${visitor}`

/** The units that this node has taken from a limit, for one subject in one window. */
interface LocalBlock {
  begins: number
  /** The units left in the block. */
  left: number
  /** Whether all units of the window are used up. */
  spent: boolean
}

/** A limit as counted for one subject. */
export interface LimitSubject {
  readonly name: RealmLimitName
  readonly subject: string
}

/** A limit that is reached for a subject until the end of its window. */
export interface ReachedLimit extends LimitSubject {
  readonly ends: DateTime.Utc
}

/** The subject of the limits on emails to a recipient. */
export const recipientSubject = (realmId: RealmId, recipient: string): string => `${realmId} ${foldedEmail(recipient)}`

/** The maximum number of subjects in memory. Subjects with past windows are evicted first. */
const MAX_SUBJECTS = 100_000

const rejections = Metric.counter("rate_limited_total", {
  description: "Operations rejected because a rate limit was reached, by limit.",
  incremental: true
})

/** The maximum number of operations waiting for new blocks. */
const QUEUE_LIMIT = 1_000

/**
 * Enforces rate limits across all nodes. Nodes take units from the database in blocks, so most requests need no query. A node
 * can exceed a limit by at most one block.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Takes one unit from a limit for a subject. Fails if the limit is reached. */
    take(name: LimitName, subject: string, overrides?: RealmLimits): Effect.Effect<void, RateLimited>
    /** Takes one unit from a limit, and returns an effect that refunds it. */
    reserve(name: LimitName, subject: string, overrides?: RealmLimits): Effect.Effect<Effect.Effect<void>, RateLimited>
    /** Returns those of these limits of the current realm that are reached. */
    findReached(subjects: ReadonlyArray<LimitSubject>): Effect.Effect<ReadonlyArray<ReachedLimit>, never, CurrentRealm>
    /** Restarts the current windows of these limits. Other nodes notice within a second (C32). */
    reset(subjects: ReadonlyArray<LimitSubject>): Effect.Effect<void, never, CurrentRealm>
    /** Counts one email toward the recipient's limits. */
    takeMail(recipient: string): Effect.Effect<void, RateLimited, CurrentRealm>
    /**
     * Counts one email toward the realm's limits on emails requested by visitors. Emails requested through the management API
     * don't count.
     */
    readonly takeVisitorMail: Effect.Effect<void, RateLimited, CurrentRealm>
  }
>()("sallyport/core/RateLimits") {
  /** `limits` selects the limits to enforce (SALLYPORT_LIMITS). Emails of hooks are counted when they are sent. */
  static readonly layer = (options: { readonly limits: LimitScope }) =>
    options.limits === "all"
      ? Layer.effect(RateLimits, make)
      : Layer.succeed(RateLimits, {
          take: () => Effect.void,
          reserve: () => Effect.succeed(Effect.void),
          findReached: () => Effect.succeed([]),
          reset: () => Effect.void,
          takeMail: () => Effect.void,
          takeVisitorMail: Effect.void
        })
}

const takeMailWith = (take: RateLimits["Service"]["take"]) =>
  Effect.fnUntraced(function* (recipient: string) {
    const realm = yield* CurrentRealm
    const subject = recipientSubject(realm.id, recipient)
    yield* take("mails", subject, realm.limits)
    yield* take("mails_sustained", subject, realm.limits)
  })

const takeVisitorMailWith = (take: RateLimits["Service"]["take"]) =>
  Effect.gen(function* () {
    const realm = yield* CurrentRealm
    yield* take("visitor_mails", realm.id, realm.limits)
    yield* take("visitor_mails_sustained", realm.id, realm.limits)
  })

const make = Effect.gen(function* () {
  const repo = yield* RateLimitsRepo
  const clock = yield* Clock.Clock
  const changes = yield* RealmChanges
  const transaction = yield* Transaction
  const blocks = new Map<string, LocalBlock>()
  const refills = makeAdmission({
    name: "limits",
    concurrency: Number.POSITIVE_INFINITY,
    concurrencyPerKey: 1,
    queueLimit: QUEUE_LIMIT,
    queueLimitPerKey: QUEUE_LIMIT
  })

  // Another node may have reset a limit of a changed realm. Subjects don't always name their realm, so ask again for all.
  changes.subscribe(() => {
    for (const block of blocks.values()) block.spent = false
  })

  const noticeResets = Effect.contextWith((context: Context.Context<never>) =>
    changes.isFresh() || transaction.isOpenIn(context) ? Effect.void : Effect.asVoid(changes.read)
  )

  const rateLimited = (name: LimitName, { most, within }: Limit, ends: number) =>
    new RateLimited({
      limit: name,
      most,
      withinSeconds: Duration.toSeconds(within),
      retryAfterSeconds: Math.max(1, Math.ceil((ends - clock.currentTimeMillisUnsafe()) / 1_000))
    })

  /** Evicts past windows if there are too many subjects in memory. */
  const evict = (now: number) => {
    if (blocks.size < MAX_SUBJECTS) return
    for (const [key, { begins }] of blocks) if (begins < now - Duration.toMillis(Duration.hours(1))) blocks.delete(key)
    if (blocks.size >= MAX_SUBJECTS) blocks.clear()
  }

  const currentWindow = ({ within }: Limit) => {
    const length = Duration.toMillis(within)
    const begins = Math.floor(clock.currentTimeMillisUnsafe() / length) * length
    return { begins, ends: begins + length }
  }

  const blockFor = (key: string, begins: number): LocalBlock => {
    const known = blocks.get(key)
    if (known?.begins === begins) return known
    evict(begins)
    const fresh = { begins, left: 0, spent: false }
    blocks.set(key, fresh)
    return fresh
  }

  const reserve: RateLimits["Service"]["reserve"] = (name, subject, overrides) =>
    Effect.suspend(() => {
      const limit = limitOf(name, overrides)
      const { begins, ends } = currentWindow(limit)
      const block = blockFor(`${name} ${subject}`, begins)
      // A refund is only valid on this node and in this window, and only once.
      let isReserved = true
      const refund = Effect.sync(() => {
        if (isReserved) block.left += 1
        isReserved = false
      })
      if (block.left > 0) {
        block.left -= 1
        return Effect.succeed(refund)
      }
      const window = { name, subject, begins: DateTime.makeUnsafe(begins), ends: DateTime.makeUnsafe(ends) }
      // When the block is used up, one operation takes the next block, and the others wait for it.
      return refills.runOrDie(
        `${name} ${subject}`,
        Effect.gen(function* () {
          if (block.left === 0 && block.spent) yield* noticeResets
          if (block.left === 0 && !block.spent) {
            const units = yield* repo.take(window, blockSize(limit), limit.most)
            // Add to the block, because an operation inside a transaction doesn't wait and may have taken a block meanwhile.
            block.left += units
            block.spent = units === 0
          }
          if (block.left === 0) {
            yield* Metric.update(Metric.withAttributes(rejections, { limit: name }), 1)
            return yield* rateLimited(name, limit, ends)
          }
          block.left -= 1
          return refund
        })
      )
    })

  const windowsOf = (subjects: ReadonlyArray<LimitSubject>, overrides: RealmLimits) =>
    subjects.map(({ name, subject }) => {
      const limit = limitOf(name, overrides)
      const { begins, ends } = currentWindow(limit)
      return { name, subject, most: limit.most, begins: DateTime.makeUnsafe(begins), ends: DateTime.makeUnsafe(ends) }
    })

  /** Whether this node still has units of a window, such as refunded ones. */
  const hasUnits = ({ name, subject, begins }: LimitWindow) => {
    const block = blocks.get(`${name} ${subject}`)
    return block !== undefined && block.begins === begins.epochMilliseconds && block.left > 0
  }

  const findReached = Effect.fnUntraced(function* (subjects: ReadonlyArray<LimitSubject>) {
    const { limits } = yield* CurrentRealm
    return (yield* repo.findReached(windowsOf(subjects, limits))).filter((window) => !hasUnits(window))
  })

  const reset = Effect.fnUntraced(function* (subjects: ReadonlyArray<LimitSubject>) {
    const { id, limits } = yield* CurrentRealm
    if (subjects.length === 0) return
    yield* repo.reset(id, windowsOf(subjects, limits))
    for (const { name, subject } of subjects) blocks.delete(`${name} ${subject}`)
  })

  const take: RateLimits["Service"]["take"] = (name, subject, overrides) =>
    Effect.asVoid(reserve(name, subject, overrides))

  return RateLimits.of({
    take,
    reserve,
    findReached,
    reset,
    takeMail: takeMailWith(take),
    takeVisitorMail: takeVisitorMailWith(take)
  })
})
