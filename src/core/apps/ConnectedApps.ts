import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { type appSorts, type ConnectedApp, ConnectedAppNotFound } from "#domain/ConnectedApp"
import { appProblems, appWith, blankApp, type ConnectedAppInput } from "#domain/ConnectedAppInput"
import type { Version } from "#domain/Event"
import { isId } from "#domain/Ids"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Rejected, rejected } from "#domain/Rejected"
import { subdomainProblem, subdomainStem } from "#domain/Subdomain"
import { presence } from "#domain/Text"
import { Entropy } from "#platform/Entropy"
import { IdGenerator } from "#platform/IdGenerator"
import { secretText } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { ConnectedAppsRepo } from "#store/ConnectedAppsRepo"
import { Journal } from "../events/Journal.ts"
import { cleaner } from "./Markup.ts"

type AppPage = PageOf<(typeof appSorts)[number]>

/** An app without markup of its own. */
const bare = { header: null, footer: null }

/** An app with the markup that was typed as it is kept and shown. */
const withMarkup = Effect.fnUntraced(function* (app: ConnectedApp, typed: ConnectedAppInput) {
  if (!presence(typed.header ?? "") && !presence(typed.footer ?? "")) return app
  const cleaned = yield* cleaner
  const kept = (markup: string | null) => (markup === null ? null : presence(cleaned(markup)))
  // What is there is clean already, and stays as it is.
  return { ...app, header: kept(app.header), footer: kept(app.footer) }
})

type Changed = ConnectedAppNotFound | Rejected | RealmNotFound

/** Connected apps (api-v1 section 4, "Connected apps"). `version`: whose rules what was typed is held to. */
export class ConnectedApps extends Context.Service<
  ConnectedApps,
  {
    get(id: string): Effect.Effect<ConnectedApp, ConnectedAppNotFound, CurrentRealm>
    /** The active app whose domain a `Host` names, of whatever realm (decision 40). */
    atHost(host: string): Effect.Effect<ConnectedApp, ConnectedAppNotFound>
    /** The active app of the realm that was made first. */
    readonly oldest: Effect.Effect<ConnectedApp | undefined, never, CurrentRealm>
    list(page: AppPage): Effect.Effect<Page<ConnectedApp>, ConnectedAppNotFound, CurrentRealm>
    /** `login_policy.created`. Without a subdomain, one is made of the name. */
    create(
      version: Version,
      typed: ConnectedAppInput
    ): Effect.Effect<ConnectedApp, Rejected | RealmNotFound, CurrentRealm>
    /** `login_policy.updated` when something differs. */
    update(id: string, version: Version, typed: ConnectedAppInput): Effect.Effect<ConnectedApp, Changed, CurrentRealm>
    /** `login_policy.deleted`. Its subdomain is kept for its realm for 90 days (SEC-103). */
    delete(id: string): Effect.Effect<void, ConnectedAppNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/ConnectedApps") {
  static readonly layer = Layer.effect(
    ConnectedApps,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const entropy = yield* Entropy
      const repo = yield* ConnectedAppsRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      const get = Effect.fn("ConnectedApps.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const app = isId("loginPolicy", id) ? yield* repo.find(realm.id, id) : undefined
        return app ?? (yield* new ConnectedAppNotFound({ id }))
      })

      const atHost = Effect.fn("ConnectedApps.atHost")(function* (host: string) {
        return (yield* repo.findByHost(host)) ?? (yield* new ConnectedAppNotFound({ id: host }))
      })

      const list = Effect.fn("ConnectedApps.list")(function* (page: AppPage) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, get)
        return pageOf(yield* repo.list(realm.id, page), page.maxResults)
      })

      /** Inserts an app under a subdomain made of its name, with as much added as makes it its own. */
      const insertNamed = Effect.fnUntraced(function* (app: ConnectedApp) {
        const stem = subdomainStem(app.name)
        let named = { ...app, subdomain: stem }
        let inserted = subdomainProblem(stem) === undefined && (yield* repo.insert(named, app.createdAt))
        while (!inserted) {
          named = { ...app, subdomain: `${stem}-${secretText(entropy, 5).toLowerCase()}` }
          inserted = yield* repo.insert(named, app.createdAt)
        }
        return named
      })

      const create = Effect.fn("ConnectedApps.create")(function* (version: Version, typed: ConnectedAppInput) {
        const identity = {
          id: yield* ids.make("loginPolicy"),
          realmId: (yield* CurrentRealm).id,
          createdAt: yield* DateTime.now
        }
        const asTyped = appWith({ ...blankApp, ...identity }, typed)
        const problems = appProblems(undefined, asTyped, version)
        if (problems.length > 0) return yield* new Rejected({ problems })
        const app = yield* withMarkup(asTyped, typed)
        return yield* transaction.run(
          Effect.gen(function* () {
            const isTaken = app.subdomain !== "" && !(yield* repo.insert(app, app.createdAt))
            if (isTaken) return yield* rejected("subdomain", "taken")
            const made = app.subdomain === "" ? yield* insertNamed(app) : app
            yield* journal.record([{ eventType: "login_policy.created", loginPolicyId: made.id }])
            return made
          })
        )
      })

      const held = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const app = isId("loginPolicy", id) ? yield* repo.findForUpdate(realm.id, id) : undefined
        return app ?? (yield* new ConnectedAppNotFound({ id }))
      })

      const update = Effect.fn("ConnectedApps.update")(function* (
        id: string,
        version: Version,
        typed: ConnectedAppInput
      ) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* held(id)
            // Only what was typed is held to a length: cleaned, markup may be longer.
            const problems = appProblems(before, appWith({ ...before, ...bare }, typed), version)
            if (problems.length > 0) return yield* new Rejected({ problems })
            const after = yield* withMarkup(appWith(before, typed), typed)
            if (Equal.equals(before, after)) return before
            if (after.subdomain !== before.subdomain) yield* repo.holdSubdomains
            if (!(yield* repo.update(before, after, yield* DateTime.now))) return yield* rejected("subdomain", "taken")
            yield* journal.record([{ eventType: "login_policy.updated", loginPolicyId: after.id }])
            return after
          })
        )
      })

      const remove = Effect.fn("ConnectedApps.delete")(function* (id: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const app = yield* held(id)
            yield* repo.delete(app, yield* DateTime.now)
            yield* journal.record([{ eventType: "login_policy.deleted", loginPolicyId: app.id }])
          })
        )
      })

      return ConnectedApps.of({
        get,
        atHost,
        oldest: Effect.flatMap(CurrentRealm, ({ id }) => repo.findOldestActive(id)),
        list,
        create,
        update,
        delete: remove
      })
    })
  )
}
