import { expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Invitations } from "#core/invitations/Invitations"
import { Memberships } from "#core/orgs/Memberships"
import { Orgs } from "#core/orgs/Orgs"
import { Realms } from "#core/realms/Realms"
import { Users } from "#core/users/Users"
import { CurrentRealm, defaultSettings } from "#domain/Realm"
import { Entropy } from "#platform/Entropy"
import { Secrets } from "#platform/Secrets"
import { Connections } from "#sql/Database"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { freshCore, newUserData, testKey } from "../support/core.ts"

const Repositories = Layer.mergeAll(InvitationsRepo.layer, MembershipsRepo.layer).pipe(
  Layer.provide(
    Layer.effect(
      SqlClient,
      Effect.map(Connections, ({ slow }) => slow)
    )
  ),
  Layer.provide(Secrets.layer([Redacted.make(testKey)])),
  Layer.provide(Entropy.layer)
)

const newRealm = Effect.flatMap(Realms, (realms) =>
  realms.create({ ...defaultSettings("v2"), name: "Realm", jwtAlgo: "hs256" })
)

/** The time the given number of minutes from now. */
const minutesFromNow = (minutes: number) => Effect.map(DateTime.now, (now) => DateTime.add(now, { minutes }))

const newInvitation = Effect.fnUntraced(function* (minutes: number) {
  const asked = {
    email: "jo@example.test",
    orgId: null,
    invitingUserId: null,
    authProviderId: null,
    appId: null,
    locale: null
  }
  const expiresAt = yield* minutesFromNow(minutes)
  return yield* (yield* Invitations).create({ ...asked, invitationType: "request", expiresAt })
})

const newMembership = Effect.fnUntraced(function* (minutes: number | undefined, email: string) {
  const { user } = yield* (yield* Users).create(newUserData(email))
  const asked = { attributes: { name: "Acme" }, userIds: [], user: undefined, permissions: [] }
  const { org } = yield* (yield* Orgs).create(asked)
  const expiresAt = minutes === undefined ? null : yield* minutesFromNow(minutes)
  return yield* (yield* Memberships).create({ userId: user.id, orgId: org.id, permissions: ["a"], expiresAt })
})

const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

it.live("claims expired invitations once, oldest first, and leaves the others", () =>
  Effect.gen(function* () {
    const repo = yield* InvitationsRepo
    expect(yield* repo.nextExpiry).toBe(undefined)
    const realm = yield* newRealm
    const [late, early, kept, middle] = yield* Effect.forEach([30, 10, 90, 20], newInvitation).pipe(
      Effect.provideService(CurrentRealm, realm)
    )
    if (!late || !early || !kept || !middle) return yield* Effect.die("no invitations")
    expect(yield* repo.nextExpiry).toEqual(early.expiresAt)
    expect(yield* repo.claimExpired(yield* minutesFromNow(0), 10)).toEqual([])

    const hour = yield* minutesFromNow(60)
    const first = yield* repo.claimExpired(hour, 2)
    expect(idsOf(first)).toEqual([early.id, middle.id])
    const { org: _org, token: _token, ...invitation } = early
    expect(first[0]).toEqual(invitation)
    expect(yield* repo.nextExpiry).toEqual(late.expiresAt)
    expect(idsOf(yield* repo.claimExpired(hour, 2))).toEqual([late.id])
    expect(yield* repo.claimExpired(hour, 2)).toEqual([])
    expect(yield* repo.nextExpiry).toEqual(kept.expiresAt)
    expect((yield* repo.find(realm.id, kept.id, hour))?.id).toBe(kept.id)
  }).pipe(Effect.provide(Repositories), Effect.provide(freshCore))
)

it.live("claims expired memberships once, oldest first, and never a membership without an expiry", () =>
  Effect.gen(function* () {
    const repo = yield* MembershipsRepo
    expect(yield* repo.nextExpiry).toBe(undefined)
    const realm = yield* newRealm
    const within = Effect.provideService(CurrentRealm, realm)
    const late = yield* within(newMembership(30, "a@example.test"))
    const early = yield* within(newMembership(10, "b@example.test"))
    yield* within(newMembership(undefined, "c@example.test"))
    expect(yield* repo.nextExpiry).toEqual(early.expiresAt)

    const hour = yield* minutesFromNow(60)
    const { org: _org, user: _user, ...membership } = early
    expect(yield* repo.claimExpired(hour, 1)).toEqual([membership])
    expect(idsOf(yield* repo.claimExpired(hour, 10))).toEqual([late.id])
    expect(yield* repo.claimExpired(hour, 10)).toEqual([])
    expect(yield* repo.nextExpiry).toBe(undefined)
  }).pipe(Effect.provide(Repositories), Effect.provide(freshCore))
)

it.live("lets concurrent nodes claim different rows, and every row once", () =>
  Effect.gen(function* () {
    const repo = yield* InvitationsRepo
    const realm = yield* newRealm
    const made = yield* Effect.forEach(
      Array.from({ length: 40 }, (_, n) => n + 1),
      newInvitation
    ).pipe(Effect.provideService(CurrentRealm, realm))
    const hour = yield* minutesFromNow(60)
    const claimed = yield* Effect.all(
      Array.from({ length: 4 }, () => repo.claimExpired(hour, 15)),
      { concurrency: 4 }
    )
    const rest = yield* repo.claimExpired(hour, 100)
    expect(idsOf([...claimed.flat(), ...rest]).toSorted()).toEqual(idsOf(made).toSorted())
  }).pipe(Effect.provide(Repositories), Effect.provide(freshCore))
)

it.live("ignores invitations and memberships of a deleted realm", () =>
  Effect.gen(function* () {
    const [invitations, memberships] = [yield* InvitationsRepo, yield* MembershipsRepo]
    const [realm, other] = [yield* newRealm, yield* newRealm]
    const within = Effect.provideService(CurrentRealm, realm)
    yield* within(newInvitation(10))
    yield* within(newMembership(10, "a@example.test"))
    const kept = yield* Effect.provideService(newInvitation(20), CurrentRealm, other)
    yield* within((yield* Realms).delete)
    const hour = yield* minutesFromNow(60)
    expect([yield* memberships.nextExpiry, yield* memberships.claimExpired(hour, 10)]).toEqual([undefined, []])
    expect(yield* invitations.nextExpiry).toEqual(kept.expiresAt)
    expect(idsOf(yield* invitations.claimExpired(hour, 10))).toEqual([kept.id])
  }).pipe(Effect.provide(Repositories), Effect.provide(freshCore))
)
