import { Context, DateTime, Effect, Layer } from "effect"
import type { OrgId, UserId } from "#domain/Ids"
import { isId } from "#domain/Ids"
import type { LinkedMembership, Membership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import { permissionProblems } from "#domain/Permission"
import { CurrentRealm } from "#domain/Realm"
import { Rejected, rejection } from "#domain/Rejected"
import { IdGenerator } from "#platform/IdGenerator"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { mapConflict } from "#store/statements/Writes"
import type { Change } from "../events/Journal.ts"
import type { NewEvent } from "../events/NewEvent.ts"

/** A request to make each user a member of each org. If it has no orgs, the memberships are without an org (v1). */
export interface MembershipRequest {
  readonly userIds: ReadonlyArray<UserId>
  readonly orgs: ReadonlyArray<Org>
  readonly permissions: ReadonlyArray<string>
  readonly custom?: Membership["custom"]
  readonly expiresAt?: DateTime.Utc | null
}

/** The change that creates memberships. */
export interface MembershipChange extends Change<Rejected> {
  readonly memberships: ReadonlyArray<LinkedMembership>
}

/** The new memberships, and the events to record. */
export interface CreatedMemberships {
  readonly memberships: ReadonlyArray<LinkedMembership>
  readonly events: ReadonlyArray<NewEvent>
}

const relatedTo = ({ id, userId, orgId }: Membership) => ({
  membershipId: id,
  userId,
  ...(orgId === null ? {} : { orgId })
})

export const membershipEvent = (
  eventType: "membership.created" | "membership.deleted",
  membership: Membership
): NewEvent => ({ eventType, ...relatedTo(membership) })

export const membershipUpdate = (membership: Membership, changed: ReadonlyArray<string>): NewEvent => ({
  eventType: "membership.updated",
  ...relatedTo(membership),
  changed
})

/** Creates memberships. Used by all operations that create them. */
export class NewMemberships extends Context.Service<
  NewMemberships,
  {
    /**
     * Finds and locks the orgs with these IDs. Rejects unknown and closed orgs. `field` is the field named in the rejection.
     * Call it inside the transaction.
     */
    findJoinable(field: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Org>, Rejected, CurrentRealm>
    /** Returns the change that creates memberships. Only for new users or new orgs. */
    change(request: MembershipRequest): Effect.Effect<MembershipChange, Rejected, CurrentRealm>
    /** Inserts memberships, and replaces expired ones. Call it inside the transaction. */
    join(request: MembershipRequest): Effect.Effect<CreatedMemberships, Rejected, CurrentRealm>
  }
>()("sallyport/core/NewMemberships") {
  static readonly layer = Layer.effect(
    NewMemberships,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const orgs = yield* OrgsRepo
      const repo = yield* MembershipsRepo

      const findAll = Effect.fnUntraced(function* (field: string, orgIds: ReadonlyArray<string>) {
        const realm = yield* CurrentRealm
        const wellFormed = [...new Set(orgIds)].filter((id): id is OrgId => isId("org", id))
        const found = yield* orgs.findManyLocked(realm.id, wellFormed)
        const byId = new Map(found.map((org) => [org.id as string, org]))
        const inOrder: Array<Org> = []
        for (const id of new Set(orgIds)) {
          const org = byId.get(id)
          if (org === undefined) return yield* rejection(field, "unknown")
          if (org.state === "closed") return yield* rejection(field, "closed")
          inOrder.push(org)
        }
        return inOrder
      })

      const findJoinable = (field: string, orgIds: ReadonlyArray<string>) =>
        orgIds.length === 0 ? Effect.succeed([]) : findAll(field, orgIds)

      const alreadyMember = ({ orgs }: MembershipRequest) =>
        rejection("user_id", orgs.length === 0 ? "already_member_alone" : "already_member")

      const draft = Effect.fnUntraced(function* (request: MembershipRequest) {
        const realm = yield* CurrentRealm
        const problems = permissionProblems(request.permissions)
        if (problems.length > 0) return yield* new Rejected({ problems })
        // An org created in the same request was not checked by `findJoinable`.
        const hasUsers = request.userIds.length > 0
        if (hasUsers && request.orgs.some(({ state }) => state === "closed")) return yield* rejection("org", "closed")

        const createdAt = yield* DateTime.now
        const memberships: Array<LinkedMembership> = []
        for (const userId of request.userIds) {
          for (const org of request.orgs.length === 0 ? [null] : request.orgs) {
            memberships.push({
              id: yield* ids.make("membership"),
              realmId: realm.id,
              userId,
              orgId: org?.id ?? null,
              permissions: request.permissions,
              custom: request.custom ?? {},
              createdAt,
              expiresAt: request.expiresAt ?? null,
              org,
              user: null
            })
          }
        }
        return {
          memberships,
          events: memberships.map((membership) => membershipEvent("membership.created", membership))
        }
      })

      const change = (request: MembershipRequest) =>
        Effect.map(draft(request), (drafted) => ({
          ...drafted,
          writes:
            drafted.memberships.length === 0
              ? []
              : [mapConflict(repo.insertion(drafted.memberships), () => alreadyMember(request))]
        }))

      const join = Effect.fnUntraced(function* (request: MembershipRequest) {
        const realm = yield* CurrentRealm
        const { memberships, events } = yield* draft(request)
        const orgIds = request.orgs.map(({ id }) => id)
        const expired = yield* repo.deleteExpired(realm.id, request.userIds, orgIds, yield* DateTime.now)
        if (!(yield* repo.insert(realm.id, memberships))) return yield* alreadyMember(request)
        return {
          memberships,
          events: [...expired.map((membership) => membershipEvent("membership.deleted", membership)), ...events]
        }
      })

      return NewMemberships.of({ findJoinable, change, join })
    })
  )
}
