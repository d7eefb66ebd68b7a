import { Context, DateTime, Effect, Layer } from "effect"
import { type AppHook, type EmailHook, HookInactive } from "#domain/AppHook"
import type { AttemptResult } from "#domain/Delivery"
import { canonicalEmail } from "#domain/Email"
import { currentActor } from "#domain/EventActor"
import type { RateLimited } from "#domain/Limit"
import type { RenderingBusy } from "#domain/MailTemplate"
import { accountRealm, CurrentRealm } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { IdGenerator } from "#platform/IdGenerator"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { RateLimits } from "../limits/RateLimits.ts"
import { MailLinks } from "./MailLinks.ts"
import { MailPreviews } from "./MailPreviews.ts"
import { mailSender } from "./MailSender.ts"
import { signerFor } from "./WebhookSignature.ts"
import { Webhooks } from "./Webhooks.ts"

/** Sends test messages to a hook's receiver immediately, without an event. */
export class Pings extends Context.Service<
  Pings,
  {
    /** Posts a message to the destination of a webhook. */
    ping(hook: AppHook): Effect.Effect<AttemptResult, HookInactive | Rejected>
    /**
     * Sends a hook's email to an address, with the content of its preview. Counts toward the limits on emails per recipient.
     */
    mail(
      hook: EmailHook,
      address: string | null
    ): Effect.Effect<AttemptResult, HookInactive | RateLimited | Rejected | RenderingBusy>
  }
>()("sallyport/core/Pings") {
  static readonly layer = Layer.effect(
    Pings,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const hooks = yield* AppHooksRepo
      const webhooks = yield* Webhooks
      const realms = yield* RealmsRepo
      const limits = yield* RateLimits
      const links = yield* MailLinks
      const previews = yield* MailPreviews
      const sendMail = yield* mailSender

      const ping = Effect.fn("Pings.ping")(function* (hook: AppHook) {
        if (hook.hookType === "email") return yield* rejection("hook_type", "no_ping")
        if (hook.state === "inactive") return yield* new HookInactive({ id: hook.id })
        const secrets = yield* hooks.secrets(hook)
        // The hook was deleted in the meantime.
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

      const mail = Effect.fn("Pings.mail")(function* (hook: EmailHook, address: string | null) {
        if (hook.state === "inactive") return yield* new HookInactive({ id: hook.id })
        const given = nonBlank(address ?? hook.emailTo)?.trim()
        if (given === undefined) return yield* rejection("email_to", "blank")
        const to = canonicalEmail(given)
        if (to === undefined) return yield* rejection("email_to", "email_form")
        const { from, subject, html, text } = yield* previews.preview(hook)
        const realm = (hook.realmId === null ? undefined : yield* realms.find(hook.realmId)) ?? accountRealm
        yield* Effect.provideService(limits.takeMail(to), CurrentRealm, realm)
        const messageId = `${yield* ids.make("notification")}@${links.host}`
        return {
          outcome: yield* sendMail({ realmId: realm.id, messageId, from, to, subject, html, text }),
          destination: to
        }
      })

      return Pings.of({ ping, mail })
    })
  )
}
