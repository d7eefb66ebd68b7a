import { Context, DateTime, Effect, Layer } from "effect"
import { isId } from "#domain/Ids"
import { type LinkedMembership, MAX_EXPANDED } from "#domain/Membership"
import type { Page } from "#domain/Page"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { type Rejected, rejection } from "#domain/Rejected"
import { formerOwnerPermissions, isOwner, managesTeam, mayGrant, mayManage, newOwnerPermissions } from "#domain/Role"
import { canBecomeOwner, hasTeams, type Team, TeamRefused } from "#domain/Team"
import { isStorable, nonBlank, sortKey } from "#domain/Text"
import type { User } from "#domain/User"
import { Transaction } from "#platform/Transaction"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { Memberships } from "../orgs/Memberships.ts"

/** The number of members or invitations on a page of a team. */
export const TEAM_PAGE = 50

/** A member of a team, as identified in a form. */
export interface TeamMember {
  readonly orgId: string
  readonly memberId: string
}

/** A change of a member's role. `seen` are the permissions that the form showed. */
export interface RoleChange extends TeamMember {
  readonly role: string
  readonly seen: ReadonlyArray<string>
}

type Failures = TeamRefused | RealmNotFound

/**
 * Lets the members of an org manage its team, on the hosted pages (C210 to C213). Changes within an org run one at a time.
 * Each uses the permissions that its user has at that moment (SEC-210).
 */
export class Teams extends Context.Service<
  Teams,
  {
    /** The user's teams, in the order in which the user joined. Empty if the realm has no roles. */
    ofUser(user: User): Effect.Effect<ReadonlyArray<Team>, never, CurrentRealm>
    /**
     * A page of the members, with their users. `search` is part of a name or an email. It is ignored unless the user manages
     * the team.
     */
    members(
      team: Team,
      query: { readonly after: string; readonly search: string }
    ): Effect.Effect<Page<LinkedMembership>, never, CurrentRealm>
    /** Returns the member with this ID, or undefined if the team has no such member. */
    member(team: Team, id: string): Effect.Effect<LinkedMembership | undefined, never, CurrentRealm>
    /** Returns whether the user may leave. The last owner may not. */
    mayLeave(team: Team): Effect.Effect<boolean, never, CurrentRealm>
    /** Gives a member another role. Records `membership.updated` if the permissions change. */
    changeRole(user: User, change: RoleChange): Effect.Effect<void, Failures | Rejected, CurrentRealm>
    /** Removes another member. Records `membership.deleted`. */
    remove(user: User, member: TeamMember): Effect.Effect<void, Failures, CurrentRealm>
    /** Removes the user from the org. The last owner can't leave. Records `membership.deleted`. */
    leave(user: User, orgId: string): Effect.Effect<void, Failures, CurrentRealm>
    /** Transfers the user's ownership to another member. Records `membership.updated` for both. */
    handOver(user: User, member: TeamMember): Effect.Effect<void, Failures | Rejected, CurrentRealm>
  }
>()("sallyport/core/Teams") {
  static readonly layer = Layer.effect(
    Teams,
    Effect.gen(function* () {
      const memberships = yield* Memberships
      const repo = yield* MembershipsRepo
      const orgs = yield* OrgsRepo
      const transaction = yield* Transaction

      const ofUser = Effect.fn("Teams.ofUser")(function* (user: User) {
        const realm = yield* CurrentRealm
        if (!hasTeams(realm)) return []
        const found = yield* repo.ofUser(realm.id, user.id, yield* DateTime.now, { atMost: MAX_EXPANDED })
        return found.flatMap((own): ReadonlyArray<Team> => (own.org === null ? [] : [{ org: own.org, own }]))
      })

      const members = Effect.fn("Teams.members")(function* (
        { org, own }: Team,
        { after, search }: { readonly after: string; readonly search: string }
      ) {
        const searchText = managesTeam(own) ? (nonBlank(search) ?? undefined) : undefined
        // Names never contain text that can't be stored, so there are no results (SEC-77).
        if (searchText !== undefined && !isStorable(searchText)) return { items: [], more: false }
        const filter = {
          userId: undefined,
          orgId: org.id,
          ...(searchText === undefined ? {} : { search: sortKey(searchText) })
        }
        const page = { maxResults: TEAM_PAGE, sort: "id", direction: "asc" } as const
        const position = isId("membership", after) ? { id: after } : undefined
        return yield* Effect.orDie(memberships.list(filter, { ...page, after: position }))
      })

      const member = Effect.fn("Teams.member")(function* ({ org }: Team, id: string) {
        const found = yield* Effect.option(memberships.get(id))
        return found._tag === "Some" && found.value.orgId === org.id ? found.value : undefined
      })

      const mayLeave = Effect.fn("Teams.mayLeave")(function* ({ org, own }: Team) {
        return !isOwner(own) || (yield* repo.hasOtherOwner(org.realmId, org.id, own.id))
      })

      /** Runs `work` with a lock on the user's team, so that concurrent changes wait. */
      const inTeam = <A, E>(
        user: User,
        orgId: string,
        work: (team: Team) => Effect.Effect<A, E, CurrentRealm>
      ): Effect.Effect<A, E | TeamRefused, CurrentRealm> =>
        transaction.run(
          Effect.gen(function* () {
            const realm = yield* CurrentRealm
            const org = hasTeams(realm) && isId("org", orgId) ? yield* orgs.findForUpdate(realm.id, orgId) : undefined
            if (org?.state !== "active") return yield* new TeamRefused({ why: "no_team" })
            const own = yield* repo.findPairForUpdate(realm.id, user.id, org.id, yield* DateTime.now)
            if (own === undefined) return yield* new TeamRefused({ why: "no_team" })
            return yield* work({ org, own: { ...own, org, user } })
          })
        )

      /** Runs `work` on another member of the user's team. */
      const onMember = <A, E>(
        user: User,
        { orgId, memberId }: TeamMember,
        work: (team: Team, member: LinkedMembership) => Effect.Effect<A, E, CurrentRealm>
      ) =>
        inTeam(user, orgId, (team) =>
          Effect.gen(function* () {
            const found = yield* member(team, memberId)
            if (!managesTeam(team.own)) return yield* new TeamRefused({ why: "not_allowed" })
            if (found === undefined) return yield* new TeamRefused({ why: "member_gone" })
            if (!mayManage(team.own, found)) return yield* new TeamRefused({ why: "not_allowed" })
            return yield* work(team, found)
          })
        )

      const setPermissions = (id: string, permissions: ReadonlyArray<string>) =>
        memberships.update(id, { permissions }).pipe(
          Effect.catchTag("MembershipNotFound", () => Effect.fail(new TeamRefused({ why: "member_gone" }))),
          Effect.asVoid
        )

      const deleteMembership = (id: string) =>
        Effect.catchTag(memberships.delete(id), "MembershipNotFound", () =>
          Effect.fail(new TeamRefused({ why: "member_gone" }))
        )

      const changeRole = Effect.fn("Teams.changeRole")(function* (user: User, change: RoleChange) {
        const { roles } = yield* CurrentRealm
        yield* onMember(user, change, ({ own }, found) =>
          Effect.gen(function* () {
            if (change.role === "") return yield* rejection("role", "blank")
            const role = roles.find(({ name }) => name === change.role)
            if (role === undefined || !mayGrant(own, role)) return yield* new TeamRefused({ why: "not_granted" })
            if (found.permissions.join(" ") !== change.seen.join(" ")) return yield* new TeamRefused({ why: "changed" })
            yield* setPermissions(found.id, role.permissions)
          })
        )
      })

      const remove = Effect.fn("Teams.remove")(function* (user: User, target: TeamMember) {
        yield* onMember(user, target, (_, found) => deleteMembership(found.id))
      })

      const leave = Effect.fn("Teams.leave")(function* (user: User, orgId: string) {
        yield* inTeam(user, orgId, (team) =>
          Effect.gen(function* () {
            if (!(yield* mayLeave(team))) return yield* new TeamRefused({ why: "last_owner" })
            yield* deleteMembership(team.own.id)
          })
        )
      })

      const handOver = Effect.fn("Teams.handOver")(function* (user: User, target: TeamMember) {
        const { roles } = yield* CurrentRealm
        yield* onMember(user, target, ({ own }, found) =>
          Effect.gen(function* () {
            if (!isOwner(own) || !canBecomeOwner(found)) return yield* new TeamRefused({ why: "not_allowed" })
            yield* setPermissions(found.id, newOwnerPermissions(found))
            yield* setPermissions(own.id, formerOwnerPermissions(roles, own))
          })
        )
      })

      return Teams.of({ ofUser, members, member, mayLeave, changeRole, remove, leave, handOver })
    })
  )
}
