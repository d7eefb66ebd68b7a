import { Context, DateTime, Effect, Equal, Layer } from "effect"
import {
  type AuthProvider,
  AuthProviderNotFound,
  isBuiltInType,
  type ProviderIdentity,
  type ProviderType,
  parseProviderRef
} from "#domain/AuthProvider"
import {
  type AuthProviderInput,
  applyExternalInput,
  applyProviderInput,
  newExternalProvider,
  providerProblems
} from "#domain/AuthProviderInput"
import { isId } from "#domain/Ids"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Rejected, rejected } from "#domain/Rejected"
import { IdGenerator } from "#platform/IdGenerator"
import { OutboundPolicy } from "#platform/OutboundPolicy"
import { constantTimeEqual, sha256 } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { type AuthProviderFilter, AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { Journal } from "../events/Journal.ts"

/** What realms authenticate with (C44). A provider is named by its id, or by a type of which there is only one. */
export class AuthProviders extends Context.Service<
  AuthProviders,
  {
    get(name: string): Effect.Effect<AuthProvider, AuthProviderNotFound, CurrentRealm>
    list(
      filter: AuthProviderFilter,
      page: PageOf<"id">
    ): Effect.Effect<Page<AuthProvider>, AuthProviderNotFound, CurrentRealm>
    /** `auth_provider.created`. */
    create(
      providerType: ProviderType,
      typed: AuthProviderInput
    ): Effect.Effect<AuthProvider, Rejected | RealmNotFound, CurrentRealm>
    /** `auth_provider.updated` when something differs, the client secret included. */
    update(
      name: string,
      typed: AuthProviderInput
    ): Effect.Effect<AuthProvider, AuthProviderNotFound | Rejected | RealmNotFound, CurrentRealm>
    /** `auth_provider.deleted`. Those that a realm begins with stay. */
    delete(name: string): Effect.Effect<void, AuthProviderNotFound | Rejected | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/AuthProviders") {
  static readonly layer = Layer.effect(
    AuthProviders,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* AuthProvidersRepo
      const journal = yield* Journal
      const targets = yield* OutboundPolicy
      const transaction = yield* Transaction

      const get = Effect.fn("AuthProviders.get")(function* (name: string) {
        const realm = yield* CurrentRealm
        const known = parseProviderRef(name)
        const provider = known === undefined ? undefined : yield* repo.find(realm.id, known)
        return provider ?? (yield* new AuthProviderNotFound({ name }))
      })

      const list = Effect.fn("AuthProviders.list")(function* (filter: AuthProviderFilter, page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        // A list continues after an id only: `get` takes the name of a provider, such as `password`, as well.
        yield* checkAfter(page, (id) =>
          isId("authProvider", id) ? get(id) : Effect.fail(new AuthProviderNotFound({ name: id }))
        )
        return pageOf(yield* repo.list(realm.id, filter, page), page.maxResults)
      })

      const create = Effect.fn("AuthProviders.create")(function* (
        providerType: ProviderType,
        typed: AuthProviderInput
      ) {
        if (isBuiltInType(providerType)) return yield* rejected("provider_type", "taken")
        const identity: ProviderIdentity = {
          id: yield* ids.make("authProvider"),
          realmId: (yield* CurrentRealm).id,
          state: "active",
          createdAt: yield* DateTime.now
        }
        const provider = applyExternalInput(newExternalProvider(providerType, identity), typed)
        const clientSecret = typed.clientSecret ?? ""
        const problems = providerProblems(provider, clientSecret, targets.problem)
        if (problems.length > 0) return yield* new Rejected({ problems })
        return yield* transaction.run(
          Effect.gen(function* () {
            const inserted = yield* repo.insertExternal(provider, clientSecret)
            if (!inserted) return yield* rejected("provider_type", "taken")
            yield* journal.record([{ eventType: "auth_provider.created", authProviderId: provider.id }])
            return provider
          })
        )
      })

      const held = Effect.fnUntraced(function* (name: string) {
        const realm = yield* CurrentRealm
        const known = parseProviderRef(name)
        const provider = known === undefined ? undefined : yield* repo.findForUpdate(realm.id, known)
        return provider ?? (yield* new AuthProviderNotFound({ name }))
      })

      /** A client secret that is given and is another than the provider's own. */
      const newSecret = Effect.fnUntraced(function* (provider: AuthProvider, clientSecret: string | undefined) {
        if (clientSecret === undefined) return undefined
        const current = yield* repo.clientSecret(provider)
        const same = typeof current === "string" && constantTimeEqual(sha256(current), sha256(clientSecret))
        return same ? undefined : clientSecret
      })

      const update = Effect.fn("AuthProviders.update")(function* (name: string, typed: AuthProviderInput) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* held(name)
            const after = applyProviderInput(before, typed)
            const { clientSecret } = isBuiltInType(after.providerType) ? {} : typed
            const given = clientSecret === null ? "" : clientSecret
            const problems = providerProblems(after, given, targets.problem)
            if (problems.length > 0) return yield* new Rejected({ problems })
            const secret = yield* newSecret(after, given)
            if (secret === undefined && Equal.equals(before, after)) return before
            yield* repo.update(after, secret)
            yield* journal.record([{ eventType: "auth_provider.updated", authProviderId: after.id }])
            return after
          })
        )
      })

      const remove = Effect.fn("AuthProviders.delete")(function* (name: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const { id, realmId, providerType } = yield* held(name)
            if (isBuiltInType(providerType)) return yield* rejected("provider_type", "provider_stays")
            yield* repo.delete(realmId, id)
            yield* journal.record([{ eventType: "auth_provider.deleted", authProviderId: id }])
          })
        )
      })

      return AuthProviders.of({ get, list, create, update, delete: remove })
    })
  )
}
