import { DateTime, Effect } from "effect"
import { type EmailHook } from "#domain/AppHook"
import { DELETION_MAIL, type DefaultMailName, defaultMails, eventTypeOfMail, systemMails } from "#domain/DefaultMail"
import { type RealmId, SYSTEM } from "#domain/Ids"
import type { Realm } from "#domain/Realm"
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

/** The properties of a realm that decide which default emails it has. */
type HookedRealm = Pick<Realm, "id" | "accountDeletionDays">

/** Manages the hooks of the default emails, which every realm has (C39). Records no events. */
export const defaultHooks = Effect.gen(function* () {
  const makeHook = yield* defaultHook
  const repo = yield* AppHooksRepo
  const deliveries = yield* DeliveriesRepo

  const make = ({ id, accountDeletionDays }: HookedRealm) => {
    const names: ReadonlyArray<DefaultMailName> = [
      ...(id === SYSTEM ? systemMails : defaultMails),
      ...(accountDeletionDays === null ? [] : [DELETION_MAIL])
    ]
    return Effect.forEach(names, (name) => makeHook(id, name))
  }

  /** Replaces all hooks of a realm with the default hooks, and cancels pending deliveries (C20). */
  const restore = Effect.fnUntraced(function* (realm: HookedRealm) {
    yield* deliveries.cancelOfRealm(realm.id)
    yield* repo.deleteOfRealm(realm.id)
    yield* repo.insert(yield* make(realm))
  })

  /** Adds the email about scheduled deletions to a realm that lets users delete their accounts, unless it has the email. */
  const addDeletionMail = Effect.fnUntraced(function* (realmId: RealmId) {
    if (!(yield* repo.hasDefault(realmId, DELETION_MAIL))) yield* repo.insert([yield* makeHook(realmId, DELETION_MAIL)])
  })

  return {
    /** Returns the write that inserts the default hooks of a new realm. */
    insertion: (realm: HookedRealm): Effect.Effect<Write> => Effect.map(make(realm), repo.insertion),
    restore,
    addDeletionMail
  }
})
