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
  newExternalProvider
} from "#domain/AuthProviderInput"
import { providerProblems } from "#domain/AuthProviderProblems"
import { changedMembers } from "#domain/EventChanges"
import { rejectIfAny } from "#domain/KnownProblems"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import type { Rejected } from "#domain/Rejected"
import { rejection } from "#domain/Rejected"
import { IdGenerator } from "#platform/IdGenerator"
import { OutboundPolicy } from "#platform/OutboundPolicy"
import { constantTimeEqual, sha256 } from "#platform/Tokens"
import { Transaction } from "#platform/Transaction"
import { type AuthProviderFilter, AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { Journal } from "../events/Journal.ts"
import { privateKeyProblem } from "./providers/AppleClientSecret.ts"

/**
 * Manages the auth providers of realms (C44). `ref` is a provider's ID, or its type if a realm can have only one of that type.
 */
export class AuthProviders extends Context.Service<
  AuthProviders,
  {
    get(ref: string): Effect.Effect<AuthProvider, AuthProviderNotFound, CurrentRealm>
    list(
      filter: AuthProviderFilter,
      page: PageOf<"id">
    ): Effect.Effect<Page<AuthProvider>, AuthProviderNotFound, CurrentRealm>
    /** Records `auth_provider.created`. */
    create(
      providerType: ProviderType,
      input: AuthProviderInput
    ): Effect.Effect<AuthProvider, Rejected | RealmNotFound, CurrentRealm>
    /** Records `auth_provider.updated` if anything changed, including the client secret. */
    update(
      ref: string,
      input: AuthProviderInput
    ): Effect.Effect<AuthProvider, AuthProviderNotFound | Rejected | RealmNotFound, CurrentRealm>
    /** Records `auth_provider.deleted`. Providers that every realm has from the start can't be deleted. */
    delete(ref: string): Effect.Effect<void, AuthProviderNotFound | Rejected | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/AuthProviders") {
  static readonly layer = Layer.effect(
    AuthProviders,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const repo = yield* AuthProvidersRepo
      const journal = yield* Journal
      const outboundPolicy = yield* OutboundPolicy
      const rules = { url: outboundPolicy.problem, privateKey: privateKeyProblem }
      const transaction = yield* Transaction

      const get = Effect.fn("AuthProviders.get")(function* (ref: string) {
        const realm = yield* CurrentRealm
        const parsed = parseProviderRef(ref)
        const provider = parsed === undefined ? undefined : yield* repo.find(realm.id, parsed)
        return provider ?? (yield* new AuthProviderNotFound({ name: ref }))
      })

      const list = Effect.fn("AuthProviders.list")(function* (filter: AuthProviderFilter, page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "authProvider", (id) => Effect.fail(new AuthProviderNotFound({ name: id })))
        return pageOf(yield* repo.list(realm.id, filter, page), page.maxResults)
      })

      const create = Effect.fn("AuthProviders.create")(function* (
        providerType: ProviderType,
        input: AuthProviderInput
      ) {
        if (isBuiltInType(providerType)) return yield* rejection("provider_type", "taken")
        const identity: ProviderIdentity = {
          id: yield* ids.make("authProvider"),
          realmId: (yield* CurrentRealm).id,
          state: "active",
          createdAt: yield* DateTime.now
        }
        const provider = applyExternalInput(newExternalProvider(providerType, identity), input)
        const clientSecret = input.clientSecret ?? ""
        const problems = providerProblems(provider, clientSecret, rules)
        yield* rejectIfAny(problems)
        return yield* transaction.run(
          Effect.gen(function* () {
            const inserted = yield* repo.insertExternal(provider, clientSecret)
            if (!inserted) return yield* rejection("provider_type", "taken")
            yield* journal.record([{ eventType: "auth_provider.created", authProviderId: provider.id }])
            return provider
          })
        )
      })

      const findLocked = Effect.fnUntraced(function* (ref: string) {
        const realm = yield* CurrentRealm
        const parsed = parseProviderRef(ref)
        const provider = parsed === undefined ? undefined : yield* repo.findForUpdate(realm.id, parsed)
        return provider ?? (yield* new AuthProviderNotFound({ name: ref }))
      })

      /** Returns the client secret from the input if it differs from the stored one. */
      const newSecret = Effect.fnUntraced(function* (provider: AuthProvider, clientSecret: string | undefined) {
        if (clientSecret === undefined) return undefined
        const current = yield* repo.clientSecret(provider)
        const isSame = typeof current === "string" && constantTimeEqual(sha256(current), sha256(clientSecret))
        return isSame ? undefined : clientSecret
      })

      const update = Effect.fn("AuthProviders.update")(function* (ref: string, input: AuthProviderInput) {
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* findLocked(ref)
            const after = applyProviderInput(before, input)
            const { clientSecret: inputSecret } = isBuiltInType(after.providerType) ? {} : input
            const clientSecret = inputSecret === null ? "" : inputSecret
            const problems = providerProblems(after, clientSecret, rules)
            yield* rejectIfAny(problems)
            const secret = yield* newSecret(after, clientSecret)
            if (secret === undefined && Equal.equals(before, after)) return before
            yield* repo.update(after, secret)
            const members = [...changedMembers(before, after), ...(secret === undefined ? [] : ["client_secret"])]
            const changed = members.toSorted()
            yield* journal.record([{ eventType: "auth_provider.updated", authProviderId: after.id, changed }])
            return after
          })
        )
      })

      const remove = Effect.fn("AuthProviders.delete")(function* (ref: string) {
        yield* transaction.run(
          Effect.gen(function* () {
            const { id, realmId, providerType } = yield* findLocked(ref)
            if (isBuiltInType(providerType)) return yield* rejection("provider_type", "provider_stays")
            yield* repo.delete(realmId, id)
            yield* journal.record([{ eventType: "auth_provider.deleted", authProviderId: id }])
          })
        )
      })

      return AuthProviders.of({ get, list, create, update, delete: remove })
    })
  )
}
