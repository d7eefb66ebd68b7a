import { Context, DateTime, Effect, Layer } from "effect"
import { type EmailHook } from "#domain/AppHook"
import { defaultMails, eventTypeOfMail } from "#domain/DefaultMail"
import type { RealmId } from "#domain/Ids"
import { IdGenerator } from "#platform/IdGenerator"
import { AppHooksRepo } from "#store/AppHooksRepo"
import { DeliveriesRepo } from "#store/DeliveriesRepo"

/** The default mails of every realm (C39). Records no events. */
export class DefaultHooks extends Context.Service<
  DefaultHooks,
  {
    /** Adds the default hooks to a realm. */
    install(realmId: RealmId): Effect.Effect<void>
    /** Replaces all hooks of a realm by the default ones, and cancels their pending deliveries (C20). */
    restore(realmId: RealmId): Effect.Effect<void>
  }
>()("sallyport/core/DefaultHooks") {
  static readonly layer = Layer.effect(
    DefaultHooks,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* AppHooksRepo
      const deliveries = yield* DeliveriesRepo

      const install = Effect.fnUntraced(function* (realmId: RealmId) {
        const createdAt = yield* DateTime.now
        const hooks: Array<EmailHook> = []
        for (const name of defaultMails) {
          hooks.push({
            id: yield* ids.make("hook"),
            realmId,
            version: "v2",
            state: "active",
            hookType: "email",
            eventTypes: [eventTypeOfMail(name)],
            delay: 0,
            createdAt,
            failingSince: null,
            emailFrom: null,
            emailFromName: null,
            emailRenderer: "markdown",
            emailSubject: null,
            emailTemplate: null,
            emailTo: null,
            userType: "all",
            defaultOf: name
          })
        }
        yield* repo.insert(hooks)
      })

      const restore = Effect.fnUntraced(function* (realmId: RealmId) {
        yield* deliveries.cancelOfRealm(realmId)
        yield* repo.deleteOfRealm(realmId)
        yield* install(realmId)
      })

      return DefaultHooks.of({ install, restore })
    })
  )
}
