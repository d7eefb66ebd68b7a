import { Context, Effect, Layer } from "effect"
import {
  type App,
  type AppInput,
  type AppWithSecret,
  emptyAppSettings,
  emptyOAuthSettings,
  type ListedApp,
  otherTypeProblems
} from "#domain/App"
import { type Logo, type LogoMember, logoMembers } from "#domain/Appearance"
import { type AppDraft, type appSorts, type ConnectedApp, ConnectedAppNotFound } from "#domain/ConnectedApp"
import type { ConnectedAppInput } from "#domain/ConnectedAppInput"
import type { Version } from "#domain/Event"
import { isId } from "#domain/Ids"
import { withKnownProblems } from "#domain/KnownProblems"
import type { RenderingBusy } from "#domain/MailTemplate"
import { checkAfter, type Page, type PageOf, sortedPageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { problem, type Rejected, rejection } from "#domain/Rejected"
import { sortKey } from "#domain/Text"
import { AppsRepo } from "#store/apps/AppsRepo"
import { contentReader } from "../appearance/CleanContent.ts"
import { appDrafts } from "./AppDrafts.ts"
import { ConnectedApps } from "./ConnectedApps.ts"
import { OAuthClients } from "./OAuthClients.ts"

type ChangeFailure = ConnectedAppNotFound | Rejected | RealmNotFound

/** An app with the content of the logos in its appearance. */
export interface Brand {
  readonly app: App
  readonly logos: Partial<Readonly<Record<LogoMember, Logo>>>
}

type AppPage = PageOf<(typeof appSorts)[number]>

/** Manages connected apps of all client types. `version` is the API version whose rules apply to the input. */
export class Apps extends Context.Service<
  Apps,
  {
    get(id: string): Effect.Effect<App, ConnectedAppNotFound, CurrentRealm>
    /** Returns an app with the content of its logos, for copying its brand. */
    brand(id: string): Effect.Effect<Brand, ConnectedAppNotFound, CurrentRealm>
    list(page: AppPage): Effect.Effect<Page<ListedApp>, ConnectedAppNotFound, CurrentRealm>
    /** Records `login_policy.created`. */
    create(
      version: Version,
      input: AppInput
    ): Effect.Effect<AppWithSecret, Rejected | RealmNotFound | RenderingBusy, CurrentRealm>
    /** Records `login_policy.updated` if anything changed. The client type can't be changed. */
    update(
      id: string,
      version: Version,
      input: AppInput
    ): Effect.Effect<App, ChangeFailure | RenderingBusy, CurrentRealm>
    /**
     * Gives an OAuth client a new secret. The previous secret is valid for another 24 hours. Records
     * `oauth.client_secret.rotated`.
     */
    rotateSecret(id: string): Effect.Effect<AppWithSecret, ChangeFailure, CurrentRealm>
    /** Returns the app with these settings, except those that would be rejected. Nothing is stored. */
    draft(app: ConnectedApp, input: ConnectedAppInput): Effect.Effect<AppDraft, RenderingBusy, CurrentRealm>
    /** Records `login_policy.deleted`. */
    delete(id: string): Effect.Effect<void, ConnectedAppNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Apps") {
  static readonly layer = Layer.effect(
    Apps,
    Effect.gen(function* () {
      const repo = yield* AppsRepo
      const connectedApps = yield* ConnectedApps
      const clients = yield* OAuthClients
      const readContent = yield* contentReader
      const draft = yield* appDrafts

      const get = Effect.fn("Apps.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const app = isId("app", id) ? yield* repo.find(realm.id, id) : undefined
        return app ?? (yield* new ConnectedAppNotFound({ id }))
      })

      const list = Effect.fn("Apps.list")(function* (page: AppPage) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "app", get)
        return sortedPageOf(yield* repo.list(realm.id, page), page, { name: ({ name }) => sortKey(name) })
      })

      const brand = Effect.fn("Apps.brand")(function* (id: string) {
        const app = yield* get(id)
        const logos: Partial<Record<LogoMember, Logo>> = {}
        for (const member of logoMembers) {
          const logo = yield* connectedApps.logo(app, app.appearance[member] ?? "")
          if (logo !== undefined) logos[member] = logo
        }
        const found: Brand = { app, logos }
        return found
      })

      const create = Effect.fn("Apps.create")(function* (version: Version, input: AppInput) {
        const type = input.clientType ?? "standard"
        if (type !== "standard") {
          const { logos } = yield* readContent({ appearance: input.appearance })
          return yield* withKnownProblems(
            otherTypeProblems(input, emptyAppSettings),
            clients.create(type, input, logos)
          )
        }
        const problems = otherTypeProblems(input, emptyOAuthSettings)
        const content = yield* readContent(input)
        return {
          app: yield* withKnownProblems(problems, connectedApps.create(version, input, content)),
          clientSecret: null
        }
      })

      const update = Effect.fn("Apps.update")(function* (id: string, version: Version, input: AppInput) {
        const { clientType: type } = yield* get(id)
        const changesType = (input.clientType ?? type) !== type
        const changed = changesType ? [problem("client_type", "unchangeable")] : []
        const misplaced = otherTypeProblems(input, type === "standard" ? emptyOAuthSettings : emptyAppSettings)
        const content = yield* readContent(type === "standard" ? input : { appearance: input.appearance })
        const updated: Effect.Effect<App, ChangeFailure, CurrentRealm> =
          type === "standard"
            ? connectedApps.update(id, version, input, content)
            : clients.update(id, input, content.logos)
        return yield* withKnownProblems([...changed, ...misplaced], updated)
      })

      const rotateSecret = Effect.fn("Apps.rotateSecret")(function* (id: string) {
        const { clientType } = yield* get(id)
        return clientType === "standard"
          ? yield* rejection("client_type", "no_client_secret")
          : yield* clients.rotateSecret(id)
      })

      const remove = Effect.fn("Apps.delete")(function* (id: string) {
        const { clientType } = yield* get(id)
        yield* clientType === "standard" ? connectedApps.delete(id) : clients.delete(id)
      })

      return Apps.of({ get, brand, list, create, update, rotateSecret, draft, delete: remove })
    })
  )
}
