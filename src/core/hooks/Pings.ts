import { Context, DateTime, Effect, Layer } from "effect"
import { type AppHook, HookInactive } from "#domain/AppHook"
import type { AttemptResult } from "#domain/Delivery"
import { currentActor } from "#domain/EventActor"
import { type Rejected, rejected } from "#domain/Rejected"
import { IdGenerator } from "#platform/IdGenerator"
import { AppHooksRepo } from "#store/AppHooksRepo"
import { signerFor } from "./WebhookSignature.ts"
import { Webhooks } from "./Webhooks.ts"

/** Tests a webhook: posts a message to its destination at once, without an event. */
export class Pings extends Context.Service<
  Pings,
  { ping(hook: AppHook): Effect.Effect<AttemptResult, HookInactive | Rejected> }
>()("sallyport/core/Pings") {
  static readonly layer = Layer.effect(
    Pings,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const hooks = yield* AppHooksRepo
      const webhooks = yield* Webhooks

      const ping = Effect.fn("Pings.ping")(function* (hook: AppHook) {
        if (hook.hookType === "email") return yield* rejected("hook_type", "no_ping")
        if (hook.state === "inactive") return yield* new HookInactive({ id: hook.id })
        const secrets = yield* hooks.secrets(hook)
        // Deleted a moment ago.
        if (secrets === undefined) return yield* new HookInactive({ id: hook.id })
        const body = JSON.stringify({
          id: yield* ids.make("event"),
          object: "event",
          event_type: "hook.ping",
          event_at: (yield* DateTime.now).epochMilliseconds / 1000,
          realm_id: hook.realmId,
          [hook.version === "v1" ? "app_hook_id" : "hook_id"]: hook.id,
          actor: yield* currentActor,
          request: { ip: null, client: null }
        })
        const outcome = yield* webhooks.post(hook, signerFor(secrets), yield* ids.make("notification"), body)
        return { outcome, destination: hook.destination }
      })

      return Pings.of({ ping })
    })
  )
}
