import { Context, DateTime, Effect, Equal, Layer } from "effect"
import type { PasswordProvider, TotpProvider } from "#domain/AuthProvider"
import { allows, Caller } from "#domain/Caller"
import { eventDaysProblems } from "#domain/EventRetention"
import { isId, type Kind, type RealmId } from "#domain/Ids"
import { isRaised, LimitsRaised } from "#domain/Limit"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { defaultPolicy } from "#domain/PasswordPolicy"
import {
  CurrentRealm,
  type Realm,
  RealmNotFound,
  type RealmSettings,
  type realmSorts,
  settingsProblems,
  TooManyRealms
} from "#domain/Realm"
import { ResetInProgress, type Resettable } from "#domain/RealmReset"
import { Rejected, rejected } from "#domain/Rejected"
import { IdGenerator } from "#platform/IdGenerator"
import { sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { makeTtlCache } from "#platform/TtlCache"
import { WakeUps } from "#platform/WakeUps"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { ConnectedAppsRepo } from "#store/ConnectedAppsRepo"
import { JwtKeysRepo } from "#store/JwtKeysRepo"
import { type RealmFilter, RealmsRepo } from "#store/RealmsRepo"
import { Journal } from "../events/Journal.ts"
import { DefaultHooks } from "../hooks/DefaultHooks.ts"
import { KeyRing } from "../keys/KeyRing.ts"

interface RealmsOptions {
  readonly maxRealms: number
  readonly eventRetentionDays: number
}

type RealmPage = PageOf<(typeof realmSorts)[number]>

/** The top-level containers (`v1.realms`). */
export class Realms extends Context.Service<
  Realms,
  {
    /** The realm of an id; at most a second old where another node changed it. */
    find(id: string): Effect.Effect<Realm, RealmNotFound>
    /** The realm of the thing that an id names, or that a signup token stands for. */
    realmOf(kind: Kind, id: string): Effect.Effect<Realm | undefined>
    list(filter: Omit<RealmFilter, "only">, page: RealmPage): Effect.Effect<Page<Realm>, RealmNotFound, Caller>
    /** Makes a realm with its signing key and its `password` and `totp` providers. `realm.created`, `auth_provider.created` each. */
    create(settings: RealmSettings): Effect.Effect<Realm, Rejected | RealmNotFound | TooManyRealms>
    /** Changes the settings given. `realm.updated` when one differs. */
    update(
      changes: Partial<RealmSettings>
    ): Effect.Effect<Realm, Rejected | RealmNotFound | LimitsRaised, CurrentRealm | Caller>
    /** Makes the realm unfindable at once and leaves the clearing to a job. `realm.deleted`. */
    delete: Effect.Effect<void, RealmNotFound, CurrentRealm>
    /** Makes what these resources hold unfindable at once and leaves the clearing to a job. No event (C20). */
    reset(resources: ReadonlyArray<Resettable>): Effect.Effect<Realm, RealmNotFound | ResetInProgress, CurrentRealm>
  }
>()("sallyport/core/Realms") {
  /** `maxRealms`: how many the deployment may hold (C45). `eventRetentionDays`: for how long it keeps events. */
  static readonly layer = (options: RealmsOptions) => Layer.effect(Realms, make(options))
}

const make = Effect.fnUntraced(function* ({ maxRealms, eventRetentionDays }: RealmsOptions) {
  const ids = yield* IdGenerator
  const repo = yield* RealmsRepo
  const providers = yield* AuthProvidersRepo
  const hooks = yield* DefaultHooks
  const apps = yield* ConnectedAppsRepo
  const keys = yield* KeyRing
  const jwtKeys = yield* JwtKeysRepo
  const journal = yield* Journal
  const transaction = yield* Transaction
  const wakeUps = yield* WakeUps

  const cache = yield* makeTtlCache((id: RealmId) =>
    Effect.flatMap(repo.find(id), (realm) =>
      realm === undefined ? Effect.fail(new RealmNotFound({ id })) : Effect.succeed(realm)
    )
  )
  const forget = (id: RealmId) => transaction.afterCommit(cache.invalidate(id))

  const find = (id: string) => (isId("realm", id) ? cache.get(id) : Effect.fail(new RealmNotFound({ id })))

  const realmOf = Effect.fn("Realms.realmOf")(function* (kind: Kind, id: string) {
    const realmId = yield* repo.realmOf(kind, kind === "signupToken" ? sha256Text(id) : id)
    return realmId === undefined ? undefined : yield* find(realmId).pipe(Effect.catch(() => Effect.succeed(undefined)))
  })

  const list = Effect.fn("Realms.list")(function* (filter: Omit<RealmFilter, "only">, page: RealmPage) {
    const only = (yield* Caller).realmId ?? undefined
    yield* checkAfter(page, (id) =>
      only === undefined || id === only ? find(id) : Effect.fail(new RealmNotFound({ id }))
    )
    return pageOf(yield* repo.list({ ...filter, only }, page), page.maxResults)
  })

  /** The providers of a new realm, in order (C18). */
  const firstProviders = Effect.fnUntraced(function* (realm: Realm) {
    const common = { realmId: realm.id, state: "active", createdAt: realm.createdAt } as const
    const password: PasswordProvider = {
      ...common,
      id: yield* ids.make("authProvider"),
      providerType: "password",
      ...defaultPolicy
    }
    const totp: TotpProvider = { ...common, id: yield* ids.make("authProvider"), providerType: "totp" }
    return [password, totp]
  })

  const create = Effect.fn("Realms.create")(function* (settings: RealmSettings) {
    const problems = [
      ...settingsProblems(settings),
      ...eventDaysProblems(settings.eventRetentionDays, eventRetentionDays)
    ]
    if (problems.length > 0) return yield* new Rejected({ problems })

    const realm: Realm = {
      ...settings,
      id: yield* ids.make("realm"),
      createdAt: yield* DateTime.now,
      pendingReset: null
    }
    const both = yield* firstProviders(realm)
    const signing = yield* keys.generate(realm.jwtAlgo)
    return yield* transaction.run(
      Effect.gen(function* () {
        yield* repo.insert(realm)
        yield* Effect.forEach(both, providers.insert, { discard: true })
        yield* keys.add(realm.id, signing)
        yield* hooks.install(realm.id)
        yield* journal.recordIn(realm.id, [
          { eventType: "realm.created" },
          ...both.map(({ id }) => ({ eventType: "auth_provider.created" as const, authProviderId: id }))
        ])
        if ((yield* repo.count) > maxRealms) return yield* new TooManyRealms({ most: maxRealms })
        return realm
      })
    )
  })

  /** The realm as it is now, held until the transaction ends. */
  const held = Effect.fnUntraced(function* (against: "changes" | "everything") {
    const { id } = yield* CurrentRealm
    return (yield* repo.findHeld(id, against)) ?? (yield* new RealmNotFound({ id }))
  })

  const update = Effect.fn("Realms.update")(function* (changes: Partial<RealmSettings>) {
    const current = yield* CurrentRealm
    const { jwtAlgo } = changes
    const changesKey = jwtAlgo !== undefined && jwtAlgo !== (yield* keys.current(current.id)).algo
    const signing = changesKey ? yield* keys.generate(jwtAlgo) : undefined
    return yield* transaction.run(
      Effect.gen(function* () {
        const row = yield* held("changes")
        // What a realm's `jwt_algo` is, the key that signs says (C31a).
        const before: Realm = { ...row, jwtAlgo: (yield* jwtKeys.signingAlgo(row.id)) ?? row.jwtAlgo }
        const after: Realm = { ...before, ...changes }
        // What was set is left alone when the deployment keeps events for less time now.
        const problems = [
          ...settingsProblems(after),
          ...eventDaysProblems(changes.eventRetentionDays, eventRetentionDays)
        ]
        if (problems.length > 0) return yield* new Rejected({ problems })
        if (Equal.equals(before, after)) return before
        const { level } = yield* Caller
        if (!allows(level, "admin_all_realms") && isRaised(before.limits, after.limits))
          return yield* new LimitsRaised()

        if (after.requireUniqueEmails !== before.requireUniqueEmails) {
          const done = yield* repo.setUniqueEmails(after.id, after.requireUniqueEmails)
          if (!done) return yield* rejected("require_unique_emails", "emails_repeat")
        }
        if (after.jwtAlgo !== before.jwtAlgo) {
          yield* keys.replace(after.id, signing ?? (yield* keys.generate(after.jwtAlgo)))
        }
        yield* repo.update(after)
        yield* journal.recordIn(after.id, [{ eventType: "realm.updated" }])
        yield* forget(after.id)
        return after
      })
    )
  })

  const remove = transaction.run(
    Effect.gen(function* () {
      const realm = yield* held("everything")
      const now = yield* DateTime.now
      // The last event of the realm: after it, the journal takes no more.
      yield* journal.recordIn(realm.id, [{ eventType: "realm.deleted" }])
      yield* repo.markDeleted(realm.id, now)
      yield* apps.keepSubdomains(realm.id, now)
      yield* repo.insertJob(realm.id, "delete", { resources: [], cutoffAt: now })
      yield* wakeUps.wake("ResetRealms")
      yield* forget(realm.id)
    })
  )

  const reset = Effect.fn("Realms.reset")(function* (resources: ReadonlyArray<Resettable>) {
    return yield* transaction.run(
      Effect.gen(function* () {
        const realm = yield* held("changes")
        const clearing = { resources, cutoffAt: yield* DateTime.now }
        if (!(yield* repo.insertJob(realm.id, "reset", clearing))) {
          return yield* new ResetInProgress({ realmId: realm.id })
        }
        if (resources.includes("app_hooks")) yield* hooks.restore(realm.id)
        if (resources.includes("login_policies")) yield* apps.deleteOfRealm(realm.id, clearing.cutoffAt)
        yield* wakeUps.wake("ResetRealms")
        yield* forget(realm.id)
        return { ...realm, clearing }
      })
    )
  })

  return Realms.of({ find, realmOf, list, create, update, delete: remove, reset })
})
