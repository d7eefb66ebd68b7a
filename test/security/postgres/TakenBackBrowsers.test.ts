import { expect, test } from "vitest"
import { Authenticator } from "#testing/Authenticator"
import type { GivenRealm } from "#testing/Given"
import { codeAt } from "../../support/credentials.ts"
import { oauth2Double, person } from "../../support/external.ts"
import { awaitBlockedConnection, holdLocks } from "../../support/locks.ts"
import { OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { met } from "../../support/pages.ts"
import { answered, askedOn } from "../../support/passkeyPages.ts"
import { type OwnService, serviceAlone } from "../../support/sallyport.ts"
import { atHome, byProvider, linking, newPassword, type Visitor } from "../../support/visitor.ts"

interface Occupied {
  readonly own: OwnService
  readonly realm: GivenRealm
  readonly visitor: Visitor
  readonly user: { readonly id: string }
}

/** Somebody who sits in another person's account, in a service whose rows can be locked from beside it. */
const occupied = (use: (at: Occupied) => Promise<void>, by: "password" | "provider" = "password") =>
  serviceAlone(async (own) => {
    const realm = await own.given.realm()
    const at = by === "password" ? await atHome(realm) : await byProvider(realm)
    await use({ own, realm, visitor: at.visitor, user: at.user })
  })

/** Has a form of the visitor wait until the account is taken back, which ends all its sessions: what it comes to. */
const whileTakenBack = async ({ own, realm, visitor, user }: Occupied, change: () => Promise<unknown>) => {
  const { events } = await realm.seen.during(async () => {
    const locks = await holdLocks(
      own,
      own.besideSql`select 1 from users where id = ${user.id} for update`,
      own.besideSql`delete from sessions where user_id = ${user.id}`
    )
    const done = change()
    await awaitBlockedConnection(own)
    await locks.release()
    await done
  })
  const { text } = await realm.get(`/v2/users/${user.id}`)
  return { page: visitor.page, events, user: text }
}

const TO_LOGIN = [303, "/login"]

const whereTo = ({ page, leads }: Visitor) => [page.status, leads.pathname]

test("SEC-143: a service that is connected while the account is taken back connects nothing", () =>
  occupied(async (at) => {
    const { realm, visitor } = at
    const { provider } = await oauth2Double(realm, person())
    const state = await linking(visitor, provider.id)
    const query = new URLSearchParams({ state, code: "a-code" })
    const { page, events, user } = await whileTakenBack(at, () =>
      visitor.open(`/auth/${provider.id}/callback?${query}`)
    )
    expect([...met(page), events]).toEqual([422, "The service wasn't connected", []])
    expect(user).not.toContain("oauth2")
  }))

test("SEC-143: a passkey that is created while the account is taken back is not added", () =>
  occupied(async (at) => {
    const { visitor } = at
    await visitor.open("/passkey")
    const answer = answered(new Authenticator(), askedOn(visitor), { origin: visitor.origin })
    const { events, user } = await whileTakenBack(at, () => visitor.send("/passkey", { way: "create", ...answer }))
    expect([whereTo(visitor), events]).toEqual([TO_LOGIN, []])
    expect(user).not.toContain("passkey")
  }))

test("SEC-143: an authenticator app that is confirmed while the account is taken back stays without effect", () =>
  occupied(async (at) => {
    const { own, visitor } = at
    await visitor.open("/security")
    await visitor.fill({ device_name: "Phone", current_password: PASSWORD }, "Set up")
    const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
    const code = codeAt(secret, own.clock.currentTimeMillisUnsafe())
    const { events } = await whileTakenBack(at, () => visitor.fill({ code }))
    expect([whereTo(visitor), events]).toEqual([TO_LOGIN, []])
  }))

test("SEC-143: a password that is set while the account is taken back lets nobody in", () =>
  occupied(async (at) => {
    const { realm, visitor, user } = at
    await visitor.open("/security")
    const values = { way: "set_password", ...newPassword("", OTHER_PASSWORD) }
    const { events } = await whileTakenBack(at, () => visitor.send("/security", values))
    expect([whereTo(visitor), events]).toEqual([TO_LOGIN, []])
    const login = await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: OTHER_PASSWORD } })
    expect(login.status).not.toBe(200)
  }, "provider"))

test.each([
  ["a set of recovery codes that is made", "/security", { way: "recovery_codes" }],
  ["a new e-mail that is asked for", "/profile", { way: "details", email: "thief@example.test" }]
] as const)("SEC-143: %s while the account is taken back comes to nothing", (_, page, values) =>
  occupied(async (at) => {
    const { visitor } = at
    await visitor.open(page)
    const { events, user } = await whileTakenBack(at, () => visitor.send(page, values))
    expect([whereTo(visitor), events]).toEqual([TO_LOGIN, []])
    expect(user).not.toContain("thief@")
  }, "provider"))
