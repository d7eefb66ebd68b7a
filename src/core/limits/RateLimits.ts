import { Clock, Context, DateTime, Duration, Effect, Layer } from "effect"
import {
  blockOf,
  type Limit,
  type Limited,
  type LimitName,
  limitOf,
  RateLimited,
  type RealmLimits
} from "#domain/Limit"
import { CurrentRealm } from "#domain/Realm"
import { admitted, makeAdmission } from "#platform/Admission"
import { RateLimitsRepo } from "#store/RateLimitsRepo"

/** What this node holds of a limit for one subject: valid in one window. */
interface Held {
  begins: number
  /** What is left of the block that was taken last. */
  left: number
  /** Nothing more is to be had in this window. */
  spent: boolean
}

/** How many subjects a node remembers at most: those of windows that are over are forgotten first. */
const REMEMBERED = 100_000

/** How many wait for the next blocks at most. */
const PLACES = 1_000

/**
 * Limits that hold over all nodes: each takes from the database in blocks, so that most requests look only into memory.
 * A node may go over a limit by what it holds when the window's last block is gone elsewhere: one block.
 */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one more of a limit for a subject; fails where that would be too often. */
    take(name: LimitName, subject: string, own?: RealmLimits): Effect.Effect<void, RateLimited>
    /** The same of what may turn out not to count: gives what takes it back. */
    hold(name: LimitName, subject: string, own?: RealmLimits): Effect.Effect<Effect.Effect<void>, RateLimited>
    /** Counts one more mail that is asked for, for a recipient. */
    takeMail(recipient: string): Effect.Effect<void, RateLimited, CurrentRealm>
    /** Counts one more mail that a visitor asks for, whoever it is for: what management calls mail is not counted here. */
    readonly takeVisitorMail: Effect.Effect<void, RateLimited, CurrentRealm>
  }
>()("sallyport/core/RateLimits") {
  /** `limits`: which of them hold (SALLYPORT_LIMITS); the mails of hooks are counted where they are sent. */
  static readonly layer = (options: { readonly limits: Limited }) =>
    options.limits === "all"
      ? Layer.effect(RateLimits, make)
      : Layer.succeed(RateLimits, {
          take: () => Effect.void,
          hold: () => Effect.succeed(Effect.void),
          takeMail: () => Effect.void,
          takeVisitorMail: Effect.void
        })
}

const mailsBy = (take: RateLimits["Service"]["take"]) =>
  Effect.fnUntraced(function* (recipient: string) {
    const realm = yield* CurrentRealm
    const subject = `${realm.id} ${recipient}`
    yield* take("mails", subject, realm.limits)
    yield* take("mails_sustained", subject, realm.limits)
  })

const visitorMailsBy = (take: RateLimits["Service"]["take"]) =>
  Effect.gen(function* () {
    const realm = yield* CurrentRealm
    yield* take("visitor_mails", realm.id, realm.limits)
    yield* take("visitor_mails_sustained", realm.id, realm.limits)
  })

const make = Effect.gen(function* () {
  const repo = yield* RateLimitsRepo
  const clock = yield* Clock.Clock
  const held = new Map<string, Held>()
  const taking = makeAdmission({
    name: "limits",
    atOnce: Number.POSITIVE_INFINITY,
    atOnceOfOne: 1,
    places: PLACES,
    placesOfOne: PLACES
  })

  const refused = (name: LimitName, { most, within }: Limit, ends: number) =>
    new RateLimited({
      limit: name,
      most,
      withinSeconds: Duration.toSeconds(within),
      retryAfterSeconds: Math.max(1, Math.ceil((ends - clock.currentTimeMillisUnsafe()) / 1_000))
    })

  /** Forgets windows that are over, once so many are remembered. */
  const forget = (now: number) => {
    if (held.size < REMEMBERED) return
    for (const [key, { begins }] of held) if (begins < now - Duration.toMillis(Duration.hours(1))) held.delete(key)
    if (held.size >= REMEMBERED) held.clear()
  }

  const heldOf = (key: string, begins: number): Held => {
    const known = held.get(key)
    if (known?.begins === begins) return known
    forget(begins)
    const fresh = { begins, left: 0, spent: false }
    held.set(key, fresh)
    return fresh
  }

  const hold: RateLimits["Service"]["hold"] = (name, subject, own) =>
    Effect.suspend(() => {
      const limit = limitOf(name, own)
      const length = Duration.toMillis(limit.within)
      const begins = Math.floor(clock.currentTimeMillisUnsafe() / length) * length
      const mine = heldOf(`${name} ${subject}`, begins)
      // In the same window, and on this node: what another holds of it stays as it is.
      let held = true
      const giveBack = Effect.sync(() => {
        if (held) mine.left += 1
        held = false
      })
      if (mine.left > 0) {
        mine.left -= 1
        return Effect.succeed(giveBack)
      }
      const window = { name, subject, begins: DateTime.makeUnsafe(begins), ends: DateTime.makeUnsafe(begins + length) }
      // Of those who find the block empty one takes the next; the others wait for it.
      return admitted(
        taking,
        `${name} ${subject}`,
        Effect.gen(function* () {
          if (mine.left === 0 && !mine.spent) {
            const block = yield* repo.take(window, blockOf(limit), limit.most)
            // Another may have taken one meanwhile, inside a transaction.
            mine.left += block
            mine.spent = block === 0
          }
          if (mine.left === 0) return yield* refused(name, limit, begins + length)
          mine.left -= 1
          return giveBack
        })
      )
    })

  const take: RateLimits["Service"]["take"] = (name, subject, own) => Effect.asVoid(hold(name, subject, own))

  return RateLimits.of({ take, hold, takeMail: mailsBy(take), takeVisitorMail: visitorMailsBy(take) })
})
