import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { type Logo, logoMembers } from "#domain/Appearance"
import { type ConnectedApp, ConnectedAppNotFound } from "#domain/ConnectedApp"
import { applyAppInput, appProblems, type ConnectedAppInput, defaultAppSettings } from "#domain/ConnectedAppInput"
import type { Version } from "#domain/Event"
import { changedMembers } from "#domain/EventChanges"
import { isId } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { rejection } from "#domain/Rejected"
import { subdomainProblem, subdomainStem } from "#domain/Subdomain"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { randomSecret } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { AppLogosRepo } from "#store/apps/AppLogosRepo"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import type { CleanContent } from "../appearance/CleanContent.ts"
import { insertLogos, withLogos } from "../appearance/SavedLogos.ts"
import { Journal } from "../events/Journal.ts"

/** The settings of an app without header and footer. */
const withoutMarkup = { header: null, footer: null }

type ChangeFailure = ConnectedAppNotFound | Rejected | RealmNotFound

/** The members of an app or OAuth client that are needed to find its logos. */
type AppWithLogos = Pick<ConnectedApp, "realmId" | "id" | "appearance">

/**
 * Manages connected apps with hosted pages (`v1.apps`). `version` is the API version whose rules apply to the input. `content`
 * is the cleaned content of the input.
 */
export class ConnectedApps extends Context.Service<
  ConnectedApps,
  {
    /** Finds the active app that is served at this `Host`, in any realm (C40). */
    atHost(host: string): Effect.Effect<ConnectedApp, ConnectedAppNotFound>
    /** The oldest active app of the realm. */
    readonly oldest: Effect.Effect<ConnectedApp | undefined, never, CurrentRealm>
    /** Records `login_policy.created`. If the input has no subdomain, one is derived from the name. */
    create(
      version: Version,
      input: ConnectedAppInput,
      content: CleanContent
    ): Effect.Effect<ConnectedApp, Rejected | RealmNotFound, CurrentRealm>
    /** Records `login_policy.updated` if anything changed. */
    update(
      id: string,
      version: Version,
      input: ConnectedAppInput,
      content: CleanContent
    ): Effect.Effect<ConnectedApp, ChangeFailure, CurrentRealm>
    /** Returns the content of a logo that the app currently shows. */
    logo(app: AppWithLogos, file: string): Effect.Effect<Logo | undefined>
    /** Records `login_policy.deleted`. No other realm can use the subdomain for 90 days (SEC-103). */
    delete(id: string): Effect.Effect<void, ConnectedAppNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/ConnectedApps") {
  static readonly layer = Layer.effect(
    ConnectedApps,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* ConnectedAppsRepo
      const logosRepo = yield* AppLogosRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      const atHost = Effect.fn("ConnectedApps.atHost")(function* (host: string) {
        return (yield* repo.findByHost(host)) ?? (yield* new ConnectedAppNotFound({ id: host }))
      })

      /** Inserts an app under a subdomain derived from its name, with a suffix if it is taken. */
      const insertNamed = Effect.fnUntraced(function* (app: ConnectedApp) {
        const stem = subdomainStem(app.name)
        let named = { ...app, subdomain: stem }
        let inserted = subdomainProblem(stem) === undefined && (yield* repo.insert(named, app.createdAt))
        while (!inserted) {
          named = { ...app, subdomain: `${stem}-${randomSecret(entropy, 5).toLowerCase()}` }
          inserted = yield* repo.insert(named, app.createdAt)
        }
        return named
      })

      const create = Effect.fn("ConnectedApps.create")(function* (
        version: Version,
        input: ConnectedAppInput,
        { markup, logos, ...cleaned }: CleanContent
      ) {
        const identity = {
          id: yield* ids.make("app"),
          realmId: (yield* CurrentRealm).id,
          createdAt: yield* DateTime.now
        }
        const blank = { ...defaultAppSettings, ...identity }
        const problems = [...appProblems(undefined, applyAppInput(blank, input), version), ...cleaned.problems]
        yield* rejectIfAny([...problems, ...logos.problems])
        const app = withLogos(applyAppInput(blank, { ...input, ...markup }), logos)
        return yield* transaction.run(
          Effect.gen(function* () {
            const isTaken = app.subdomain !== "" && !(yield* repo.insert(app, app.createdAt))
            if (isTaken) return yield* rejection("subdomain", "taken")
            const created = app.subdomain === "" ? yield* insertNamed(app) : app
            yield* insertLogos(logosRepo, created, logos)
            yield* journal.record([{ eventType: "login_policy.created", appId: created.id }])
            return created
          })
        )
      })

      const lockApp = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const app = isId("app", id) ? yield* repo.findForUpdate(realm.id, id) : undefined
        return app ?? (yield* new ConnectedAppNotFound({ id }))
      })

      const update = Effect.fn("ConnectedApps.update")(function* (
        id: string,
        version: Version,
        input: ConnectedAppInput,
        { markup, logos, ...cleaned }: CleanContent
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* lockApp(id)
            // Length limits apply to the markup as sent, since cleaning can make it longer.
            const uncleaned = applyAppInput({ ...before, ...withoutMarkup }, input)
            yield* rejectIfAny([...appProblems(before, uncleaned, version), ...cleaned.problems, ...logos.problems])
            const after = withLogos(applyAppInput(before, { ...input, ...markup }), logos)
            if (Equal.equals(before, after)) return before
            if (after.subdomain !== before.subdomain) yield* repo.lockSubdomains
            if (!(yield* repo.update(before, after, yield* DateTime.now))) return yield* rejection("subdomain", "taken")
            if (!Equal.equals(before.appearance, after.appearance)) {
              yield* insertLogos(logosRepo, after, logos)
              yield* logosRepo.deleteUnused(after)
            }
            const changed = changedMembers(before, after)
            yield* journal.record([{ eventType: "login_policy.updated", appId: after.id, changed }])
            return after
          })
        )
      })

      const remove = Effect.fn("ConnectedApps.delete")(function* (id: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const app = yield* lockApp(id)
            yield* repo.delete(app, yield* DateTime.now)
            yield* journal.record([{ eventType: "login_policy.deleted", appId: app.id }])
          })
        )
      })

      const logo = Effect.fn("ConnectedApps.logo")(function* (app: AppWithLogos, name: string) {
        const file = logoMembers.map((member) => app.appearance[member]).find((one) => one === name) ?? null
        const bytes = file === null ? undefined : yield* logosRepo.find(app, file)
        return file === null || bytes === undefined ? undefined : { file, bytes }
      })

      return ConnectedApps.of({
        logo,
        atHost,
        oldest: Effect.flatMap(CurrentRealm, ({ id }) => repo.findOldestActive(id)),
        create,
        update,
        delete: remove
      })
    })
  )
}
