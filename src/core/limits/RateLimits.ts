import { Clock, Context, DateTime, Duration, Effect, Layer, Metric } from "effect"
import { foldedEmail } from "#domain/Email"
import {
  blockSize,
  type Limit,
  type LimitName,
  type LimitScope,
  limitOf,
  RateLimited,
  type RealmLimits
} from "#domain/Limit"
import { CurrentRealm } from "#domain/Realm"
import { makeAdmission } from "#platform/Admission"
import { RateLimitsRepo } from "#store/access/RateLimitsRepo"

/** The units that this node has taken from a limit, for one subject in one window. */
interface LocalBlock {
  begins: number
  /** The units left in the block. */
  left: number
  /** Whether all units of the window are used up. */
  spent: boolean
}

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
          takeMail: () => Effect.void,
          takeVisitorMail: Effect.void
        })
}

const takeMailWith = (take: RateLimits["Service"]["take"]) =>
  Effect.fnUntraced(function* (recipient: string) {
    const realm = yield* CurrentRealm
    const subject = `${realm.id} ${foldedEmail(recipient)}`
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
  const blocks = new Map<string, LocalBlock>()
  const refills = makeAdmission({
    name: "limits",
    concurrency: Number.POSITIVE_INFINITY,
    concurrencyPerKey: 1,
    queueLimit: QUEUE_LIMIT,
    queueLimitPerKey: QUEUE_LIMIT
  })

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
      const length = Duration.toMillis(limit.within)
      const begins = Math.floor(clock.currentTimeMillisUnsafe() / length) * length
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
      const window = { name, subject, begins: DateTime.makeUnsafe(begins), ends: DateTime.makeUnsafe(begins + length) }
      // When the block is used up, one operation takes the next block, and the others wait for it.
      return refills.runOrDie(
        `${name} ${subject}`,
        Effect.gen(function* () {
          if (block.left === 0 && !block.spent) {
            const units = yield* repo.take(window, blockSize(limit), limit.most)
            // Add to the block, because an operation inside a transaction doesn't wait and may have taken a block meanwhile.
            block.left += units
            block.spent = units === 0
          }
          if (block.left === 0) {
            yield* Metric.update(Metric.withAttributes(rejections, { limit: name }), 1)
            return yield* rateLimited(name, limit, begins + length)
          }
          block.left -= 1
          return refund
        })
      )
    })

  const take: RateLimits["Service"]["take"] = (name, subject, overrides) =>
    Effect.asVoid(reserve(name, subject, overrides))

  return RateLimits.of({ take, reserve, takeMail: takeMailWith(take), takeVisitorMail: takeVisitorMailWith(take) })
})
