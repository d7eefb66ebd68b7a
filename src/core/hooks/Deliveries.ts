import { Context, DateTime, Effect, Layer, Semaphore } from "effect"
import type { AppHook } from "#domain/AppHook"
import {
  type AttemptResult,
  type Delivery,
  decideDelivery,
  hasFailedTooLong,
  LEASE,
  type Outcome
} from "#domain/Delivery"
import type { EventWithToken } from "#domain/Event"
import { eventRecord } from "#domain/EventRecord"
import { Entropy } from "#platform/Entropy"
import { Transaction } from "#platform/Transaction"
import { storedRealm } from "#store/hooks/AppHookRows"
import { AppHooksRepo, type HookKey } from "#store/hooks/AppHooksRepo"
import { type AttemptOutcome, DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import { Journal } from "../events/Journal.ts"
import { DatabaseOutage } from "../nodes/DatabaseOutage.ts"
import { Nodes } from "../nodes/Nodes.ts"
import { countAttempt, countEnd } from "./DeliveryMetrics.ts"
import { HookMails } from "./HookMails.ts"
import { type Sign, signerFor } from "./WebhookSignature.ts"
import { Webhooks } from "./Webhooks.ts"

/** The progress made with a hook's due deliveries. */
export interface Progress {
  /** How many attempts were made. */
  readonly attempts: number
  /** Whether at least one attempt was successful. */
  readonly hasDelivered: boolean
}

const NOTHING: Progress = { attempts: 0, hasDelivered: false }

/** A hook with the signer for its requests. */
interface DeliveryTarget {
  readonly hook: AppHook
  readonly sign: Sign | undefined
}

/** Attempts deliveries from the outbox (C37). */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Attempts up to `limit` of a hook's due deliveries, concurrently. */
    attemptDue(key: HookKey, limit: number): Effect.Effect<Progress>
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
      const nodes = yield* Nodes
      const outage = yield* DatabaseOutage

      /** Disables a hook whose deliveries failed, records the event, and cancels pending deliveries. */
      const disable = Effect.fnUntraced(function* (key: HookKey) {
        yield* Effect.gen(function* () {
          const hook = yield* hooks.findForUpdate(key.id)
          if (hook === undefined || hook.state === "inactive") return
          yield* hooks.update({ ...hook, state: "inactive" })
          yield* repo.cancelOfHook(hook)
          yield* journal.recordIn(storedRealm(hook.realmId), [{ eventType: "hook.disabled", hookId: hook.id }])
          yield* Effect.logWarning("A hook was disabled because its deliveries failed.").pipe(
            Effect.annotateLogs({ hook: hook.id })
          )
          // `RealmNotFound` can't occur: the hook exists, so its realm does, and inserting the event locks the realm.
        }).pipe(transaction.run, Effect.orDie)
      })

      const attempt = (
        { hook, sign }: DeliveryTarget,
        delivery: Delivery,
        event: EventWithToken
      ): Effect.Effect<AttemptResult> => {
        if (hook.hookType === "email") return mails.send(hook, delivery, event)
        const body = JSON.stringify(eventRecord(event, hook.version, true))
        return Effect.map(webhooks.post(hook, sign, delivery.id, body), (outcome) => ({
          outcome,
          destination: hook.destination
        }))
      }

      /**
       * Writes results as they arrive. Results that arrive in the same turn of the event loop are written together. During a
       * database outage, results wait in memory, so that their requests aren't sent again (C245). If the process is killed,
       * requests with waiting results are sent again. To keep the queue short, two writes run concurrently.
       */
      const resultWriter = () => {
        const writing = Semaphore.makeUnsafe(2)
        let waiting: Array<AttemptOutcome> = []
        const writeAll = Effect.suspend(() => {
          const results = waiting
          waiting = []
          return results.length === 0 ? Effect.void : outage.retryUntilAvailable(repo.finish(results))
        })
        return (finished: AttemptOutcome) => {
          waiting.push(finished)
          return Effect.andThen(Effect.yieldNow, writing.withPermits(1)(writeAll))
        }
      }

      /** The result for a delivery that was not attempted and is due again immediately. */
      const notAttempted = (now: DateTime.Utc): AttemptResult => ({
        outcome: { _tag: "Postponed", until: now },
        destination: null
      })

      const randomFraction = () => {
        const [byte = 0] = entropy.bytes(1)
        return byte / 255
      }

      const resultOf = (
        claimed: Delivery,
        { outcome, destination }: AttemptResult,
        now: DateTime.Utc
      ): AttemptOutcome => {
        const after = decideDelivery(claimed.attempts, outcome, now, randomFraction())
        return {
          claimed,
          state: after.state,
          dueAt: "dueAt" in after ? after.dueAt : now,
          destination,
          result: "result" in outcome ? outcome.result : null,
          wasDeferred: outcome._tag === "Postponed" || outcome._tag === "Skipped"
        }
      }

      /**
       * Logs an email that failed permanently. Omits the address and the mail server's response, because the response may
       * contain the address.
       */
      const logFailedMail = ({ realmId, eventId, id }: Delivery, outcome: Outcome["_tag"]) =>
        Effect.logWarning("An email could not be delivered and will not be sent again.").pipe(
          Effect.annotateLogs({ realm_id: realmId, event_id: eventId, notification_id: id }),
          Effect.annotateLogs({
            cause: outcome === "Refused" ? "All attempts failed." : "It was rejected permanently."
          })
        )

      /** Releases a claimed delivery that was not attempted, because the node is stopping. */
      const release = (claimed: Delivery, now: DateTime.Utc) =>
        repo.finish([{ claimed, state: "in_progress", dueAt: now, destination: null, result: null, wasDeferred: true }])

      /**
       * Disables a hook that has failed for too long, or whose receiver no longer exists. Otherwise records when it started or
       * stopped failing.
       */
      const updateHealth = Effect.fnUntraced(function* (hook: AppHook, outcomes: ReadonlyArray<Outcome["_tag"]>) {
        if (outcomes.includes("Gone")) return yield* disable(hook)
        if (outcomes.includes("Delivered")) {
          return hook.failingSince === null ? undefined : yield* hooks.setFailingSince(hook, null)
        }
        // All emails are sent through the deployment's mail server, so a failed email is not the hook's fault.
        if (hook.hookType === "email" || !outcomes.includes("Refused")) return
        const now = yield* DateTime.now
        if (hook.failingSince === null) return yield* hooks.setFailingSince(hook, now)
        if (hasFailedTooLong(hook.failingSince, now)) yield* disable(hook)
      })

      /** Loads an active hook with its signer. Returns undefined if the hook is inactive or deleted. */
      const loadTarget = Effect.fnUntraced(function* (key: HookKey) {
        const hook = yield* hooks.findForDelivery(key)
        if (hook === undefined || hook.state === "inactive") return undefined
        const secrets = hook.hookType === "webhook" ? yield* hooks.secrets(key) : undefined
        // The hook was deleted after it was read above.
        if (hook.hookType === "webhook" && secrets === undefined) return undefined
        return { hook, sign: secrets === undefined ? undefined : signerFor(secrets) }
      })

      /** Claims due deliveries, and loads their hook and events. Returns undefined if nothing is due. */
      const claim = Effect.fnUntraced(function* (
        key: HookKey,
        now: DateTime.Utc,
        leaseEnd: DateTime.Utc,
        limit: number
      ) {
        const claimed = yield* repo.claim(nodes.id, key, now, leaseEnd, limit)
        if (claimed.length === 0) return undefined
        const target = yield* loadTarget(key)
        if (target === undefined) return yield* Effect.as(repo.cancelOfHook(key), undefined)
        const events = yield* journal.findMany(claimed.map(({ realmId, eventId }) => ({ realmId, id: eventId })))
        return { claimed, target, events }
      })

      const attemptDue = Effect.fnUntraced(function* (key: HookKey, limit: number) {
        const now = yield* DateTime.now
        const leaseEnd = DateTime.addDuration(now, LEASE)
        // If the database fails, the claim may have been committed without this node knowing. So release it.
        const releaseClaims = repo.releaseClaims(nodes.id, key, leaseEnd, now)
        const found = yield* outage.orOnceAvailable(
          claim(key, now, leaseEnd, limit),
          Effect.as(outage.retryUntilAvailable(releaseClaims), undefined)
        )
        if (found === undefined) return NOTHING
        const { claimed, target, events } = found
        const eventOf = new Map(events.map((event) => [event.id, event]))
        const write = resultWriter()

        const attemptOne = Effect.fnUntraced(function* (delivery: Delivery) {
          const event = eventOf.get(delivery.eventId)
          // The event's realm is being reset. The reset also deletes the delivery.
          if (event === undefined) return "Skipped" as const
          return yield* Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              // If the database is unavailable, nothing was sent, because an email's recipient is read before sending.
              const attempting = restore(
                outage.orOnceAvailable(attempt(target, delivery, event), Effect.succeed(notAttempted(now)))
              )
              const result = yield* Effect.onInterrupt(attempting, () => release(delivery, now))
              // Reading the time waits until the node's clock is right. Keep it interruptible, so that a stopping node doesn't
              // wait. The claim of the delivery ends with the node.
              const finished = resultOf(delivery, result, yield* restore(DateTime.now))
              yield* write(finished)
              yield* countAttempt(target.hook.hookType, result.outcome._tag)
              if (finished.state !== "in_progress") yield* countEnd(target.hook.hookType, finished.state)
              if (delivery.hookType === "email" && finished.state === "failed") {
                yield* logFailedMail(delivery, result.outcome._tag)
              }
              return result.outcome._tag
            })
          )
        })

        const outcomes = yield* Effect.forEach(claimed, attemptOne, { concurrency: "unbounded" })
        yield* updateHealth(target.hook, outcomes)
        if (events.some(({ eventType }) => eventType === "realm.deleted")) yield* hooks.deleteOfDeletedRealm(key)
        return { attempts: claimed.length, hasDelivered: outcomes.includes("Delivered") }
      })

      return Deliveries.of({ attemptDue })
    })
  )
}
