import { Context, DateTime, Effect, Layer } from "effect"
import type { Credential } from "#domain/Credential"
import { foldedEmail } from "#domain/Email"
import { isId, type UserId } from "#domain/Ids"
import { withKnownProblems } from "#domain/KnownProblems"
import { type LoginName, parseIdOrEmail, parseIdOrUsername, parseTypedName } from "#domain/LoginName"
import { type LinkedMembership, MAX_EXPANDED } from "#domain/Membership"
import type { OrgAttributes } from "#domain/Org"
import { checkAfter, type Page, type PageOf, pageOf, type SortKeys, sortedPageOf } from "#domain/Page"
import type { HashingBusy } from "#domain/Password"
import { permissionProblems } from "#domain/Permission"
import { CurrentRealm, type Realm, type RealmNotFound } from "#domain/Realm"
import { firstRetainedId, isBeingReset } from "#domain/RealmReset"
import { type Rejected, rejection } from "#domain/Rejected"
import type { Search } from "#domain/Search"
import type { SignupToken } from "#domain/SignupToken"
import { canonical } from "#domain/Text"
import { nameSortKeys, type User, UserNotFound, type userSorts, usesUsernames, visibleUser } from "#domain/User"
import type { UserDetails } from "#domain/UserDetails"
import { Transaction } from "#platform/Transaction"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import type { UserFilter } from "#store/users/UserPage"
import type { UserSearchFilter } from "#store/users/UserSearch"
import { UsersRepo } from "#store/users/UsersRepo"
import { type Change, Journal } from "../events/Journal.ts"
import { AccessEnds } from "../provisioning/AccessEnds.ts"
import { membershipEvent, NewMemberships } from "../provisioning/NewMemberships.ts"
import { NewOrgs, newOrgProblems } from "../provisioning/NewOrgs.ts"
import { issuesTokens, type NewUser, NewUsers, type UserDraft } from "../provisioning/NewUsers.ts"
import { SignupTokens } from "../provisioning/SignupTokens.ts"

type UserPage = PageOf<(typeof userSorts)[number]>

/** A request for a new user, with the orgs that the user joins (`v2.user`). `org` is a new org to create with the user. */
export interface UserCreation extends NewUser {
  readonly orgIds: ReadonlyArray<string>
  readonly org: OrgAttributes | undefined
  readonly permissions: ReadonlyArray<string>
  /** Whether permissions without an org create a membership without an org (v1). */
  readonly ownMembership: boolean
  /** A signup token. Its data takes precedence over the other fields (v1). */
  readonly signupToken: string | undefined
}

/** A user with their memberships. */
export interface UserWithMemberships extends UserDetails {
  readonly memberships: ReadonlyArray<LinkedMembership>
}

/** A new user. `apiKey` is the user's API key, which is returned even if the realm stores only a digest of it. */
export interface CreatedUser extends UserWithMemberships {
  readonly apiKey: string | null
}

/** Returns the request with the data from its signup token. */
const applySignup = (request: UserCreation, { username, email, firstName, lastName, passwordHash }: SignupToken) => ({
  ...request,
  // If signups don't ask for a username, the token contains none.
  usernameRequired: request.usernameRequired && username !== null,
  attributes: {
    ...request.attributes,
    ...(username === null ? {} : { username }),
    ...(email === null ? {} : { email }),
    ...(firstName === null ? {} : { firstName }),
    ...(lastName === null ? {} : { lastName })
  },
  password: undefined,
  credentials: [
    { credentialType: "password" as const, passwordHash },
    ...(request.credentials ?? []).filter(({ credentialType }) => credentialType !== "password")
  ]
})

/**
 * Returns whether `after` contains a user ID. If that user doesn't exist, the page's query returns no rows, so a separate
 * lookup is only needed if the page is empty.
 */
const pageFindsAfter = ({ after }: UserPage): boolean => after !== undefined && isId("user", after.id)

const sortKeysOf = (realm: Realm): SortKeys<(typeof userSorts)[number], User> => ({
  email: (user) => foldedEmail(user.email ?? ""),
  last_login: ({ lastLoginAt }) => (lastLoginAt === null ? "-infinity" : DateTime.formatIso(lastLoginAt)),
  name: (user) => nameSortKeys(user).name,
  name_alt: (user) => nameSortKeys(user).nameAlt,
  // A cursor must not reveal hidden usernames.
  username: ({ username }) => (usesUsernames(realm, "human") ? canonical(username ?? "") : undefined)
})

const apiKeyIn = ({ credentials }: UserDraft): string | null =>
  credentials.find(({ apiKey }) => apiKey !== null)?.apiKey?.key ?? null

/** Manages the users of realms (`v2.users`). */
export class Users extends Context.Service<
  Users,
  {
    /** Resolves a user ID, or a human's email, to a user ID. Doesn't check whether a user with a given ID exists. */
    resolve(idOrEmail: string): Effect.Effect<UserId, UserNotFound, CurrentRealm>
    /** Resolves a user ID or a username, or in realms without usernames a human's email, to a user ID (v1, SEC-59). */
    idOfName(idOrName: string): Effect.Effect<UserId, UserNotFound, CurrentRealm>
    /**
     * Finds the ID of the human who logs in with this email or username. If it is the email of one user and the username of
     * another, the email wins. User IDs are not accepted.
     */
    idOfLogin(name: string): Effect.Effect<UserId, UserNotFound, CurrentRealm>
    get(idOrEmail: string): Effect.Effect<UserDetails, UserNotFound, CurrentRealm>
    getWithMemberships(idOrEmail: string): Effect.Effect<UserWithMemberships, UserNotFound, CurrentRealm>
    /** Returns an API user's first API key, or null if only its digest is stored. */
    apiKeyOf(user: User): Effect.Effect<string | null>
    list(filter: UserFilter, page: UserPage): Effect.Effect<Page<User>, UserNotFound, CurrentRealm>
    /** Finds the humans whose email, username, name, reference or ID starts with a text. Exact matches come first (C204). */
    search(search: Search, filter: Pick<UserSearchFilter, "state">): Effect.Effect<Page<User>, never, CurrentRealm>
    /** The credentials of each of these users, oldest first. */
    credentialsOf(
      listed: ReadonlyArray<User>
    ): Effect.Effect<ReadonlyMap<UserId, ReadonlyArray<Credential>>, never, CurrentRealm>
    /**
     * Creates a user. Records the events of `NewUsers.insert`, then `org.created` for a new org, and `membership.created` for
     * each membership.
     */
    create(request: UserCreation): Effect.Effect<CreatedUser, RealmNotFound | Rejected | HashingBusy, CurrentRealm>
    /**
     * Deletes a user. Records `user.deleted`, `membership.deleted` for each membership, and `session.deleted` for each
     * session.
     */
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
      const newMemberships = yield* NewMemberships
      const memberships = yield* MembershipsRepo
      const access = yield* AccessEnds
      const credentials = yield* CredentialsRepo
      const journal = yield* Journal
      const transaction = yield* Transaction

      /** Resolves a name or ID. A user that a reset of the realm is about to delete is not found. */
      const idOf = Effect.fnUntraced(function* ({ id, email, username }: LoginName, text: string) {
        const { id: realmId, pendingReset } = yield* CurrentRealm
        const isPresent = (found: UserId) => !isBeingReset(pendingReset, "user", found)
        const isOnlyId = email === undefined && username === undefined
        if (id !== undefined && (isOnlyId || (yield* repo.find(realmId, id)) !== undefined)) return id
        const byEmail = email === undefined ? undefined : yield* repo.idByEmail(realmId, email)
        if (byEmail !== undefined && isPresent(byEmail)) return byEmail
        const byUsername =
          username === undefined ? undefined : yield* repo.idByUsername(realmId, username.key, username.types)
        if (byUsername !== undefined && isPresent(byUsername)) return byUsername
        return yield* new UserNotFound({ id: text })
      })

      const resolve = Effect.fnUntracedEager(function* (text: string) {
        return isId("user", text) ? text : yield* idOf(parseIdOrEmail(text), text)
      })

      const idOfName = (text: string) =>
        Effect.flatMap(CurrentRealm, (realm) => idOf(parseIdOrUsername(realm, text), text))

      const idOfLogin = (text: string) =>
        Effect.flatMap(CurrentRealm, (realm) => idOf(parseTypedName(realm, text), text))

      const get = Effect.fnUntraced(function* (idOrEmail: string) {
        const realm = yield* CurrentRealm
        const details = yield* repo.findDetails(realm.id, yield* resolve(idOrEmail), yield* DateTime.now)
        if (details === undefined) return yield* new UserNotFound({ id: idOrEmail })
        return { ...details, user: visibleUser(realm, details.user) }
      })

      const getWithMemberships = Effect.fnUntraced(function* (idOrEmail: string) {
        const details = yield* get(idOrEmail)
        const { id, realmId } = details.user
        return {
          ...details,
          memberships: yield* memberships.ofUser(realmId, id, yield* DateTime.now, { atMost: MAX_EXPANDED })
        }
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
        const findsAfter = pageFindsAfter(page)
        if (!findsAfter) yield* checkAfter(page, "user", find)
        // In a realm without usernames, stored usernames are hidden and not searched.
        const isHidden = filter.username !== undefined && !usesUsernames(realm, "human")
        const retained = { ...filter, from: firstRetainedId(realm.pendingReset, "user") }
        const rows = isHidden ? [] : yield* repo.list(realm.id, retained, page)
        if (findsAfter && rows.length === 0) yield* checkAfter(page, "user", find)
        const { items, ...rest } = sortedPageOf(rows, page, sortKeysOf(realm))
        return { items: items.map((user) => visibleUser(realm, user)), ...rest }
      })

      const search = Effect.fn("Users.search")(function* (search: Search, { state }: Pick<UserSearchFilter, "state">) {
        const realm = yield* CurrentRealm
        const from = firstRetainedId(realm.pendingReset, "user")
        // Hidden usernames are not searched, as in `list`.
        const filter = { state, usernames: usesUsernames(realm, "human"), from }
        const { items, more } = pageOf(yield* repo.search(realm.id, search, filter), search.maxResults)
        return { items: items.map((user) => visibleUser(realm, user)), more }
      })

      const credentialsOf = Effect.fnUntraced(function* (listed: ReadonlyArray<User>) {
        const realm = yield* CurrentRealm
        const ids = listed.map(({ id }) => id)
        return Map.groupBy(yield* repo.credentialsOf(realm.id, ids), ({ userId }) => userId)
      })

      const rejectToken = { SignupTokenNotFound: () => Effect.fail(rejection("token", "token_unusable")) }

      const create = Effect.fnUntraced(function* (request: UserCreation) {
        const { signupToken, userType, org } = request
        if (signupToken !== undefined && userType === "api") return yield* rejection("token", "humans_only")
        const signup =
          signupToken === undefined ? undefined : yield* signups.get(signupToken).pipe(Effect.catchTags(rejectToken))
        const problems = [...permissionProblems(request.permissions), ...(org === undefined ? [] : newOrgProblems(org))]
        const newUser = newUsers.draft(signup === undefined ? request : applySignup(request, signup))
        const draft = yield* withKnownProblems(problems, newUser)
        const orgDraft = org === undefined ? undefined : yield* newOrgs.draft(org)
        const write = Effect.gen(function* () {
          if (signup !== undefined) yield* signups.consume(signup).pipe(Effect.catchTags(rejectToken))
          const orgs = [...(yield* newMemberships.findJoinable("org_ids", request.orgIds))]
          const user = yield* newUsers.change(draft)
          const changes: Array<Change<Rejected>> = [user]
          if (orgDraft !== undefined) {
            changes.push(newOrgs.change(orgDraft))
            orgs.push(orgDraft)
          }
          const needsMembership = orgs.length > 0 || (request.ownMembership && request.permissions.length > 0)
          const joined = needsMembership
            ? yield* newMemberships.change({ userIds: [draft.user.id], orgs, permissions: request.permissions })
            : { memberships: [], writes: [], events: [] }
          yield* journal.write([...changes, joined])
          return {
            user: visibleUser(yield* CurrentRealm, draft.user),
            credentials: user.credentials.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
            membershipCount: joined.memberships.length,
            memberships: joined.memberships,
            apiKey: apiKeyIn(draft)
          }
        })
        // Without orgs, signup data and tokens, everything is written in a single statement, which needs no transaction.
        const hasMore = signup !== undefined || request.orgIds.length > 0 || issuesTokens(draft)
        return yield* hasMore ? transaction.run(write) : write
      })

      const remove = Effect.fn("Users.delete")(function* (idOrEmail: string) {
        const realm = yield* CurrentRealm
        const id = yield* resolve(idOrEmail)
        yield* transaction.run(
          Effect.gen(function* () {
            const user = yield* repo.findForUpdate(realm.id, id)
            if (user === undefined) return yield* new UserNotFound({ id: idOrEmail })
            const deleted = yield* memberships.deleteOfUser(realm.id, id)
            const { events: ended } = yield* access.end(user, "deleted")
            yield* credentials.deleteOfUser(realm.id, id)
            yield* repo.delete(realm.id, id)
            yield* journal.record([
              { eventType: "user.deleted", userId: id },
              ...deleted.map((membership) => membershipEvent("membership.deleted", membership)),
              ...ended
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
        search,
        credentialsOf,
        create,
        delete: remove
      })
    })
  )
}
