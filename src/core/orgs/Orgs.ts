import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { RequestOrigin } from "#domain/Event"
import { currentActor } from "#domain/EventActor"
import { changedMembers } from "#domain/EventChanges"
import { isId, type UserId } from "#domain/Ids"
import { rejectIfAny, withKnownProblems } from "#domain/KnownProblems"
import type { LinkedMembership } from "#domain/Membership"
import { type Org, type OrgAttributes, OrgNotFound, type orgSorts } from "#domain/Org"
import { checkAfter, type Page, type PageOf, pageOf, sortedPageOf } from "#domain/Page"
import type { HashingBusy } from "#domain/Password"
import { permissionProblems } from "#domain/Permission"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId } from "#domain/RealmReset"
import type { Rejected } from "#domain/Rejected"
import { rejection } from "#domain/Rejected"
import type { Search } from "#domain/Search"
import { sortKey } from "#domain/Text"
import { Transaction } from "#platform/Transaction"
import { WakeUps } from "#platform/WakeUps"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { OrgDeletionsRepo } from "#store/orgs/OrgDeletionsRepo"
import { OrgDomainsRepo } from "#store/orgs/OrgDomainsRepo"
import { type OrgFilter, OrgsRepo } from "#store/orgs/OrgsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { type Change, Journal } from "../events/Journal.ts"
import { membershipEvent, NewMemberships } from "../provisioning/NewMemberships.ts"
import { NewOrgs, newOrgProblems, orgProblems } from "../provisioning/NewOrgs.ts"
import { issuesTokens, type NewUser, NewUsers } from "../provisioning/NewUsers.ts"
import { Memberships } from "./Memberships.ts"
import { domainEvent } from "./OrgDomains.ts"

/** The maximum number of memberships deleted in the same transaction as their org. The rest are deleted in the background. */
const MAX_MEMBERS_IN_TRANSACTION = 500

type OrgPage = PageOf<(typeof orgSorts)[number]>

/** A request for a new org, with the users who join it (`v2.org`). `user` is a new user to create with the org. */
export interface OrgCreation {
  readonly attributes: OrgAttributes
  readonly userIds: ReadonlyArray<string>
  readonly user: NewUser | undefined
  readonly permissions: ReadonlyArray<string>
}

/** An org with its memberships. */
export interface OrgWithMemberships {
  readonly org: Org
  readonly memberships: ReadonlyArray<LinkedMembership>
}

/** Manages the orgs of which users are members (`v2.orgs`). */
export class Orgs extends Context.Service<
  Orgs,
  {
    get(id: string): Effect.Effect<Org, OrgNotFound, CurrentRealm>
    /** Returns the org with its memberships and their users. */
    getWithMemberships(id: string): Effect.Effect<OrgWithMemberships, OrgNotFound, CurrentRealm>
    list(filter: OrgFilter, page: OrgPage): Effect.Effect<Page<Org>, OrgNotFound, CurrentRealm>
    /**
     * Finds the orgs whose name, reference or ID starts with a text. Exact matches come first, then the others, sorted by name
     * (C204).
     */
    search(search: Search, filter: Pick<OrgFilter, "states">): Effect.Effect<Page<Org>, never, CurrentRealm>
    /**
     * Creates an org. Records `org.created`, the events of `NewUsers.insert` if there is a new user, and `membership.created`
     * for each membership.
     */
    create(
      request: OrgCreation
    ): Effect.Effect<OrgWithMemberships, RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /** Changes an org. Records `org.updated` if anything changed. A closed org can't be changed. */
    update(id: string, changes: OrgAttributes): Effect.Effect<Org, OrgNotFound | RealmNotFound | Rejected, CurrentRealm>
    /** Closes an org permanently and deletes its domains. Records `org.updated`, and `domain.deleted` for each domain. */
    close(id: string): Effect.Effect<Org, OrgNotFound | RealmNotFound | Rejected, CurrentRealm>
    /**
     * Deletes an org with its invitations, domains and memberships, none of which can be found from then on. Records
     * `org.deleted`, `domain.deleted` for each domain and `membership.deleted` for each membership. Of a very large number of memberships, most are deleted in the background.
     */
    delete(id: string): Effect.Effect<void, OrgNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Orgs") {
  static readonly layer = Layer.effect(
    Orgs,
    Effect.gen(function* () {
      const repo = yield* OrgsRepo
      const newOrgs = yield* NewOrgs
      const newUsers = yield* NewUsers
      const users = yield* UsersRepo
      const newMemberships = yield* NewMemberships
      const memberships = yield* MembershipsRepo
      const invitations = yield* InvitationsRepo
      const deletions = yield* OrgDeletionsRepo
      const domains = yield* OrgDomainsRepo
      const wakeUps = yield* WakeUps
      const orgMemberships = yield* Memberships
      const journal = yield* Journal
      const transaction = yield* Transaction

      const get = Effect.fn("Orgs.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const org = isId("org", id) ? yield* repo.find(realm.id, id) : undefined
        return org ?? (yield* new OrgNotFound({ id }))
      })

      const getWithMemberships = Effect.fn("Orgs.getWithMemberships")(function* (id: string) {
        const org = yield* get(id)
        return { org, memberships: yield* orgMemberships.ofOrg(org.id) }
      })

      const list = Effect.fn("Orgs.list")(function* (filter: OrgFilter, page: OrgPage) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, "org", get)
        const retained = { ...filter, from: firstRetainedId(realm.pendingReset, "org") }
        return sortedPageOf(yield* repo.list(realm.id, retained, page), page, { name: ({ name }) => sortKey(name) })
      })

      const search = Effect.fn("Orgs.search")(function* (search: Search, { states }: Pick<OrgFilter, "states">) {
        const realm = yield* CurrentRealm
        const filter = { states, from: firstRetainedId(realm.pendingReset, "org") }
        return pageOf(yield* repo.search(realm.id, search, filter), search.maxResults)
      })

      /** Locks the users, so that none is deleted meanwhile. Returns their IDs, or fails if one is not a user of this realm. */
      const lockUsers = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
        const realm = yield* CurrentRealm
        const wellFormed = [...new Set(ids)].filter((id): id is UserId => isId("user", id))
        const found = yield* users.findManyLocked(realm.id, wellFormed)
        return found.length === new Set(ids).size ? wellFormed : yield* rejection("user_ids", "unknown")
      })

      const create = Effect.fn("Orgs.create")(function* (request: OrgCreation) {
        const { attributes, user } = request
        const problems = [...newOrgProblems(attributes), ...permissionProblems(request.permissions)]
        const draft = user === undefined ? undefined : yield* withKnownProblems(problems, newUsers.draft(user))
        const org = yield* withKnownProblems(problems, newOrgs.draft(attributes))
        const write = Effect.gen(function* () {
          const userIds = [...(yield* lockUsers(request.userIds))]
          const changes: Array<Change<Rejected>> = [newOrgs.change(org)]
          if (draft !== undefined) {
            changes.push(yield* newUsers.change(draft))
            userIds.push(draft.user.id)
          }
          const joined = yield* newMemberships.change({ userIds, orgs: [org], permissions: request.permissions })
          yield* journal.write([...changes, joined])
          return { org, memberships: yield* orgMemberships.withUsers(joined.memberships) }
        })
        // Without other users and tokens, everything is written in a single statement, which needs no transaction.
        const hasMore = request.userIds.length > 0 || (draft !== undefined && issuesTokens(draft))
        return yield* hasMore ? transaction.run(write) : write
      })

      const findLocked = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const org = isId("org", id) ? yield* repo.findForUpdate(realm.id, id) : undefined
        return org ?? (yield* new OrgNotFound({ id }))
      })

      const update = Effect.fn("Orgs.update")(function* (id: string, changes: OrgAttributes) {
        const problems = orgProblems(changes)
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* findLocked(id)
            yield* rejectIfAny(problems)
            if (before.state === "closed") return yield* rejection("state", "org_closed")
            const after: Org = { ...before, ...changes }
            if (Equal.equals(before, after)) return before
            yield* repo.update(after)
            // Closing is final, so other orgs must be able to prove the domains.
            const freed = after.state === "closed" ? yield* domains.deleteOfOrg(after.realmId, after.id) : []
            yield* journal.record([
              { eventType: "org.updated", orgId: after.id, changed: changedMembers(before, after) },
              ...freed.map((domain) => domainEvent("deleted", domain))
            ])
            return after
          })
        )
      })

      const remove = Effect.fn("Orgs.delete")(function* (id: string) {
        const realm = yield* CurrentRealm
        yield* transaction.run(
          Effect.gen(function* () {
            const org = yield* findLocked(id)
            const deleted = yield* memberships.deleteSomeOfOrg(realm.id, org.id, MAX_MEMBERS_IN_TRANSACTION)
            yield* invitations.deleteOfOrg(realm.id, org.id)
            const freed = yield* domains.deleteOfOrg(realm.id, org.id)
            yield* journal.record([
              { eventType: "org.deleted", orgId: org.id },
              ...freed.map((domain) => domainEvent("deleted", domain)),
              ...deleted.map((membership) => membershipEvent("membership.deleted", membership))
            ])
            if (yield* repo.delete(realm.id, org.id)) return
            const { ip: requestIp, client: requestClient } = yield* RequestOrigin
            const deletion = { realmId: realm.id, orgId: org.id, actor: yield* currentActor, requestIp, requestClient }
            yield* deletions.insert(deletion, yield* DateTime.now)
            yield* wakeUps.wake("DeleteOrgs")
          })
        )
      })

      return Orgs.of({
        get,
        getWithMemberships,
        list,
        search,
        create,
        update,
        close: (id) => update(id, { state: "closed" }),
        delete: remove
      })
    })
  )
}
