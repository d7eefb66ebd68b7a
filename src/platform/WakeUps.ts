import { Context, Effect, Layer, Queue } from "effect"
import type { Scope } from "effect/Scope"
import { Transaction } from "./Transaction.ts"

/** Tells actors of this node that something was written for them. They would find it by themselves, only later. */
export class WakeUps extends Context.Service<
  WakeUps,
  {
    /** Wakes the actor of a name once the transaction at hand has committed. */
    wake(actor: "DeliverHooks" | "ResetRealms" | "RetireJwtKeys"): Effect.Effect<void>
    /** The wake-ups for the actor of a name: one that waits says as much as many. */
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
