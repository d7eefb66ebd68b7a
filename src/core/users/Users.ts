import { Context, DateTime, Effect, Layer } from "effect"
import { canonicalEmail } from "#domain/Email"
import { isId, type UserId } from "#domain/Ids"
import type { LinkedMembership } from "#domain/Membership"
import type { OrgAttributes } from "#domain/Org"
import { checkAfter, type Page, type PageOf, pageOf } from "#domain/Page"
import type { HashingBusy } from "#domain/Password"
import { permissionsProblem } from "#domain/Permission"
import { CurrentRealm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId, isBeingReset } from "#domain/RealmReset"
import { type Rejected, rejected } from "#domain/Rejected"
import type { SignupToken } from "#domain/SignupToken"
import { canonical, isStorable, isWithin, TEXT_LENGTH } from "#domain/Text"
import { type User, UserNotFound, type userSorts, usesUsernames, visibleUser } from "#domain/User"
import type { UserDetails } from "#domain/UserDetails"
import { Transaction } from "#platform/Transaction"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { MembershipsRepo } from "#store/MembershipsRepo"
import { SessionsRepo } from "#store/SessionsRepo"
import { type UserFilter, UsersRepo } from "#store/UsersRepo"
import { Journal, type NewEvent } from "../events/Journal.ts"
import { membershipEvent, NewMemberships } from "../provisioning/NewMemberships.ts"
import { NewOrgs } from "../provisioning/NewOrgs.ts"
import { type NewUser, NewUsers, type UserDraft } from "../provisioning/NewUsers.ts"
import { SignupTokens } from "../signup/SignupTokens.ts"

type UserPage = PageOf<(typeof userSorts)[number]>

/** What a caller asks for with a new user (`v2.user`): orgs to join, one of them perhaps new. */
export interface UserCreation extends NewUser {
  readonly orgIds: ReadonlyArray<string>
  readonly org: OrgAttributes | undefined
  readonly permissions: ReadonlyArray<string>
  /** Whether permissions without any org make a membership that is the user's own (v1). */
  readonly ownMembership: boolean
  /** A signup token, whose data goes before what is given beside it (v1). */
  readonly signupToken: string | undefined
}

/** A user with the memberships that were built or asked for. */
export interface UserWithMemberships extends UserDetails {
  readonly memberships: ReadonlyArray<LinkedMembership>
}

/** A new user; with its API key, which is shown this once whatever the realm keeps. */
export interface CreatedUser extends UserWithMemberships {
  readonly apiKey: string | null
}

/** The user that a signup token stands for, with what else was given. */
const signedUp = (asked: UserCreation, { username, email, firstName, lastName, passwordHash }: SignupToken) => ({
  ...asked,
  attributes: {
    ...asked.attributes,
    ...(username === null ? {} : { username }),
    ...(email === null ? {} : { email }),
    ...(firstName === null ? {} : { firstName }),
    ...(lastName === null ? {} : { lastName })
  },
  password: undefined,
  credentials: [
    { credentialType: "password" as const, passwordHash },
    ...(asked.credentials ?? []).filter(({ credentialType }) => credentialType !== "password")
  ]
})

const keyOf = ({ credentials }: UserDraft): string | null =>
  credentials.find(({ apiKey }) => apiKey !== null)?.apiKey?.key ?? null

/** Login identities (`v2.users`). A user is named by id or e-mail, or by what `idOfName` takes. */
export class Users extends Context.Service<
  Users,
  {
    /** The id of the user that an id or, of a human, an e-mail names. */
    resolve(idOrEmail: string): Effect.Effect<UserId, UserNotFound, CurrentRealm>
    /** The id of the user that an id or a name names: a username or, where humans have none, their e-mail (v1, SEC-59). */
    idOfName(idOrName: string): Effect.Effect<UserId, UserNotFound, CurrentRealm>
    /** The id of the user that a person goes by: an e-mail or a username, of both whose e-mail it is. An id names nobody. */
    idOfLogin(name: string): Effect.Effect<UserId, UserNotFound, CurrentRealm>
    get(idOrEmail: string): Effect.Effect<UserDetails, UserNotFound, CurrentRealm>
    getWithMemberships(idOrEmail: string): Effect.Effect<UserWithMemberships, UserNotFound, CurrentRealm>
    /** An api user's first API key, where it was kept to be read again. */
    apiKeyOf(user: User): Effect.Effect<string | null>
    list(filter: UserFilter, page: UserPage): Effect.Effect<Page<User>, UserNotFound, CurrentRealm>
    /** `user.created` and what its verification adds; `org.created`; `membership.created` each. */
    create(asked: UserCreation): Effect.Effect<CreatedUser, RealmNotFound | Rejected | HashingBusy, CurrentRealm>
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
      const signups = yield* SignupTokens
      const joining = yield* NewMemberships
      const memberships = yield* MembershipsRepo
      const sessions = yield* SessionsRepo
      const credentials = yield* CredentialsRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      const idOfEmail = Effect.fnUntraced(function* (typed: string) {
        const realm = yield* CurrentRealm
        const email = canonicalEmail(typed)
        const id = email === undefined ? undefined : yield* repo.idByEmail(realm.id, email)
        return id === undefined || isBeingReset(realm.pendingReset, "user", id) ? undefined : id
      })

      const resolve = Effect.fnUntraced(function* (idOrEmail: string) {
        if (isId("user", idOrEmail)) return idOrEmail
        return (yield* idOfEmail(idOrEmail)) ?? (yield* new UserNotFound({ id: idOrEmail }))
      })

      const idOfName = Effect.fnUntraced(function* (idOrName: string) {
        const realm = yield* CurrentRealm
        if (isId("user", idOrName)) return idOrName
        const key = canonical(idOrName)
        if (!isStorable(key) || !isWithin(TEXT_LENGTH, key)) return yield* new UserNotFound({ id: idOrName })
        const named = usesUsernames(realm, "human")
          ? yield* repo.idByUsername(realm.id, key, ["human", "api"])
          : ((yield* idOfEmail(idOrName)) ?? (yield* repo.idByUsername(realm.id, key, ["api"])))
        const cleared = named !== undefined && isBeingReset(realm.pendingReset, "user", named)
        return named === undefined || cleared ? yield* new UserNotFound({ id: idOrName }) : named
      })

      const idOfLogin = (name: string) =>
        isId("user", name)
          ? Effect.fail(new UserNotFound({ id: name }))
          : Effect.catchTag(resolve(name), "UserNotFound", () => idOfName(name))

      const get = Effect.fnUntraced(function* (idOrEmail: string) {
        const realm = yield* CurrentRealm
        const details = yield* repo.findDetails(realm.id, yield* resolve(idOrEmail), yield* DateTime.now)
        if (details === undefined) return yield* new UserNotFound({ id: idOrEmail })
        return { ...details, user: visibleUser(realm, details.user) }
      })

      const getWithMemberships = Effect.fnUntraced(function* (idOrEmail: string) {
        const details = yield* get(idOrEmail)
        const { id, realmId } = details.user
        return { ...details, memberships: yield* memberships.ofUser(realmId, id, yield* DateTime.now) }
      })

      const apiKeyOf = ({ userType, realmId, id }: User) =>
        userType === "human"
          ? Effect.succeed(null)
          : Effect.map(credentials.firstApiKey(realmId, id), (first) => first?.secret ?? null)

      const find = Effect.fnUntraced(function* (id: string) {
        const realm = yield* CurrentRealm
        const user = isId("user", id) ? yield* repo.find(realm.id, id) : undefined
        return user ?? (yield* new UserNotFound({ id }))
      })

      const list = Effect.fnUntraced(function* (filter: UserFilter, page: UserPage) {
        const realm = yield* CurrentRealm
        yield* checkAfter(page, find)
        // A username that is not shown finds nobody.
        if (filter.username !== undefined && !usesUsernames(realm, "human")) return { items: [], more: false }
        const kept = { ...filter, from: firstRetainedId(realm.pendingReset, "user") }
        const { items, more } = pageOf(yield* repo.list(realm.id, kept, page), page.maxResults)
        return { items: items.map((user) => visibleUser(realm, user)), more }
      })

      const unusable = { SignupTokenNotFound: () => Effect.fail(rejected("token", "token_unusable")) }

      const create = Effect.fnUntraced(function* (asked: UserCreation) {
        const wrong = permissionsProblem(asked.permissions)
        if (wrong !== undefined) return yield* rejected("permissions", wrong)
        const { signupToken, userType } = asked
        if (signupToken !== undefined && userType === "api") return yield* rejected("token", "humans_only")
        const signup =
          signupToken === undefined ? undefined : yield* signups.get(signupToken).pipe(Effect.catchTags(unusable))
        const orgDraft = asked.org === undefined ? undefined : yield* newOrgs.draft(asked.org)
        const draft = yield* newUsers.draft(signup === undefined ? asked : signedUp(asked, signup))
        return yield* transaction.run(
          Effect.gen(function* () {
            if (signup !== undefined) yield* signups.consume(signup).pipe(Effect.catchTags(unusable))
            const happenings: Array<NewEvent> = [...(yield* newUsers.insert(draft))]
            const orgs = [...(yield* joining.findJoinable("org_ids", asked.orgIds))]
            if (orgDraft !== undefined) {
              happenings.push(...(yield* newOrgs.insert(orgDraft)))
              orgs.push(orgDraft)
            }
            const joins = orgs.length > 0 || (asked.ownMembership && asked.permissions.length > 0)
            const joined = joins
              ? yield* joining.join({ userIds: [draft.user.id], orgs, permissions: asked.permissions })
              : { memberships: [], events: [] }
            yield* journal.record([...happenings, ...joined.events])
            const details = yield* get(draft.user.id).pipe(Effect.orDie)
            return { ...details, memberships: joined.memberships, apiKey: keyOf(draft) }
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
              ...left.map((membership) => membershipEvent("membership.deleted", membership)),
              ...ended.map((sessionId) => ({ eventType: "session.deleted" as const, userId: id, sessionId }))
            ])
          })
        )
      })

      return Users.of({
        resolve,
        idOfName,
        idOfLogin,
        get,
        getWithMemberships,
        apiKeyOf,
        list,
        create,
        delete: remove
      })
    })
  )
}
