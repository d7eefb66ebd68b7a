import { DateTime, Effect } from "effect"
import { describe, expect, test } from "vitest"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import { EventsRepo } from "#store/events/EventsRepo"
import { noHooks } from "#store/hooks/ActiveHooks"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { UsersRepo } from "#store/users/UsersRepo"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"
import { pendingNotification, webhook } from "../../support/hooks.ts"
import { PASSWORD } from "../../support/logins.ts"
import { query } from "../../support/query.ts"
import { idOf, type RepositoryCall, repositoriesOn } from "../../support/repositories.ts"
import { clockedService, type OwnService } from "../../support/sallyport.ts"

type Sql = OwnService["sql"]

const modes = ["key share", "share", "no key update", "update"] as const

/**
 * The strength of another connection's lock on a row. Each lock mode conflicts with one more mode than the next weaker
 * mode.
 */
const lockOf = Effect.fnUntraced(function* (sql: Sql, table: string, id: string) {
  const blocked = yield* Effect.filter(modes, (mode) =>
    Effect.map(
      sql`select 1 from ${sql(table)} where id = ${id} for ${sql.literal(mode)} skip locked`,
      (rows) => rows.length === 0
    )
  )
  return modes[blocked.length - 1]
})

/** A lock that a repository takes: the table, the strength, and how to create the row and call the repository. */
type Lock = readonly [
  name: string,
  table: string,
  mode: (typeof modes)[number],
  prepare: (realm: GivenRealm) => Promise<readonly [id: string, call: RepositoryCall]>
]

const now = DateTime.makeUnsafe(STARTS_AT)

const userOf = async (realm: GivenRealm) => idOf("user", (await realm.user({ password: PASSWORD })).id)
const orgOf = async (realm: GivenRealm) => idOf("org", (await realm.org()).id)
const realmOf = (realm: GivenRealm) => idOf("realm", realm.id)

/** The credential id and the hash of a user's password. */
const passwordOf = async (userId: string) => {
  const { sql } = await clockedService()
  const [row] = await query(
    sql<{
      readonly id: string
      readonly hash: string
    }>`select id, password_hash as hash from credentials where user_id = ${userId}`
  )
  return row ?? { id: "", hash: "" }
}

const findLockedAccount = async (realm: GivenRealm) => {
  const userId = await userOf(realm)
  const { id, hash } = await passwordOf(userId)
  return { userId, passwordId: id, call: AccountsRepo.use((repo) => repo.findLocked(realmOf(realm), userId, hash)) }
}

const nothing = { guard: undefined, writes: [], events: [], deliveries: [], accountMails: [], assumed: noHooks }

const locks: ReadonlyArray<Lock> = [
  [
    "EventsRepo.insert",
    "realms",
    "key share",
    async (realm) => [realm.id, EventsRepo.use((repo) => repo.insert(realmOf(realm), nothing))]
  ],
  [
    "UsersRepo.findForUpdate",
    "users",
    "update",
    async (realm) => {
      const id = await userOf(realm)
      return [id, UsersRepo.use((repo) => repo.findForUpdate(realmOf(realm), id))]
    }
  ],
  [
    "UsersRepo.findManyLocked",
    "users",
    "key share",
    async (realm) => {
      const id = await userOf(realm)
      return [id, UsersRepo.use((repo) => repo.findManyLocked(realmOf(realm), [id]))]
    }
  ],
  [
    "UsersRepo.insertion",
    "realms",
    "share",
    async (realm) => {
      const id = await userOf(realm)
      const other = idOf("user", `${id.slice(0, -4)}zzzz`)
      const insert = Effect.gen(function* () {
        const [repo, events] = [yield* UsersRepo, yield* EventsRepo]
        const user = yield* repo.find(realmOf(realm), id)
        if (user === undefined) return yield* Effect.die("no user")
        return yield* Effect.orDie(
          events.insert(realmOf(realm), { ...nothing, writes: repo.insertion({ ...user, id: other, email: null }) })
        )
      })
      return [realm.id, insert]
    }
  ],
  [
    "AccountsRepo.findLocked",
    "users",
    "no key update",
    async (realm) => {
      const { userId, call } = await findLockedAccount(realm)
      return [userId, call]
    }
  ],
  [
    "AccountsRepo.findLocked",
    "credentials",
    "share",
    async (realm) => {
      const { passwordId, call } = await findLockedAccount(realm)
      return [passwordId, call]
    }
  ],
  [
    "OrgsRepo.findForUpdate",
    "orgs",
    "update",
    async (realm) => {
      const id = await orgOf(realm)
      return [id, OrgsRepo.use((repo) => repo.findForUpdate(realmOf(realm), id))]
    }
  ],
  [
    "OrgsRepo.findManyLocked",
    "orgs",
    "share",
    async (realm) => {
      const id = await orgOf(realm)
      return [id, OrgsRepo.use((repo) => repo.findManyLocked(realmOf(realm), [id]))]
    }
  ],
  [
    "MembershipsRepo.findForUpdate",
    "memberships",
    "update",
    async (realm) => {
      const id = idOf("membership", (await realm.membership(await userOf(realm), await orgOf(realm))).id)
      return [id, MembershipsRepo.use((repo) => repo.findForUpdate(realmOf(realm), id, now))]
    }
  ],
  [
    "MembershipsRepo.findPairForUpdate",
    "memberships",
    "update",
    async (realm) => {
      const [userId, orgId] = [await userOf(realm), await orgOf(realm)]
      const { id } = await realm.membership(userId, orgId)
      return [id, MembershipsRepo.use((repo) => repo.findPairForUpdate(realmOf(realm), userId, orgId, now))]
    }
  ],
  [
    "InvitationsRepo.findForUpdate",
    "invitations",
    "update",
    async (realm) => {
      const id = idOf("invitation", (await realm.invitation()).id)
      return [id, InvitationsRepo.use((repo) => repo.findForUpdate(realmOf(realm), id, now))]
    }
  ],
  [
    "InvitationsRepo.lockEquivalent",
    "invitations",
    "update",
    async (realm) => {
      const email = "guest@example.test"
      const id = idOf("invitation", (await realm.invitation({ email })).id)
      const other = idOf("invitation", (await realm.invitation({ email })).id)
      const call = InvitationsRepo.use((repo) =>
        Effect.flatMap(repo.find(realmOf(realm), id, now), (found) =>
          found === undefined ? Effect.die("no invitation") : repo.lockEquivalent(found, [email], now)
        )
      )
      return [other, call]
    }
  ],
  [
    "AuthProvidersRepo.findForUpdate",
    "auth_providers",
    "update",
    async (realm) => {
      const id = idOf("authProvider", (await realm.authProvider()).id)
      return [id, AuthProvidersRepo.use((repo) => repo.findForUpdate(realmOf(realm), id))]
    }
  ],
  [
    "ConnectedAppsRepo.findForUpdate",
    "login_policies",
    "update",
    async (realm) => {
      const id = idOf("app", (await realm.connectedApp()).id)
      return [id, ConnectedAppsRepo.use((repo) => repo.findForUpdate(realmOf(realm), id))]
    }
  ],
  [
    "AppHooksRepo.findForUpdate",
    "app_hooks",
    "update",
    async (realm) => {
      const id = idOf("hook", (await webhook(realm)).id)
      return [id, AppHooksRepo.use((repo) => repo.findForUpdate(id))]
    }
  ],
  [
    "DeliveriesRepo.findForUpdate",
    "deliveries",
    "update",
    async (realm) => {
      const { eventId, id } = await pendingNotification(realm)
      const [event, notification] = [idOf("event", eventId), idOf("notification", id)]
      return [id, DeliveriesRepo.use((repo) => repo.findForUpdate(realmOf(realm), event, notification))]
    }
  ],
  [
    "RealmsRepo.findLocked against changes",
    "realms",
    "no key update",
    async (realm) => [realm.id, RealmsRepo.use((repo) => repo.findLocked(realmOf(realm), "changes"))]
  ],
  [
    "RealmsRepo.findLocked against everything",
    "realms",
    "update",
    async (realm) => [realm.id, RealmsRepo.use((repo) => repo.findLocked(realmOf(realm), "everything"))]
  ]
]

describe("a row that is read before a change or reference", () => {
  test.each(locks)("is locked by %s in %s until the transaction ends: %s", async (_name, table, mode, prepare) => {
    const own = await clockedService()
    const [id, call] = await prepare(await own.given.realm())
    const held = own.sql.withTransaction(Effect.andThen(call, lockOf(own.otherSql, table, id)))
    expect(await Effect.runPromise(Effect.provide(held, repositoriesOn(own.sql)))).toBe(mode)
    expect(await Effect.runPromise(lockOf(own.otherSql, table, id))).toBe(undefined)
  })
})
