import { Context, Effect, Equal, Layer } from "effect"
import { isId, type UserId } from "#domain/Ids"
import type { LinkedMembership } from "#domain/Membership"
import { type Org, type OrgAttributes, OrgNotFound, type orgSorts } from "#domain/Org"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import type { HashingBusy } from "#domain/Password"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId } from "#domain/RealmReset"
import { Rejected, rejected } from "#domain/Rejected"
import { Transaction } from "#platform/Transaction"
import { MembershipsRepo } from "#store/MembershipsRepo"
import { type OrgFilter, OrgsRepo } from "#store/OrgsRepo"
import { UsersRepo } from "#store/UsersRepo"
import { Journal } from "../events/Journal.ts"
import { Memberships } from "../memberships/Memberships.ts"
import { membershipEvent, NewMemberships } from "../provisioning/NewMemberships.ts"
import { NewOrgs, orgProblems } from "../provisioning/NewOrgs.ts"
import { type NewUser, NewUsers } from "../provisioning/NewUsers.ts"

type OrgPage = PageOf<(typeof orgSorts)[number]>

/** What a caller asks for with a new org (`v2.org`): users to join it, one of them perhaps new. */
export interface OrgCreation {
  readonly attributes: OrgAttributes
  readonly userIds: ReadonlyArray<string>
  readonly user: NewUser | undefined
  readonly permissions: ReadonlyArray<string>
}

/** An org with the memberships that were built or asked for. */
export interface OrgWithMemberships {
  readonly org: Org
  readonly memberships: ReadonlyArray<LinkedMembership>
}

/** Accounts that users join (`v2.orgs`). */
export class Orgs extends Context.Service<
  Orgs,
  {
    get(id: string): Effect.Effect<Org, OrgNotFound, CurrentRealm>
    /** The org with its memberships and their users. */
    getWithMemberships(id: string): Effect.Effect<OrgWithMemberships, OrgNotFound, CurrentRealm>
    list(filter: OrgFilter, page: OrgPage): Effect.Effect<Page<Org>, OrgNotFound, CurrentRealm>
    /** `org.created`; `user.created` and what its verification adds; `membership.created` each. */
    create(asked: OrgCreation): Effect.Effect<OrgWithMemberships, RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /** `org.updated` when something differs. A closed org stays as it is. */
    update(id: string, changes: OrgAttributes): Effect.Effect<Org, OrgNotFound | RealmNotFound | Rejected, CurrentRealm>
    /** Closes for good: `org.updated`. */
    close(id: string): Effect.Effect<Org, OrgNotFound | RealmNotFound | Rejected, CurrentRealm>
    /** Removes the org: `org.deleted`, `membership.deleted` each. */
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
      const joining = yield* NewMemberships
      const memberships = yield* MembershipsRepo
      const linked = yield* Memberships
      const journal = yield* Journal
      const transaction = yield* Transaction

      const get = Effect.fn("Orgs.get")(function* (id: string) {
        const realm = yield* CurrentRealm
        const org = isId("org", id) ? yield* repo.find(realm.id, id) : undefined
        return org ?? (yield* new OrgNotFound({ id }))
      })

      const getWithMemberships = Effect.fn("Orgs.getWithMemberships")(function* (id: string) {
        const org = yield* get(id)
        return { org, memberships: yield* linked.ofOrg(org.id) }
      })

      const list = Effect.fn("Orgs.list")(function* (filter: OrgFilter, page: OrgPage) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, get)
        const kept = { ...filter, from: firstRetainedId(realm.pendingReset, "org") }
        return pageOf(yield* repo.list(realm.id, kept, page), page.maxResults)
      })

      /** The ids, all of users of this realm, who stay until the transaction ends. */
      const known = Effect.fnUntraced(function* (asked: ReadonlyArray<string>) {
        const realm = yield* CurrentRealm
        const wellFormed = [...new Set(asked)].filter((id): id is UserId => isId("user", id))
        const found = yield* users.findManyHeld(realm.id, wellFormed)
        return found.length === new Set(asked).size ? wellFormed : yield* rejected("user_ids", "unknown")
      })

      const create = Effect.fn("Orgs.create")(function* (asked: OrgCreation) {
        const org = yield* newOrgs.draft(asked.attributes)
        const draft = asked.user === undefined ? undefined : yield* newUsers.draft(asked.user)
        return yield* transaction.run(
          Effect.gen(function* () {
            const happenings = [...(yield* newOrgs.insert(org))]
            const userIds = [...(yield* known(asked.userIds))]
            if (draft !== undefined) {
              happenings.push(...(yield* newUsers.insert(draft)))
              userIds.push(draft.user.id)
            }
            const joined = yield* joining.join({ userIds, orgs: [org], permissions: asked.permissions })
            yield* journal.record([...happenings, ...joined.events])
            return { org, memberships: yield* linked.withUsers(joined.memberships) }
          })
        )
      })

      const held = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const org = isId("org", id) ? yield* repo.findForUpdate(realm.id, id) : undefined
        return org ?? (yield* new OrgNotFound({ id }))
      })

      const update = Effect.fn("Orgs.update")(function* (id: string, changes: OrgAttributes) {
        const problems = orgProblems(changes)
        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* held(id)
            if (problems.length > 0) return yield* new Rejected({ problems })
            if (before.state === "closed") return yield* rejected("state", "org_closed")
            const after: Org = { ...before, ...changes }
            if (Equal.equals(before, after)) return before
            yield* repo.update(after)
            yield* journal.record([{ eventType: "org.updated", orgId: after.id }])
            return after
          })
        )
      })

      const remove = Effect.fn("Orgs.delete")(function* (id: string) {
        const realm = yield* CurrentRealm
        yield* transaction.run(
          Effect.gen(function* () {
            const org = yield* held(id)
            const left = yield* memberships.deleteAllOf(realm.id, { orgId: org.id })
            yield* repo.delete(realm.id, org.id)
            yield* journal.record([
              { eventType: "org.deleted", orgId: org.id },
              ...left.map((membership) => membershipEvent("membership.deleted", membership))
            ])
          })
        )
      })

      return Orgs.of({
        get,
        getWithMemberships,
        list,
        create,
        update,
        close: (id) => update(id, { state: "closed" }),
        delete: remove
      })
    })
  )
}
