import { DateTime, Effect } from "effect"
import { type EmailHook } from "#domain/AppHook"
import { type DefaultMailName, defaultMails, eventTypeOfMail, systemMails } from "#domain/DefaultMail"
import { type RealmId, SYSTEM } from "#domain/Ids"
import { IdGenerator } from "#platform/IdGenerator"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import type { Write } from "#store/statements/Writes"

/** Makes the hook of a default email. Nothing is stored. */
export const defaultHook = Effect.map(IdGenerator, (ids) =>
  Effect.fnUntraced(function* (realmId: RealmId, name: DefaultMailName) {
    const hook: EmailHook = {
      id: yield* ids.make("hook"),
      realmId,
      version: "v2",
      state: "active",
      hookType: "email",
      eventTypes: [eventTypeOfMail(name)],
      delay: 0,
      createdAt: yield* DateTime.now,
      failingSince: null,
      emailFrom: null,
      emailFromName: null,
      emailRenderer: "markdown",
      emailSubject: null,
      emailTemplate: null,
      emailTo: null,
      userType: "all",
      defaultOf: name
    }
    return hook
  })
)

/** Manages the hooks of the default emails, which every realm has (C39). Records no events. */
export const defaultHooks = Effect.gen(function* () {
  const makeHook = yield* defaultHook
  const repo = yield* AppHooksRepo
  const deliveries = yield* DeliveriesRepo

  const make = (realmId: RealmId) =>
    Effect.forEach(realmId === SYSTEM ? systemMails : defaultMails, (name) => makeHook(realmId, name))

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
