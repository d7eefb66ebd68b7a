import { Context, Effect, Layer } from "effect"
import {
  type ClientApp,
  type ClientAppInput,
  type ClientAppWithSecret,
  type ListedApp,
  misplacedProblems,
  withoutOAuth,
  withoutPages
} from "#domain/ClientApp"
import { type appSorts, type ConnectedApp, ConnectedAppNotFound } from "#domain/ConnectedApp"
import type { ConnectedAppInput } from "#domain/ConnectedAppInput"
import type { Version } from "#domain/Event"
import { isId } from "#domain/Ids"
import { withKnownProblems } from "#domain/KnownProblems"
import type { RenderingBusy } from "#domain/MailTemplate"
import { checkAfter, type Page, type PageOf, sortedPageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { problem, type Rejected, rejected } from "#domain/Rejected"
import { sortKey } from "#domain/Text"
import { ClientAppsRepo } from "#store/apps/ClientAppsRepo"
import { contentReader } from "../appearance/CleanContent.ts"
import { type AppDraft, appDrafts } from "./AppDrafts.ts"
import { ConnectedApps } from "./ConnectedApps.ts"
import { OAuthApps } from "./OAuthApps.ts"

type ChangeFailure = ConnectedAppNotFound | Rejected | RealmNotFound

type AppPage = PageOf<(typeof appSorts)[number]>

/** Manages connected apps of every client type. `version`: the API version whose rules apply to the input. */
export class ClientApps extends Context.Service<
  ClientApps,
  {
    get(id: string): Effect.Effect<ClientApp, ConnectedAppNotFound, CurrentRealm>
    list(page: AppPage): Effect.Effect<Page<ListedApp>, ConnectedAppNotFound, CurrentRealm>
    /** Records `login_policy.created`. */
    create(
      version: Version,
      input: ClientAppInput
    ): Effect.Effect<ClientAppWithSecret, Rejected | RealmNotFound | RenderingBusy, CurrentRealm>
    /** Records `login_policy.updated` if anything changed. The client type does not change. */
    update(
      id: string,
      version: Version,
      input: ClientAppInput
    ): Effect.Effect<ClientApp, ChangeFailure | RenderingBusy, CurrentRealm>
    /** Gives an OAuth client a new secret. The one before it is good for another day. Records `oauth.client_secret.rotated`. */
    rotateSecret(id: string): Effect.Effect<ClientAppWithSecret, ChangeFailure, CurrentRealm>
    /** An app with pages as these settings would make it, without those that would be refused. Nothing is stored. */
    draft(app: ConnectedApp, input: ConnectedAppInput): Effect.Effect<AppDraft, RenderingBusy, CurrentRealm>
    /** Records `login_policy.deleted`. */
    delete(id: string): Effect.Effect<void, ConnectedAppNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/ClientApps") {
  static readonly layer = Layer.effect(
    ClientApps,
    Effect.gen(function* () {
      const repo = yield* ClientAppsRepo
      const pages = yield* ConnectedApps
      const clients = yield* OAuthApps
      const readContent = yield* contentReader
      const draft = yield* appDrafts

      const get = Effect.fn("ClientApps.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const app = isId("loginPolicy", id) ? yield* repo.find(realm.id, id) : undefined
        return app ?? (yield* new ConnectedAppNotFound({ id }))
      })

      const list = Effect.fn("ClientApps.list")(function* (page: AppPage) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "loginPolicy", get)
        return sortedPageOf(yield* repo.list(realm.id, page), page, { name: ({ name }) => sortKey(name) })
      })

      const create = Effect.fn("ClientApps.create")(function* (version: Version, input: ClientAppInput) {
        const type = input.clientType ?? "standard"
        if (type !== "standard") {
          const { logos } = yield* readContent({ appearance: input.appearance })
          return yield* withKnownProblems(misplacedProblems(input, withoutPages), clients.create(type, input, logos))
        }
        const problems = misplacedProblems(input, withoutOAuth)
        const content = yield* readContent(input)
        return { app: yield* withKnownProblems(problems, pages.create(version, input, content)), clientSecret: null }
      })

      const update = Effect.fn("ClientApps.update")(function* (id: string, version: Version, input: ClientAppInput) {
        const { clientType: type } = yield* get(id)
        const isOther = (input.clientType ?? type) !== type
        const changed = isOther ? [problem("client_type", "unchangeable")] : []
        const misplaced = misplacedProblems(input, type === "standard" ? withoutOAuth : withoutPages)
        const content = yield* readContent(type === "standard" ? input : { appearance: input.appearance })
        const updated: Effect.Effect<ClientApp, ChangeFailure, CurrentRealm> =
          type === "standard" ? pages.update(id, version, input, content) : clients.update(id, input, content.logos)
        return yield* withKnownProblems([...changed, ...misplaced], updated)
      })

      const rotateSecret = Effect.fn("ClientApps.rotateSecret")(function* (id: string) {
        const { clientType } = yield* get(id)
        return clientType === "standard"
          ? yield* rejected("client_type", "no_client_secret")
          : yield* clients.rotateSecret(id)
      })

      const remove = Effect.fn("ClientApps.delete")(function* (id: string) {
        const { clientType } = yield* get(id)
        yield* clientType === "standard" ? pages.delete(id) : clients.delete(id)
      })

      return ClientApps.of({ get, list, create, update, rotateSecret, draft, delete: remove })
    })
  )
}
