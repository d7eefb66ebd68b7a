import { Context, DateTime, Effect, Layer } from "effect"
import type { OrgId, UserId } from "#domain/Ids"
import { isId } from "#domain/Ids"
import type { LinkedMembership, Membership } from "#domain/Membership"
import type { Org } from "#domain/Org"
import { permissionsProblem } from "#domain/Permission"
import { CurrentRealm } from "#domain/Realm"
import { type Rejected, rejected } from "#domain/Rejected"
import { IdGenerator } from "#platform/IdGenerator"
import { MembershipsRepo } from "#store/MembershipsRepo"
import { OrgsRepo } from "#store/OrgsRepo"
import type { NewEvent } from "../events/Journal.ts"

/** Which users join which orgs (every user every org), and with what. No org: the users' own memberships (v1). */
export interface Join {
  readonly userIds: ReadonlyArray<UserId>
  readonly orgs: ReadonlyArray<Org>
  readonly permissions: ReadonlyArray<string>
  readonly custom?: Membership["custom"]
  readonly expiresAt?: DateTime.Utc | null
}

/** What came of it, and the events to record. */
export interface Joined {
  readonly memberships: ReadonlyArray<LinkedMembership>
  readonly happenings: ReadonlyArray<NewEvent>
}

export const membershipHappening = (
  eventType: "membership.created" | "membership.updated" | "membership.deleted",
  membership: Membership
): NewEvent => ({
  eventType,
  membershipId: membership.id,
  userId: membership.userId,
  ...(membership.orgId === null ? {} : { orgId: membership.orgId })
})

/** How users come to belong to orgs, for every operation that makes them. */
export class NewMemberships extends Context.Service<
  NewMemberships,
  {
    /** The orgs of these ids, open to be joined; `field` names them in the refusal. To be called inside the transaction. */
    joinable(field: string, ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Org>, Rejected, CurrentRealm>
    /** Builds the memberships; one that has expired makes way, with its event. To be called inside the transaction. */
    join(asked: Join): Effect.Effect<Joined, Rejected, CurrentRealm>
  }
>()("sallyport/core/NewMemberships") {
  static readonly layer = Layer.effect(
    NewMemberships,
    Effect.gen(function* () {
      const ids = yield* IdGenerator
      const orgs = yield* OrgsRepo
      const repo = yield* MembershipsRepo

      const joinable = Effect.fnUntraced(function* (field: string, asked: ReadonlyArray<string>) {
        const realm = yield* CurrentRealm
        const wellFormed = [...new Set(asked)].filter((id): id is OrgId => isId("org", id))
        const found = yield* orgs.findManyHeld(realm.id, wellFormed)
        const byId = new Map(found.map((org) => [org.id as string, org]))
        const inOrder: Array<Org> = []
        for (const id of new Set(asked)) {
          const org = byId.get(id)
          if (org === undefined) return yield* rejected(field, "unknown")
          if (org.state === "closed") return yield* rejected(field, "closed")
          inOrder.push(org)
        }
        return inOrder
      })

      const join = Effect.fnUntraced(function* (asked: Join) {
        const realm = yield* CurrentRealm
        const wrong = permissionsProblem(asked.permissions)
        if (wrong !== undefined) return yield* rejected("permissions", wrong)
        // An org made in the same call has not been through `joinable`.
        const joins = asked.userIds.length > 0
        if (joins && asked.orgs.some(({ state }) => state === "closed")) return yield* rejected("org", "closed")

        const now = yield* DateTime.now
        const orgIds = asked.orgs.map(({ id }) => id)
        const expired = yield* repo.deleteExpired(realm.id, asked.userIds, orgIds, now)
        const memberships: Array<LinkedMembership> = []
        for (const userId of asked.userIds) {
          for (const org of asked.orgs.length === 0 ? [null] : asked.orgs) {
            memberships.push({
              id: yield* ids.make("membership"),
              realmId: realm.id,
              userId,
              orgId: org?.id ?? null,
              permissions: asked.permissions,
              custom: asked.custom ?? {},
              createdAt: now,
              expiresAt: asked.expiresAt ?? null,
              org,
              user: null
            })
          }
        }
        if (!(yield* repo.insert(memberships))) {
          return yield* asked.orgs.length === 0
            ? rejected("user_id", "already_member_alone")
            : rejected("user_id", "already_member")
        }
        return {
          memberships,
          happenings: [
            ...expired.map((membership) => membershipHappening("membership.deleted", membership)),
            ...memberships.map((membership) => membershipHappening("membership.created", membership))
          ]
        }
      })

      return NewMemberships.of({ joinable, join })
    })
  )
}
