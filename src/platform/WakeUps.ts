import { Context, Effect, Layer, Queue } from "effect"
import type { Scope } from "effect/Scope"
import { Transaction } from "./Transaction.ts"

/** Wakes actors of this node when there is new work. Without a wake-up, they would only find it later. */
export class WakeUps extends Context.Service<
  WakeUps,
  {
    /** Wakes an actor after the current transaction has committed. */
    wake(actor: "DeleteOrgs" | "DeliverHooks" | "DeliverLogouts" | "ResetRealms" | "RetireJwtKeys"): Effect.Effect<void>
    /** The queue of an actor's wake-ups. Several pending wake-ups count as one. */
    mailbox(actor: string): Effect.Effect<Queue.Dequeue<"Wake">, never, Scope>
  }
>()("sallyport/platform/WakeUps") {
  static readonly layer = Layer.effect(
    WakeUps,
    Effect.gen(function* () {
      const transaction = yield* Transaction
      const mailboxes = new Map<string, Queue.Queue<"Wake">>()
      return WakeUps.of({
        wake: (actor) =>
          transaction.afterCommit(
            Effect.suspend(() => {
              const mailbox = mailboxes.get(actor)
              return mailbox === undefined ? Effect.void : Effect.asVoid(Queue.offer(mailbox, "Wake"))
            })
          ),
        mailbox: (actor) =>
          Effect.acquireRelease(
            Effect.tap(Queue.dropping<"Wake">(1), (mailbox) => Effect.sync(() => mailboxes.set(actor, mailbox))),
            () => Effect.sync(() => mailboxes.delete(actor))
          )
      })
    })
  )
}
