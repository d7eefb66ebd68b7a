import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Journal } from "#core/events/Journal"
import { AuthProviders } from "#core/external/AuthProviders"
import { Acceptance } from "#core/invitations/Acceptance"
import { Invitations } from "#core/invitations/Invitations"
import { KeyRing } from "#core/keys/KeyRing"
import { Memberships } from "#core/orgs/Memberships"
import { Orgs } from "#core/orgs/Orgs"
import { Realms } from "#core/realms/Realms"
import { Sessions } from "#core/sessions/Sessions"
import { Users } from "#core/users/Users"
import { UserUpdates } from "#core/users/UserUpdates"
import { Caller } from "#domain/Caller"
import { CurrentRealm, defaultSettings } from "#domain/Realm"
import { Connections } from "#sql/Database"
import { freshCore, newUserData, root } from "../support/core.ts"

const tables = [
  "realms",
  "auth_providers",
  "jwt_keys",
  "users",
  "orgs",
  "memberships",
  "invitations",
  "sessions",
  "events"
]

/** All rows that the operations can change. */
const allRows = Effect.gen(function* () {
  const { fast: sql } = yield* Connections
  return yield* Effect.forEach(tables, (table) => sql`select * from ${sql(table)} order by id`)
})

/** A realm with one object of each kind, and the operations on them that record events. */
const realmWithOperations = Effect.gen(function* () {
  const realms = yield* Realms
  const [orgs, memberships] = [yield* Orgs, yield* Memberships]
  const [users, updates, sessions] = [yield* Users, yield* UserUpdates, yield* Sessions]
  const settings = { ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" } as const
  const realm = yield* realms.create(settings)
  const within = Effect.provideService(CurrentRealm, realm)

  const newUser = (email: string) => users.create({ ...newUserData(email), org: { name: "Beside" } })
  const { user } = yield* within(newUser("jo@example.test"))
  const other = yield* within(newUser("other@example.test"))
  const asked = { attributes: { name: "Acme" }, userIds: [user.id], user: undefined, permissions: [] }
  const { org, memberships: joined } = yield* within(orgs.create(asked))
  const [first] = joined
  if (first === undefined) return yield* Effect.die("no membership")
  const { session } = yield* within(sessions.create(user.id))
  const providers = yield* AuthProviders
  const client = { clientId: "client", clientSecret: "secret" }
  const github = yield* within(providers.create("github", client))
  const [invitations, acceptance] = [yield* Invitations, yield* Acceptance]
  const inviting = {
    email: "guest@example.test",
    invitingUserId: user.id,
    authProviderId: null,
    appId: null,
    locale: null
  } as const
  const newInvitation = invitations.create({ ...inviting, invitationType: "org", orgId: org.id, permissions: ["a"] })
  const [invitation] = [yield* within(newInvitation), yield* within(newInvitation)]

  const operations: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
    "org.created, along with user and memberships": within(
      orgs.create({ ...asked, user: newUserData("new@example.test") })
    ),
    "org.updated": within(orgs.update(org.id, { name: "Renamed" })),
    "org.updated by closing": within(orgs.close(org.id)),
    "org.deleted": within(orgs.delete(org.id)),
    "membership.created": within(memberships.create({ userId: other.user.id, orgId: org.id })),
    "membership.updated": within(memberships.update(first.id, { permissions: ["a"] })),
    "membership.deleted": within(memberships.delete(first.id)),
    "invitation.org.created": within(newInvitation),
    "invitation.org.updated": within(invitations.update(invitation.id, { permissions: ["b"] })),
    "invitation.org.invited": within(invitations.invite(invitation.id, undefined)),
    "invitation.org.expired": within(invitations.delete(invitation.id)),
    "invitation.org.accepted, also deleting another one": within(
      acceptance.accept(other.user.id, invitation.token ?? "")
    ),
    "invitation.org.accepted, permissions merged": within(acceptance.accept(user.id, invitation.token ?? "")),
    "session.deleted": within(sessions.delete(session.id, "deleted")),
    "auth_provider.created": within(providers.create("google", client)),
    "auth_provider.updated by a new secret": within(providers.update(github.id, { clientSecret: "another" })),
    "auth_provider.deleted": within(providers.delete(github.id)),
    "user.created": within(newUser("third@example.test")),
    "user.updated, sessions ended": within(
      updates.update(user.id, {
        attributes: { state: "inactive" },
        password: undefined,
        apiKey: undefined,
        usernameRequired: false
      })
    ),
    "user.deleted": within(users.delete(user.id)),
    "realm.created": realms.create(settings),
    "realm.updated, keys changed": within(Effect.provideService(realms.update({ jwtAlgo: "rs256" }), Caller, root)),
    "realm.deleted": within(realms.delete)
  }
  return { realm, operations }
})

describe("transactions with a change and its event", () => {
  it.live("include no change if the event can't be recorded", () =>
    Effect.gen(function* () {
      const { fast: sql } = yield* Connections
      const { realm, operations } = yield* realmWithOperations
      const keys = yield* KeyRing
      const signing = yield* keys.current(realm.id)
      const before = yield* allRows
      yield* sql`alter table events add constraint full_up check (false) not valid`
      for (const [what, operation] of Object.entries(operations)) {
        const exit = yield* Effect.exit(operation)
        expect(Exit.isFailure(exit) && String(exit.cause), what).toContain("full_up")
        expect(yield* allRows, what).toEqual(before)
      }
      expect(yield* keys.current(realm.id)).toEqual(signing)

      yield* sql`alter table events drop constraint full_up`
      for (const what of ["membership.updated", "session.deleted", "org.deleted", "user.deleted"]) {
        yield* operations[what] ?? Effect.die(what)
      }
      expect((yield* allRows).map((rows) => rows.length)).not.toEqual(before.map((rows) => rows.length))
    }).pipe(Effect.provide(freshCore))
  )

  it.live("include no event if the change is rolled back", () =>
    Effect.gen(function* () {
      const { fast: sql } = yield* Connections
      const { realm, operations } = yield* realmWithOperations
      const before = yield* allRows
      for (const [what, operation] of Object.entries(operations)) {
        const fails = Effect.andThen(operation, Effect.fail("too late"))
        expect(yield* Effect.flip(sql.withTransaction(fails)), what).toBe("too late")
        expect(yield* allRows, what).toEqual(before)
      }
      const journal = yield* Journal
      const unfiltered = { eventTypes: [], related: {}, actorId: undefined, changed: [], createdAfter: undefined }
      const query = { version: "v2", ...unfiltered } as const
      const page = { after: undefined, maxResults: 100, sort: "id", direction: "asc" } as const
      const { items } = yield* Effect.provideService(journal.list(query, page), CurrentRealm, realm)
      expect(items.length).toBe(before.at(-1)?.length)
    }).pipe(Effect.provide(freshCore))
  )
})
