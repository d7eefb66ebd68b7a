import { type Context, Effect, Layer, Scope } from "effect"
import type { CleaningThread } from "#core/appearance/CleaningThread"
import type { MailRenderer } from "#core/mail/MailRenderer"
import { layer } from "#server/MailThread"

/** The time that the thread waits for the next email, which is longer than any test without emails. */
const IDLE_MILLIS = 600_000

const start = () => Effect.runSync(Layer.buildWithScope(layer({ idleMillis: IDLE_MILLIS }), Scope.makeUnsafe()))

let started: Context.Context<MailRenderer | CleaningThread> | undefined

/**
 * Renders the emails of all services in a process on one thread, because starting a thread takes 0.24 s of CPU time. The
 * thread doesn't prevent the process from exiting.
 */
export const sharedMailThread: Layer.Layer<MailRenderer | CleaningThread> = Layer.effectContext(
  Effect.sync(() => (started ??= start()))
)
