import type { Worker } from "node:cluster"
import { Data, Deferred, type Duration, Effect } from "effect"
import { type Ask, type Message, messageOf, type Report } from "./Messages.ts"

/** The other side did not respond in time, or has ended. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{}> {}

/** One end of the channel between the primary and a worker. */
export interface Channel {
  /** Sends a message. Does nothing if the other side has ended. */
  readonly send: (message: Message) => Effect.Effect<void>
  /** Asks the other side for a report. */
  readonly ask: (subject: Ask["subject"]) => Effect.Effect<Report, NoAnswer>
}

/**
 * Opens this side's end of a channel. `receive` gets every message except responses. `patience`: how long to wait for a
 * response.
 */
export const openChannel = (
  worker: Worker,
  patience: Duration.Input,
  receive: (message: Exclude<Message, { readonly _tag: "Answer" }>) => void
): Channel => {
  const pending = new Map<number, Deferred.Deferred<Report>>()
  let asks = 0

  worker.on("message", (received: unknown) => {
    const message = messageOf(received)
    if (message === undefined) return
    if (message._tag !== "Answer") return receive(message)
    const answer = pending.get(message.id)
    if (answer !== undefined) Deferred.doneUnsafe(answer, Effect.succeed(message.report))
  })
  // Sending to a worker that has just ended fails. The end of a worker is handled elsewhere.
  worker.on("error", () => {})

  const send = (message: Message) =>
    Effect.callback<void>((resume) => {
      worker.send(message, () => resume(Effect.void))
    })

  const ask = (subject: Ask["subject"]) =>
    Effect.suspend(() => {
      const id = (asks += 1)
      const answer = Deferred.makeUnsafe<Report>()
      pending.set(id, answer)
      return send({ _tag: "Ask", id, subject }).pipe(
        Effect.andThen(Deferred.await(answer)),
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new NoAnswer()) }),
        Effect.ensuring(Effect.sync(() => pending.delete(id)))
      )
    })

  return { send, ask }
}
