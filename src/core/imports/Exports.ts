import { Context, DateTime, Effect, Layer } from "effect"
import { isUniqueProviderType } from "#domain/AuthProvider"
import { Caller } from "#domain/Caller"
import { isSocial } from "#domain/Credential"
import type { AuthProviderId, UserId } from "#domain/Ids"
import { allows } from "#domain/Level"
import type { RateLimited } from "#domain/Limit"
import { MAX_EXPANDED, type Membership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import { pageOf } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId } from "#domain/RealmReset"
import { type User, visibleUser } from "#domain/User"
import { type ExportedCredential, ExportsRepo } from "#store/imports/ExportsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { RateLimits } from "../limits/RateLimits.ts"
import { ReadReplica } from "../nodes/ReadReplica.ts"

/** The number of users to read at once. */
const USERS_AT_ONCE = 200

/** A membership with its org. Each exported org has a unique reference. */
export interface ExportedMembership {
  readonly membership: Membership
  readonly org: Org | null
}

/** A user with everything that an import accepts. `reference` is unique in the export. */
export interface ExportedUser {
  readonly user: User
  readonly reference: string
  readonly credentials: ReadonlyArray<ExportedCredential>
  readonly memberships: ReadonlyArray<ExportedMembership>
}

/** A page of users. `next` is the cursor for the next page, or undefined on the last page. */
export interface ExportedPage {
  readonly users: ReadonlyArray<ExportedUser>
  readonly next: UserId | undefined
}

/** A running export. */
export interface ExportRun {
  /** Whether the export contains hashes and secrets. */
  readonly secrets: boolean
  /** The names of providers, for provider types that a realm can have more than once. */
  readonly providerNames: ReadonlyMap<AuthProviderId, string>
  /** Reads the users after the given user, oldest first. */
  page(after: UserId | undefined): Effect.Effect<ExportedPage, never, CurrentRealm>
}

/** Returns whether an import could recreate the credential. */
const isPortable = ({ credentialType, passwordHash, secret }: ExportedCredential): boolean =>
  isSocial(credentialType) || passwordHash !== null || secret !== null

const referencesOf = (all: ReadonlyArray<User | Org>): ReadonlyArray<string> =>
  all.flatMap(({ reference }) => reference ?? [])

/** Exports the users of a realm in the format that `Imports` accepts (C66, C80). */
export class Exports extends Context.Service<
  Exports,
  {
    /**
     * Begins an export and records `realm.exported`. Hashes and secrets are exported only for callers with level
     * `admin_all_realms`. For other callers, credentials that consist of a hash or secret are omitted.
     */
    readonly begin: Effect.Effect<ExportRun, RateLimited | RealmNotFound, CurrentRealm | Caller>
  }
>()("sallyport/core/Exports") {
  static readonly layer = Layer.effect(
    Exports,
    Effect.gen(function* () {
      const repo = yield* ExportsRepo
      const users = yield* UsersRepo
      const providers = yield* AuthProvidersRepo
      const limits = yield* RateLimits
      const journal = yield* Journal
      const replica = yield* ReadReplica

      const membershipsOf = Effect.fnUntraced(function* (ids: ReadonlyArray<UserId>) {
        const realm = yield* CurrentRealm
        const from = firstRetainedId(realm.pendingReset, "membership")
        const selection = { now: yield* DateTime.now, from, maxPerUser: MAX_EXPANDED }
        const memberships = yield* repo.memberships(realm.id, ids, selection)
        const orgIds = [...new Set(memberships.flatMap(({ orgId }) => orgId ?? []))]
        const orgs = orgIds.length === 0 ? [] : yield* repo.orgs(realm.id, orgIds)
        const references = referencesOf(orgs)
        const shared = new Set(references.length === 0 ? [] : yield* repo.sharedByOrgs(realm.id, references))
        const byId = new Map(
          orgs.map((org) => {
            const isOwn = org.reference !== null && !shared.has(org.reference)
            return [org.id, isOwn ? org : { ...org, reference: org.id }]
          })
        )
        return memberships.map((membership) => ({
          membership,
          org: membership.orgId === null ? null : (byId.get(membership.orgId) ?? null)
        }))
      })

      return Exports.of({
        begin: Effect.gen(function* () {
          const realm = yield* CurrentRealm
          const secrets = allows((yield* Caller).level, "admin_all_realms")
          yield* limits.take("exports", realm.id, realm.limits)
          yield* journal.record([{ eventType: "realm.exported" }])
          const all = yield* providers.list(
            realm.id,
            { providerType: undefined, state: undefined },
            { after: undefined, maxResults: 1_000, sort: "id", direction: "asc" }
          )
          const named = all.flatMap(
            (one): ReadonlyArray<readonly [AuthProviderId, string]> =>
              !isUniqueProviderType(one.providerType) && "name" in one && one.name !== null ? [[one.id, one.name]] : []
          )

          const filter = {
            userType: undefined,
            email: undefined,
            reference: undefined,
            username: undefined,
            state: undefined,
            from: firstRetainedId(realm.pendingReset, "user")
          }

          const page = Effect.fnUntraced(function* (after: UserId | undefined) {
            const position = after === undefined ? undefined : { id: after }
            const sorted = { after: position, maxResults: USERS_AT_ONCE, sort: "id", direction: "asc" } as const
            const { items, more } = pageOf(yield* users.list(realm.id, filter, sorted), USERS_AT_ONCE)
            if (items.length === 0) return { users: [], next: undefined }
            const ids = items.map(({ id }) => id)
            const credentials = Map.groupBy(yield* repo.credentials(realm.id, ids, secrets), ({ userId }) => userId)
            const memberships = Map.groupBy(yield* membershipsOf(ids), ({ membership }) => membership.userId)
            const references = referencesOf(items)
            const shared = new Set(references.length === 0 ? [] : yield* repo.sharedByUsers(realm.id, references))
            const exported = items.map((user): ExportedUser => {
              const { id, reference } = user
              return {
                user: visibleUser(realm, user),
                reference: reference === null || shared.has(reference) ? id : reference,
                credentials: (credentials.get(id) ?? []).filter(isPortable),
                memberships: memberships.get(id) ?? []
              }
            })
            return { users: exported, next: more ? ids.at(-1) : undefined }
          })

          return { secrets, providerNames: new Map(named), page: (after) => replica.read(page(after)) }
        })
      })
    })
  )
}
