import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { Caller } from "#domain/Caller"
import { changedMembers } from "#domain/EventChanges"
import { retentionProblems } from "#domain/EventRetention"
import { isId, type Kind, type RealmId, SYSTEM } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import { allows } from "#domain/Level"
import { isRaised, LimitsRaised } from "#domain/Limit"
import { checkAfter, type Page, type PageOf, sortedPageOf } from "#domain/Page"
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
import type { Rejected } from "#domain/Rejected"
import { rejection } from "#domain/Rejected"
import { sortKey } from "#domain/Text"
import { IdGenerator } from "#platform/IdGenerator"
import { sha256Text } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import { TrustedDevicesRepo } from "#store/login/TrustedDevicesRepo"
import { OAuthClientsRepo } from "#store/oauth/OAuthClientsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"
import { type RealmFilter, RealmsRepo } from "#store/realms/RealmsRepo"
import { makeRealmCache } from "../caches/RealmCache.ts"
import { Journal } from "../events/Journal.ts"
import { defaultHooks } from "../hooks/DefaultHooks.ts"
import { KeyRing } from "../keys/KeyRing.ts"
import { initialProviders } from "./InitialProviders.ts"

interface RealmsOptions {
  readonly maxRealms: number
  readonly eventRetentionDays: number
}

type RealmPage = PageOf<(typeof realmSorts)[number]>

/** Manages realms, which are the tenants of the service (`v1.realms`). */
export class Realms extends Context.Service<
  Realms,
  {
    /** Finds a realm by ID. Changes made on another node become visible within a second. */
    find(id: string): Effect.Effect<Realm, RealmNotFound>
    /** Finds the realm of the resource with this ID. For `signupToken`, `id` is the token itself. */
    realmOf(kind: Kind, id: string): Effect.Effect<Realm | undefined>
    list(filter: Omit<RealmFilter, "only">, page: RealmPage): Effect.Effect<Page<Realm>, RealmNotFound, Caller>
    /**
     * Creates a realm with its signing key and a provider for each built-in type. Records `realm.created`, and
     * `auth_provider.created` for each provider.
     */
    create(settings: RealmSettings): Effect.Effect<Realm, Rejected | RealmNotFound | TooManyRealms>
    /** Changes the settings in `changes`. Records `realm.updated` if anything changed. */
    update(
      changes: Partial<RealmSettings>
    ): Effect.Effect<Realm, Rejected | RealmNotFound | LimitsRaised, CurrentRealm | Caller>
    /** Hides the realm immediately. A background job deletes its data. Records `realm.deleted`. */
    delete: Effect.Effect<void, RealmNotFound, CurrentRealm>
    /** Hides all of these resources immediately. A background job deletes them. Records `realm.reset` (C20). */
    reset(resources: ReadonlyArray<Resettable>): Effect.Effect<Realm, RealmNotFound | ResetInProgress, CurrentRealm>
  }
>()("sallyport/core/Realms") {
  /**
   * `maxRealms` is the maximum number of realms in a deployment (C45). `eventRetentionDays` is the number of days for which
   * the deployment stores events.
   */
  static readonly layer = (options: RealmsOptions) => Layer.effect(Realms, make(options))
}

const make = Effect.fnUntraced(function* ({ maxRealms, eventRetentionDays }: RealmsOptions) {
  const ids = yield* IdGenerator
  const repo = yield* RealmsRepo
  const providers = yield* AuthProvidersRepo
  const hooks = yield* defaultHooks
  const devices = yield* TrustedDevicesRepo
  const apps = yield* ConnectedAppsRepo
  const keys = yield* KeyRing
  const jwtKeys = yield* JwtKeysRepo
  const clients = yield* OAuthClientsRepo
  const journal = yield* Journal
  const transaction = yield* Transaction
  const wakeUps = yield* WakeUps

  const cache = yield* makeRealmCache(
    "realms",
    (id) => id,
    (id: RealmId) =>
      Effect.flatMap(repo.find(id), (realm) =>
        realm === undefined ? Effect.fail(new RealmNotFound({ id })) : Effect.succeed(realm)
      )
  )
  const invalidate = (id: RealmId) => transaction.afterCommit(cache.invalidate(id))

  // The system realm is hidden from every caller (SEC-283).
  const find = (id: string) =>
    isId("realm", id) && id !== SYSTEM ? cache.get(id) : Effect.fail(new RealmNotFound({ id }))

  const realmOf = Effect.fn("Realms.realmOf")(function* (kind: Kind, id: string) {
    const realmId = yield* repo.realmOf(kind, kind === "signupToken" ? sha256Text(id) : id)
    return realmId === undefined ? undefined : yield* find(realmId).pipe(Effect.catch(() => Effect.succeed(undefined)))
  })

  const list = Effect.fn("Realms.list")(function* (filter: Omit<RealmFilter, "only">, page: RealmPage) {
    const only = (yield* Caller).realmId ?? undefined
    yield* checkAfter(page, "realm", (id) =>
      only === undefined || id === only ? find(id) : Effect.fail(new RealmNotFound({ id }))
    )
    return sortedPageOf(yield* repo.list({ ...filter, only }, page), page, { name: ({ name }) => sortKey(name) })
  })

  const create = Effect.fn("Realms.create")(function* (settings: RealmSettings) {
    const problems = [
      ...settingsProblems(settings),
      ...retentionProblems(settings.eventRetentionDays, eventRetentionDays)
    ]
    yield* rejectIfAny(problems)

    const realm: Realm = {
      ...settings,
      id: yield* ids.make("realm"),
      createdAt: yield* DateTime.now,
      pendingReset: null
    }
    const realmProviders = yield* Effect.provideService(initialProviders(realm), IdGenerator, ids)
    const signingKey = yield* keys.generate(realm.jwtAlgo)
    return yield* transaction.run(
      Effect.gen(function* () {
        const atMost = yield* repo.insert(realm)
        yield* journal.writeIn(realm.id, [
          {
            writes: [
              yield* keys.insertion(realm.id, signingKey),
              yield* hooks.insertion(realm),
              providers.insertion(realmProviders)
            ],
            events: [
              { eventType: "realm.created" },
              ...realmProviders.map(({ id }) => ({
                eventType: "auth_provider.created" as const,
                authProviderId: id
              }))
            ]
          }
        ])
        // Count only if necessary. Counting takes longer with more realms, and blocks the creation of other realms meanwhile.
        if (atMost > maxRealms && (yield* repo.count) > maxRealms) {
          return yield* new TooManyRealms({ most: maxRealms })
        }
        return realm
      })
    )
  })

  /** Reads the realm and locks its row until the transaction ends. */
  const findLocked = Effect.fnUntraced(function* (against: "changes" | "everything") {
    const { id } = yield* CurrentRealm
    return (yield* repo.findLocked(id, against)) ?? (yield* new RealmNotFound({ id }))
  })

  const update = Effect.fn("Realms.update")(function* (changes: Partial<RealmSettings>) {
    const current = yield* CurrentRealm
    const { jwtAlgo } = changes
    const changesKey = jwtAlgo !== undefined && jwtAlgo !== (yield* keys.current(current.id)).algo
    const signingKey = changesKey ? yield* keys.generate(jwtAlgo) : undefined
    // OAuth tokens can only be signed by RS256 keys.
    const losesRs256 = changesKey && jwtAlgo === "hs256" && (yield* clients.hasAny(current.id))
    const oauthKey = losesRs256 ? yield* keys.generate("rs256") : undefined
    return yield* transaction.run(
      Effect.gen(function* () {
        const row = yield* findLocked("changes")
        // The realm's signing key determines its `jwt_algo` (C31a).
        const before: Realm = { ...row, jwtAlgo: (yield* jwtKeys.signingAlgo(row.id)) ?? row.jwtAlgo }
        const after: Realm = { ...before, ...changes }
        // Check only new values, because the deployment's retention period may have been shortened after the old value was
        // set.
        const problems = [
          ...settingsProblems(after),
          ...retentionProblems(changes.eventRetentionDays, eventRetentionDays)
        ]
        yield* rejectIfAny(problems)
        if (Equal.equals(before, after)) return before
        const { level } = yield* Caller
        if (!allows(level, "admin_all_realms") && isRaised(before.limits, after.limits))
          return yield* new LimitsRaised()

        if (after.requireUniqueEmails !== before.requireUniqueEmails) {
          const isSet = yield* repo.setUniqueEmails(after.id, after.requireUniqueEmails)
          if (!isSet) return yield* rejection("require_unique_emails", "emails_repeat")
        }
        if (after.jwtAlgo !== before.jwtAlgo) {
          yield* keys.replace(after.id, signingKey ?? (yield* keys.generate(after.jwtAlgo)))
          if (after.jwtAlgo === "hs256" && (yield* clients.hasAny(after.id))) {
            yield* keys.add(after.id, oauthKey ?? (yield* keys.generate("rs256")))
          }
        }
        yield* repo.update(after)
        if (before.accountDeletionDays === null && after.accountDeletionDays !== null) {
          yield* hooks.addDeletionMail(after.id)
        }
        if (after.trustedDevicesDays === null && before.trustedDevicesDays !== null)
          yield* devices.deleteOfRealm(after.id)
        const members = [...changedMembers(before, after), ...(after.jwtAlgo === before.jwtAlgo ? [] : ["jwt_keys"])]
        yield* journal.recordIn(after.id, [{ eventType: "realm.updated", changed: members.toSorted() }])
        yield* invalidate(after.id)
        return after
      })
    )
  })

  const remove = transaction.run(
    Effect.gen(function* () {
      const realm = yield* findLocked("everything")
      const now = yield* DateTime.now
      // This must be the realm's last event, because the journal accepts no events for a deleted realm.
      yield* journal.recordIn(realm.id, [{ eventType: "realm.deleted" }])
      yield* repo.markDeleted(realm.id, now)
      yield* apps.reserveSubdomains(realm.id, now)
      yield* repo.insertJob(realm.id, "delete", { resources: [], cutoffAt: now })
      yield* wakeUps.wake("ResetRealms")
      yield* invalidate(realm.id)
    })
  )

  const reset = Effect.fn("Realms.reset")(function* (resources: ReadonlyArray<Resettable>) {
    return yield* transaction.run(
      Effect.gen(function* () {
        const realm = yield* findLocked("changes")
        const pendingReset = { resources, cutoffAt: yield* DateTime.now }
        if (!(yield* repo.insertJob(realm.id, "reset", pendingReset))) {
          return yield* new ResetInProgress({ realmId: realm.id })
        }
        yield* journal.recordIn(realm.id, [{ eventType: "realm.reset", details: { reset: resources } }])
        if (resources.includes("app_hooks")) yield* hooks.restore(realm)
        if (resources.includes("login_policies")) yield* apps.deleteOfRealm(realm.id, pendingReset.cutoffAt)
        yield* wakeUps.wake("ResetRealms")
        yield* invalidate(realm.id)
        return { ...realm, pendingReset }
      })
    )
  })

  return Realms.of({ find, realmOf, list, create, update, delete: remove, reset })
})
