import { Context, DateTime, Duration, Effect, Layer, Semaphore } from "effect"
import type { AppHook } from "#domain/AppHook"
import { type Attempted, type Delivery, isGivenUp, type Outcome, verdict } from "#domain/Delivery"
import { eventRecord, type ReadEvent } from "#domain/Event"
import { Entropy } from "#platform/Entropy"
import { Transaction } from "#platform/Transaction"
import { storedRealm } from "#store/AppHookRows"
import { AppHooksRepo, type HookKey } from "#store/AppHooksRepo"
import { DeliveriesRepo, type Finished } from "#store/DeliveriesRepo"
import { Journal } from "../events/Journal.ts"
import { HookMails } from "./HookMails.ts"
import { type Sign, signing } from "./WebhookSignature.ts"
import { Webhooks } from "./Webhooks.ts"

/** For how long who makes an attempt has it to itself: longer than any attempt takes. */
const LEASE = Duration.minutes(2)

/** What is left of a hook's deliveries after some attempts. */
export interface Progress {
  /** How many attempts were made. */
  readonly made: number
  /** Whether one of them arrived. */
  readonly arrived: boolean
}

const NOTHING: Progress = { made: 0, arrived: false }

/** A hook with what its attempts need. */
interface Armed {
  readonly hook: AppHook
  readonly sign: Sign | undefined
}

/** Attempts to deliver what the outbox holds (decision 37). */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Attempts up to `limit` of a hook's deliveries that are due, side by side. */
    attemptSome(key: HookKey, limit: number): Effect.Effect<Progress>
  }
>()("sallyport/core/Deliveries") {
  static readonly layer = Layer.effect(
    Deliveries,
    Effect.gen(function* () {
      const repo = yield* DeliveriesRepo
      const hooks = yield* AppHooksRepo
      const journal = yield* Journal
      const transaction = yield* Transaction
      const webhooks = yield* Webhooks
      const mails = yield* HookMails
      const entropy = yield* Entropy

      /** Makes a hook inactive for its receiver's sake, and says so. What waits for it is canceled. */
      const disable = Effect.fnUntraced(function* (key: HookKey) {
        yield* Effect.gen(function* () {
          const hook = yield* hooks.findForUpdate(key.id)
          if (hook === undefined || hook.state === "inactive") return
          yield* hooks.update({ ...hook, state: "inactive" })
          yield* repo.cancelOfHook(hook)
          yield* journal.recordIn(storedRealm(hook.realmId), [{ eventType: "hook.disabled", hookId: hook.id }])
          yield* Effect.logWarning("hook disabled", { hook: hook.id })
          // The realm of a hook that was found is there, and held by the event.
        }).pipe(transaction.run, Effect.orDie)
      })

      const attempt = ({ hook, sign }: Armed, delivery: Delivery, event: ReadEvent): Effect.Effect<Attempted> => {
        if (hook.hookType === "email") return mails.send(hook, delivery, event)
        const body = JSON.stringify(eventRecord(event, hook.version, true))
        return Effect.map(webhooks.post(hook, sign, delivery.id, body), (outcome) => ({
          outcome,
          destination: hook.destination
        }))
      }

      /** Writes results as they come, those that came while the last were being written together. */
      const resultsOf = () => {
        const writing = Semaphore.makeUnsafe(1)
        let waiting: Array<Finished> = []
        const writeAll = Effect.suspend(() => {
          const results = waiting
          waiting = []
          return results.length === 0 ? Effect.void : repo.finish(results)
        })
        return (finished: Finished) => {
          waiting.push(finished)
          return writing.withPermits(1)(writeAll)
        }
      }

      const chance = () => {
        const [byte = 0] = entropy.bytes(1)
        return byte / 255
      }

      const finished = (claimed: Delivery, { outcome, destination }: Attempted, now: DateTime.Utc): Finished => {
        const after = verdict(claimed.attempts, outcome, now, chance())
        return {
          claimed,
          state: after.state,
          dueAt: "dueAt" in after ? after.dueAt : now,
          destination,
          result: "result" in outcome ? outcome.result : null,
          wasNone: outcome._tag === "Postponed" || outcome._tag === "Pointless"
        }
      }

      /** Gives back what was claimed and will not be tried: the node stops. */
      const released = (claimed: Delivery) =>
        Effect.flatMap(DateTime.now, (now) =>
          repo.finish([{ claimed, state: "in_progress", dueAt: now, destination: null, result: null, wasNone: true }])
        )

      /** Makes a hook inactive that has failed for too long, or that was told never to come back; else notes how it fares. */
      const noted = Effect.fnUntraced(function* (hook: AppHook, outcomes: ReadonlyArray<Outcome["_tag"]>) {
        if (outcomes.includes("Gone")) return yield* disable(hook)
        if (outcomes.includes("Delivered")) {
          return hook.failingSince === null ? undefined : yield* hooks.setFailingSince(hook, null)
        }
        // Mails all go to our own mail server: that it was away for long is no fault of a hook.
        if (hook.hookType === "email" || !outcomes.includes("Refused")) return
        const now = yield* DateTime.now
        if (hook.failingSince === null) return yield* hooks.setFailingSince(hook, now)
        if (isGivenUp(hook.failingSince, now)) yield* disable(hook)
      })

      /** A hook that may be sent to, with its secrets. */
      const armed = Effect.fnUntraced(function* (key: HookKey) {
        const hook = yield* hooks.forDelivery(key)
        if (hook === undefined || hook.state === "inactive") return undefined
        const secrets = hook.hookType === "webhook" ? yield* hooks.secrets(key) : undefined
        // It was deleted since it was read.
        if (hook.hookType === "webhook" && secrets === undefined) return undefined
        return { hook, sign: secrets === undefined ? undefined : signing(secrets) }
      })

      const attemptSome = Effect.fnUntraced(function* (key: HookKey, limit: number) {
        const now = yield* DateTime.now
        const claimed = yield* repo.claim(key, now, DateTime.addDuration(now, LEASE), limit)
        if (claimed.length === 0) return NOTHING
        const ready = yield* armed(key)
        if (ready === undefined) return yield* Effect.as(repo.cancelOfHook(key), NOTHING)
        const events = yield* journal.named(claimed.map(({ realmId, eventId }) => ({ realmId, id: eventId })))
        const eventOf = new Map(events.map((event) => [event.id, event]))
        const write = resultsOf()

        const one = Effect.fnUntraced(function* (delivery: Delivery) {
          const event = eventOf.get(delivery.eventId)
          // Its realm is being cleared: the delivery goes with the event.
          if (event === undefined) return "Pointless" as const
          return yield* Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              const tried = restore(attempt(ready, delivery, event))
              const attempted = yield* Effect.onInterrupt(tried, () => released(delivery))
              yield* write(finished(delivery, attempted, yield* DateTime.now))
              return attempted.outcome._tag
            })
          )
        })

        const outcomes = yield* Effect.forEach(claimed, one, { concurrency: "unbounded" })
        yield* noted(ready.hook, outcomes)
        if (events.some(({ eventType }) => eventType === "realm.deleted")) yield* hooks.deleteOfGoneRealm(key)
        return { made: claimed.length, arrived: outcomes.includes("Delivered") }
      })

      return Deliveries.of({ attemptSome })
    })
  )
}
