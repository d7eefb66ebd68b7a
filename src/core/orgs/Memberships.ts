import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { customProblems } from "#domain/Custom"
import { changedMembers } from "#domain/EventChanges"
import { isId, type OrgId } from "#domain/Ids"
import { rejectIfAny } from "#domain/KnownProblems"
import { type LinkedMembership, MAX_EXPANDED, type MembershipAttributes, MembershipNotFound } from "#domain/Membership"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import { permissionProblems } from "#domain/Permission"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId } from "#domain/RealmReset"
import type { Rejected } from "#domain/Rejected"
import { type Problem, problem, rejection } from "#domain/Rejected"
import { visibleUser } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { type MembershipFilter, MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { membershipEvent, membershipUpdate, NewMemberships } from "../provisioning/NewMemberships.ts"

/** A request for a new membership. `orgId` is null for a membership without an org (v1). */
export interface MembershipCreation extends MembershipAttributes {
  readonly userId: string
  readonly orgId: string | null
}

const attributeProblems = Effect.fnUntraced(function* (attributes: MembershipAttributes) {
  const problems: Array<Problem> = []
  problems.push(...permissionProblems(attributes.permissions ?? []))
  problems.push(...customProblems(attributes.custom))
  const { expiresAt } = attributes
  if (expiresAt && DateTime.isLessThanOrEqualTo(expiresAt, yield* DateTime.now)) {
    problems.push(problem("expires_at", "in_past"))
  }
  return problems
})

/** Manages the memberships of users in orgs (`v2.memberships`). */
export class Memberships extends Context.Service<
  Memberships,
  {
    /** Returns the membership with its org and its user. */
    get(id: string): Effect.Effect<LinkedMembership, MembershipNotFound, CurrentRealm>
    /**
     * Returns a page of memberships. If the filter only has an org, they include their users. If it only has a user, they
     * include their orgs. If it has both, they include neither.
     */
    list(
      filter: MembershipFilter,
      page: PageOf<"id">
    ): Effect.Effect<Page<LinkedMembership>, MembershipNotFound | Rejected, CurrentRealm>
    /** The oldest memberships of an org with their users, at most `MAX_EXPANDED`. */
    ofOrg(orgId: OrgId): Effect.Effect<ReadonlyArray<LinkedMembership>, never, CurrentRealm>
    /** Adds the users to memberships, in a single query. */
    withUsers(
      memberships: ReadonlyArray<LinkedMembership>
    ): Effect.Effect<ReadonlyArray<LinkedMembership>, never, CurrentRealm>
    /** Records `membership.created`. */
    create(request: MembershipCreation): Effect.Effect<LinkedMembership, RealmNotFound | Rejected, CurrentRealm>
    /** Records `membership.updated` if anything changed. */
    update(
      id: string,
      changes: MembershipAttributes
    ): Effect.Effect<LinkedMembership, MembershipNotFound | RealmNotFound | Rejected, CurrentRealm>
    /** Records `membership.deleted`. */
    delete(id: string): Effect.Effect<void, MembershipNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Memberships") {
  static readonly layer = Layer.effect(
    Memberships,
    Effect.gen(function* () {
      const repo = yield* MembershipsRepo
      const users = yield* UsersRepo
      const newMemberships = yield* NewMemberships
      const journal = yield* Journal
      const transaction = yield* Transaction

      const withUsers = Effect.fnUntraced(function* (memberships: ReadonlyArray<LinkedMembership>) {
        const realm = yield* CurrentRealm
        const found = yield* users.findMany(realm.id, [...new Set(memberships.map(({ userId }) => userId))])
        const byId = new Map(found.map((user) => [user.id, visibleUser(realm, user)]))
        return memberships.map((membership) => ({ ...membership, user: byId.get(membership.userId) ?? null }))
      })

      const find = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const found = isId("membership", id) ? yield* repo.find(realm.id, id, yield* DateTime.now) : undefined
        return found ?? (yield* new MembershipNotFound({ id }))
      })

      const get = Effect.fn("Memberships.get")(function* (id: string) {
        const [membership] = yield* withUsers([yield* find(id)])
        return membership ?? (yield* new MembershipNotFound({ id }))
      })

      const list = Effect.fn("Memberships.list")(function* (filter: MembershipFilter, page: PageOf<"id">) {
        const realm = yield* CurrentRealm
        if (filter.userId === undefined && filter.orgId === undefined) return yield* rejection(null, "filter_needed")
        yield* checkAfter(page, "membership", find)
        const retained = { ...filter, from: firstRetainedId(realm.pendingReset, "membership") }
        const rows = yield* repo.list(realm.id, retained, yield* DateTime.now, page)
        const { items, more } = pageOf(rows, page.maxResults)
        if (filter.userId !== undefined && filter.orgId === undefined) return { items, more }
        const bare = items.map((membership) => ({ ...membership, org: null }))
        return { items: filter.userId === undefined ? yield* withUsers(bare) : bare, more }
      })

      const ofOrg = Effect.fn("Memberships.ofOrg")(function* (orgId: OrgId) {
        const realm = yield* CurrentRealm
        const page = { after: undefined, maxResults: MAX_EXPANDED, sort: "id", direction: "asc" } as const
        const rows = yield* repo.list(realm.id, { userId: undefined, orgId }, yield* DateTime.now, page)
        return yield* withUsers(pageOf(rows, page.maxResults).items)
      })

      const create = Effect.fn("Memberships.create")(function* (request: MembershipCreation) {
        const realm = yield* CurrentRealm
        const problems = yield* attributeProblems(request)
        yield* rejectIfAny(problems)
        return yield* transaction.run(
          Effect.gen(function* () {
            const [user] = isId("user", request.userId) ? yield* users.findManyLocked(realm.id, [request.userId]) : []
            if (user === undefined) return yield* rejection("user_id", "unknown")
            const orgs = yield* newMemberships.findJoinable("org_id", request.orgId === null ? [] : [request.orgId])
            const created = yield* newMemberships.join({
              ...request,
              userIds: [user.id],
              orgs,
              permissions: request.permissions ?? []
            })
            yield* journal.record(created.events)
            const [membership] = created.memberships
            if (membership === undefined)
              return yield* Effect.die(new Error("Joining a user to an org created no membership."))
            return { ...membership, user: visibleUser(realm, user) }
          })
        )
      })

      const update = Effect.fn("Memberships.update")(function* (id: string, changes: MembershipAttributes) {
        const realm = yield* CurrentRealm
        const problems = yield* attributeProblems(changes)
        return yield* transaction.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const before = isId("membership", id) ? yield* repo.findForUpdate(realm.id, id, now) : undefined
            if (before === undefined) return yield* new MembershipNotFound({ id })
            yield* rejectIfAny(problems)
            const after = { ...before, ...changes }
            if (!Equal.equals(before, after)) {
              yield* repo.update(after)
              yield* journal.record([membershipUpdate(after, changedMembers(before, after))])
            }
            return yield* get(id)
          })
        )
      })

      const remove = Effect.fn("Memberships.delete")(function* (id: string) {
        const realm = yield* CurrentRealm
        yield* transaction.run(
          Effect.gen(function* () {
            const now = yield* DateTime.now
            const found = isId("membership", id) ? yield* repo.findForUpdate(realm.id, id, now) : undefined
            if (found === undefined) return yield* new MembershipNotFound({ id })
            yield* repo.delete(realm.id, found.id)
            yield* journal.record([membershipEvent("membership.deleted", found)])
          })
        )
      })

      return Memberships.of({ get, list, ofOrg, withUsers, create, update, delete: remove })
    })
  )
}
