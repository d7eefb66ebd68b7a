import { Context, DateTime, Effect, Layer } from "effect"
import { canonicalEmail } from "#domain/Email"
import { isId, type UserId } from "#domain/Ids"
import type { LinkedMembership } from "#domain/Membership"
import type { OrgAttributes } from "#domain/Org"
import { type Page, type PageOf, pageOf } from "#domain/Page"
import type { HashingBusy } from "#domain/Password"
import { permissionsProblem } from "#domain/Permission"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { Rejected, rejected } from "#domain/Rejected"
import { type User, UserNotFound, type userSorts } from "#domain/User"
import { decideUserChange } from "#domain/UserChange"
import { acceptUser, type UserInput } from "#domain/UserInput"
import { type Happening, Journal } from "../events/Journal.ts"
import { Joining, membershipHappening } from "../memberships/Joining.ts"
import { MembershipsRepo } from "../memberships/MembershipsRepo.ts"
import { NewOrgs } from "../orgs/NewOrgs.ts"
import { SessionsRepo } from "../sessions/SessionsRepo.ts"
import { Transaction } from "../Transaction.ts"
import { CredentialsRepo } from "./CredentialsRepo.ts"
import { type NewUser, NewUsers } from "./NewUsers.ts"
import { type UserDetails, type UserFilter, UsersRepo } from "./UsersRepo.ts"

type UserPage = PageOf<(typeof userSorts)[number]>

/** What a caller asks for with a new user (api-v2 section 2): orgs to join, one of them perhaps new. */
export interface UserCreation extends NewUser {
  readonly orgIds: ReadonlyArray<string>
  readonly org: OrgAttributes | undefined
  readonly permissions: ReadonlyArray<string>
  /** Whether permissions without any org make a membership that is the user's own (v1). */
  readonly ownMembership: boolean
}

/** A user with the memberships that were built or asked for. */
export interface UserWithMemberships extends UserDetails {
  readonly memberships: ReadonlyArray<LinkedMembership>
}

/** Login identities (api-v2 section 4, "Users"). A user is named by id or e-mail. */
export class Users extends Context.Service<
  Users,
  {
    /** The id of the user that an id or e-mail names. */
    resolve(idOrEmail: string): Effect.Effect<UserId, UserNotFound, CurrentRealm>
    get(idOrEmail: string): Effect.Effect<UserDetails, UserNotFound, CurrentRealm>
    getWithMemberships(idOrEmail: string): Effect.Effect<UserWithMemberships, UserNotFound, CurrentRealm>
    list(filter: UserFilter, page: UserPage): Effect.Effect<Page<User>, UserNotFound, CurrentRealm>
    /** `user.created` and what its verification adds; `org.created`; `membership.created` each. */
    create(
      asked: UserCreation
    ): Effect.Effect<UserWithMemberships, RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /** `user.updated` and what its e-mail adds; `session.deleted` each where sessions end. */
    update(
      idOrEmail: string,
      changes: UserInput,
      password: string | undefined
    ): Effect.Effect<UserDetails, UserNotFound | RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /** `user.deleted`; `membership.deleted` and `session.deleted` each. */
    delete(idOrEmail: string): Effect.Effect<void, UserNotFound | RealmNotFound, CurrentRealm>
  }
>()("sallyport/core/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.gen(function* () {
      const repo = yield* UsersRepo
      const newUsers = yield* NewUsers
      const newOrgs = yield* NewOrgs
      const joining = yield* Joining
      const memberships = yield* MembershipsRepo
      const sessions = yield* SessionsRepo
      const credentials = yield* CredentialsRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      const resolve = Effect.fnUntraced(function* (idOrEmail: string) {
        const realm = yield* CurrentRealm
        if (isId("user", idOrEmail)) return idOrEmail
        const email = canonicalEmail(idOrEmail)
        const id = email === undefined ? undefined : yield* repo.idByEmail(realm.id, email)
        return id ?? (yield* new UserNotFound({ id: idOrEmail }))
      })

      const get = Effect.fnUntraced(function* (idOrEmail: string) {
        const realm = yield* CurrentRealm
        const details = yield* repo.findDetails(realm.id, yield* resolve(idOrEmail), yield* DateTime.now)
        return details ?? (yield* new UserNotFound({ id: idOrEmail }))
      })

      const getWithMemberships = Effect.fnUntraced(function* (idOrEmail: string) {
        const details = yield* get(idOrEmail)
        const { id, realmId } = details.user
        return { ...details, memberships: yield* memberships.ofUser(realmId, id, yield* DateTime.now) }
      })

      const list = Effect.fnUntraced(function* (filter: UserFilter, page: UserPage) {
        const realm = yield* CurrentRealm
        const { after } = page
        if (after !== undefined) {
          const found = isId("user", after) ? yield* repo.find(realm.id, after) : undefined
          if (found === undefined) return yield* new UserNotFound({ id: after })
        }
        return pageOf(yield* repo.list(realm.id, filter, page), page.maxResults)
      })

      const create = Effect.fnUntraced(function* (asked: UserCreation) {
        const wrong = permissionsProblem(asked.permissions)
        if (wrong !== undefined) return yield* rejected("permissions", wrong)
        const orgDraft = asked.org === undefined ? undefined : yield* newOrgs.draft(asked.org)
        const draft = yield* newUsers.draft(asked)
        return yield* transaction.run(
          Effect.gen(function* () {
            const happenings: Array<Happening> = [...(yield* newUsers.insert(draft))]
            const orgs = [...(yield* joining.joinable("org_ids", asked.orgIds))]
            if (orgDraft !== undefined) {
              happenings.push(...(yield* newOrgs.insert(orgDraft)))
              orgs.push(orgDraft)
            }
            const joins = orgs.length > 0 || (asked.ownMembership && asked.permissions.length > 0)
            const joined = joins
              ? yield* joining.join({ userIds: [draft.user.id], orgs, permissions: asked.permissions })
              : { memberships: [], happenings: [] }
            yield* journal.record([...happenings, ...joined.happenings])
            const details = yield* get(draft.user.id).pipe(Effect.orDie)
            return { ...details, memberships: joined.memberships }
          })
        )
      })

      const update = Effect.fn("Users.update")(function* (
        idOrEmail: string,
        changes: UserInput,
        password: string | undefined
      ) {
        const realm = yield* CurrentRealm
        const id = yield* resolve(idOrEmail)
        if ((yield* repo.find(realm.id, id)) === undefined) return yield* new UserNotFound({ id: idOrEmail })
        const { attributes, problems } = acceptUser(changes)
        if (problems.length > 0) return yield* new Rejected({ problems })
        const passwordHash = password === undefined ? undefined : yield* newUsers.hash(password)

        return yield* transaction.run(
          Effect.gen(function* () {
            const before = yield* repo.findForUpdate(realm.id, id)
            if (before === undefined) return yield* new UserNotFound({ id: idOrEmail })
            const change = decideUserChange(before, attributes, passwordHash !== undefined)
            const taken = change.events.length === 0 ? undefined : yield* repo.update(change.after)
            if (taken !== undefined) return yield* rejected(taken, "taken")
            if (passwordHash !== undefined) yield* newUsers.putPassword(change.after, passwordHash)
            const ended = change.endsSessions ? yield* sessions.deleteOfUser(realm.id, id, yield* DateTime.now) : []
            yield* journal.record([
              ...change.events.map((eventType) => ({ eventType, userId: id })),
              ...ended.map((sessionId) => ({ eventType: "session.deleted" as const, userId: id, sessionId }))
            ])
            return yield* get(id)
          })
        )
      })

      const remove = Effect.fn("Users.delete")(function* (idOrEmail: string) {
        const realm = yield* CurrentRealm
        const id = yield* resolve(idOrEmail)
        yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* repo.findForUpdate(realm.id, id)
            if (user === undefined) return yield* new UserNotFound({ id: idOrEmail })
            const left = yield* memberships.deleteAllOf(realm.id, { userId: id })
            const ended = yield* sessions.deleteOfUser(realm.id, id, yield* DateTime.now)
            yield* credentials.deleteOfUser(realm.id, id)
            yield* repo.delete(realm.id, id)
            yield* journal.record([
              { eventType: "user.deleted", userId: id },
              ...left.map((membership) => membershipHappening("membership.deleted", membership)),
              ...ended.map((sessionId) => ({ eventType: "session.deleted" as const, userId: id, sessionId }))
            ])
          })
        )
      })

      return Users.of({ resolve, get, getWithMemberships, list, create, update, delete: remove })
    })
  )
}
