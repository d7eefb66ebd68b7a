import { Context, DateTime, Effect, Layer } from "effect"
import type { OrgId, UserId } from "#domain/Ids"
import type { MembershipSummary } from "#domain/Membership"
import type { Org } from "#domain/Org"
import { CurrentRealm } from "#domain/Realm"
import { firstRetainedId } from "#domain/RealmReset"
import { type User, usesUsernames } from "#domain/User"
import { MembershipSummariesRepo } from "#store/orgs/MembershipSummariesRepo"
import { type OrgFilter, OrgsRepo } from "#store/orgs/OrgsRepo"
import type { UserFilter } from "#store/users/UserPage"
import { UsersRepo } from "#store/users/UsersRepo"

/** Counts and summaries for lists of users and orgs, requested with `expand`. Each method runs one statement. */
export class ListSummaries extends Context.Service<
  ListSummaries,
  {
    /** Each user's number of memberships, and the orgs of the oldest ones. */
    membershipsOf(
      users: ReadonlyArray<User>
    ): Effect.Effect<ReadonlyMap<UserId, MembershipSummary>, never, CurrentRealm>
    /** Each org's number of memberships, counted up to a maximum. */
    memberCountsOf(orgs: ReadonlyArray<Org>): Effect.Effect<ReadonlyMap<OrgId, number>, never, CurrentRealm>
    /** The number of users in a list, counted up to a maximum. */
    countUsers(filter: UserFilter): Effect.Effect<number, never, CurrentRealm>
    /** The number of orgs in a list, counted up to a maximum. */
    countOrgs(filter: OrgFilter): Effect.Effect<number, never, CurrentRealm>
  }
>()("sallyport/core/ListSummaries") {
  static readonly layer = Layer.effect(
    ListSummaries,
    Effect.gen(function* () {
      const summaries = yield* MembershipSummariesRepo
      const users = yield* UsersRepo
      const orgs = yield* OrgsRepo
      return ListSummaries.of({
        membershipsOf: Effect.fn("ListSummaries.membershipsOf")(function* (listed) {
          const realm = yield* CurrentRealm
          const ids = listed.map(({ id }) => id)
          return yield* summaries.ofUsers(realm.id, ids, yield* DateTime.now)
        }),
        memberCountsOf: Effect.fn("ListSummaries.memberCountsOf")(function* (listed) {
          const realm = yield* CurrentRealm
          const ids = listed.map(({ id }) => id)
          return yield* summaries.ofOrgs(realm.id, ids, yield* DateTime.now)
        }),
        countUsers: Effect.fn("ListSummaries.countUsers")(function* (filter) {
          const realm = yield* CurrentRealm
          // Hidden usernames are not searched, as in the list.
          if (filter.username !== undefined && !usesUsernames(realm, "human")) return 0
          return yield* users.count(realm.id, { ...filter, from: firstRetainedId(realm.pendingReset, "user") })
        }),
        countOrgs: Effect.fn("ListSummaries.countOrgs")(function* (filter) {
          const realm = yield* CurrentRealm
          return yield* orgs.count(realm.id, { ...filter, from: firstRetainedId(realm.pendingReset, "org") })
        })
      })
    })
  )
}
