import { DateTime, Effect } from "effect"
import { type EmailHook } from "#domain/AppHook"
import { defaultMails, eventTypeOfMail, systemMails } from "#domain/DefaultMail"
import { type RealmId, SYSTEM } from "#domain/Ids"
import { IdGenerator } from "#platform/IdGenerator"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import type { Write } from "#store/statements/Writes"

/** Manages the hooks of the default emails, which every realm has (C39). Records no events. */
export const defaultHooks = Effect.gen(function* () {
  const ids = yield* IdGenerator
  const repo = yield* AppHooksRepo
  const deliveries = yield* DeliveriesRepo

  const make = Effect.fnUntraced(function* (realmId: RealmId) {
    const names = realmId === SYSTEM ? systemMails : defaultMails
    const createdAt = yield* DateTime.now
    const hooks: Array<EmailHook> = []
    for (const name of names) {
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
    return hooks
  })

  /** Replaces all hooks of a realm with the default hooks, and cancels pending deliveries (C20). */
  const restore = Effect.fnUntraced(function* (realmId: RealmId) {
    yield* deliveries.cancelOfRealm(realmId)
    yield* repo.deleteOfRealm(realmId)
    yield* repo.insert(yield* make(realmId))
  })

  return {
    /** Returns the write that inserts the default hooks of a new realm. */
    insertion: (realmId: RealmId): Effect.Effect<Write> => Effect.map(make(realmId), repo.insertion),
    restore
  }
})
