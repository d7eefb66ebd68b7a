import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { hostedAt, person } from "../support/hostedApi.ts"
import { PASSWORD } from "../support/logins.ts"
import { clockedService } from "../support/sallyport.ts"
import { isLoggedIn, visitorAtApp } from "../support/visitor.ts"

const seconds = async (): Promise<number> => (await clockedService()).clock.currentTimeMillisUnsafe() / 1000

/** The last_seen_at of a realm's only session, read from a list, which does not update it. */
const lastSeen = async (realm: GivenRealm) => (await realm.get("/v2/sessions")).items[0]?.["last_seen_at"]

/** Waits until last_seen_at has the given value. It is stored after the response. */
const expectLastSeen = (realm: GivenRealm, at: number | null) => expect.poll(() => lastSeen(realm)).toBe(at)

describe("last_seen_at of a session (C149)", () => {
  test("is set at most once a minute when the session is read by id", async () => {
    const { given, advance } = await clockedService()
    const realm = await given.realm()
    const session = await realm.session((await realm.user()).id)
    await advance("59 seconds")
    await realm.get(`/v2/sessions/${session.id}`)
    expect(await lastSeen(realm)).toBeNull()
    await advance("1 second")
    const seen = await seconds()
    await Promise.all([1, 2, 3].map(() => realm.get(`/v2/sessions/${session.id}`)))
    await expectLastSeen(realm, seen)
    await advance("30 seconds")
    await realm.get(`/v1/sessions/${session.id}`)
    expect(await lastSeen(realm)).toBe(seen)
    await advance("30 seconds")
    await realm.get(`/v1/sessions/${session.id}`)
    await expectLastSeen(realm, seen + 60)
  })

  test("is set by check_session and by the hosted pages", async () => {
    const { given, advance } = await clockedService()
    const realm = await given.realm()
    const [user, at] = [await person(realm), await hostedAt(realm)]
    const login = await at.post("login", { username: user.string("username"), password: PASSWORD })
    await advance("2 minutes")
    const checked = await seconds()
    await at.post("checkSession", { token: login.string("token") })
    await expectLastSeen(realm, checked)

    const other = await given.realm()
    const { visitor, email } = await visitorAtApp(other)
    await visitor.logIn(email)
    await advance("2 minutes")
    const visited = await seconds()
    expect(await isLoggedIn(visitor)).toBe(true)
    await expectLastSeen(other, visited)
  })
})
