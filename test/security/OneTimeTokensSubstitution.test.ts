import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { userEvent as event } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"
import { type EntryPoint, entryPoints, type Holder, newHolder, tokenKinds } from "../support/tokenKinds.ts"

/** Creates each kind of secret that identifies someone. */
const makers: Readonly<Record<string, (realm: GivenRealm, holder: Holder) => Promise<string>>> = {
  ...Object.fromEntries(Object.entries(tokenKinds).map(([kind, { make }]) => [kind, make])),
  eyJ: async (realm, { user }) => (await realm.session(user.id)).string("token"),
  sk_: async (realm) => (await realm.as("read")).key ?? ""
}

/** Returns whether an endpoint that rejects a valid token records an event for the owner of the token. */
const recordsFailure = (entryPoint: EntryPoint, kind: string, presented: string, token: string) =>
  entryPoint.name === "v1 reset_password_with_token" && entryPoint.takes.includes(kind) && presented === token

/** All the state of two users that a token could change. */
const stateOf = async (realm: GivenRealm, holders: ReadonlyArray<Holder>) => [
  ...(await Promise.all(holders.map(async ({ user }) => (await realm.get(`/v2/users/${user.id}`)).body))),
  (await realm.get("/v2/sessions")).items,
  (await realm.get("/v2/users")).items
]

/** Uses of a token at the wrong endpoints, both unchanged and with the prefix that the endpoint expects. */
const wrongUses = (kind: string, token: string, owner: Holder, other: Holder) =>
  entryPoints.flatMap((entryPoint) =>
    [owner, other].flatMap((at) => {
      const right = (at === owner ? entryPoint.takes : entryPoint.takesOfOthers).includes(kind)
      const disguises = entryPoint.takes
        .filter((taken) => taken !== kind)
        .map((taken) => taken + token.slice(kind.length))
      return [...(right ? [] : [token]), ...disguises].map((presented) => ({ entryPoint, at, presented }))
    })
  )

describe("SEC-20, CVE-2026-9087, CVE-2023-26481: a token works only for its own purpose and its own user", () => {
  test.each(Object.entries(makers))("%s", async (kind, make) => {
    const { given } = await service()
    const realm = await given.realm()
    const [owner, other] = [await newHolder(realm), await newHolder(realm)]
    const token = await make(realm, owner)
    expect(token.startsWith(kind)).toBe(true)
    const before = await stateOf(realm, [owner, other])
    const expected: Array<unknown> = []
    const events = await realm.seen.caused(async () => {
      for (const { entryPoint, at, presented } of wrongUses(kind, token, owner, other)) {
        const reply = await entryPoint.open(realm, presented, at, owner.device.code())
        const rejected = reply.status >= 400 && reply.status < 500 && reply.status !== 429
        expect([entryPoint.name, presented, reply.status, rejected]).toEqual([
          entryPoint.name,
          presented,
          reply.status,
          true
        ])
        if (recordsFailure(entryPoint, kind, presented, token))
          expected.push(event(owner.user, "password_token.failed"))
      }
    })
    expect(events).toEqual(expected)
    expect(await stateOf(realm, [owner, other])).toEqual(before)

    const rights = entryPoints.filter(({ takes }) => takes.includes(kind))
    for (const entryPoint of rights) {
      const holder = await newHolder(realm)
      const fresh = await make(realm, holder)
      expect([
        entryPoint.name,
        (await entryPoint.open(realm, fresh, holder, holder.device.code())).status < 300
      ]).toEqual([entryPoint.name, true])
    }
    const [right] = rights
    if (right !== undefined) {
      expect((await right.open(realm, token, owner, owner.device.code())).status).toBeLessThan(300)
    }
  })

  test.each(Object.entries(tokenKinds))("a %s token is rejected at every endpoint of another realm", async (_, {
    make,
    use
  }) => {
    const { given } = await service()
    const [realm, elsewhere] = [await given.realm(), await given.realm()]
    const [owner, other] = [await newHolder(realm), await newHolder(elsewhere)]
    const token = await make(realm, owner)
    for (const entryPoint of entryPoints) {
      const reply = await entryPoint.open(elsewhere, token, other, owner.device.code())
      expect([entryPoint.name, reply.status >= 400 && reply.status < 500]).toEqual([entryPoint.name, true])
    }
    expect((await use(realm, token, owner)).status).toBeLessThan(300)
  })
})
