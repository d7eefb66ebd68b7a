import { expect, test } from "vitest"
import { Authenticator } from "#testing/Authenticator"
import type { GivenRealm } from "#testing/Given"
import { codeAt } from "../../support/credentials.ts"
import { oauth2StandIn, profile } from "../../support/external.ts"
import { awaitBlockedConnection, holdLocks } from "../../support/locks.ts"
import { OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { statusAndHeading } from "../../support/pages.ts"
import { authenticatorResponse, passkeyOptionsOn } from "../../support/passkeyPages.ts"
import { isolatedService, type OwnService } from "../../support/sallyport.ts"
import { newPassword, onProfilePage, startLinking, type Visitor, withProviderLogin } from "../../support/visitor.ts"

interface Occupied {
  readonly own: OwnService
  readonly realm: GivenRealm
  readonly visitor: Visitor
  readonly user: { readonly id: string }
}

/** Runs a function with a visitor who uses somebody else's account. Rows can be locked from a second connection. */
const withOccupiedAccount = (use: (at: Occupied) => Promise<void>, by: "password" | "provider" = "password") =>
  isolatedService(async (own) => {
    const realm = await own.given.realm()
    const at = by === "password" ? await onProfilePage(realm) : await withProviderLogin(realm)
    await use({ own, realm, visitor: at.visitor, user: at.user })
  })

/** Delays a visitor's form until the owner has reclaimed the account, which ends its sessions. Returns the outcome. */
const duringReclaim = async ({ own, realm, visitor, user }: Occupied, change: () => Promise<unknown>) => {
  const { events } = await realm.seen.during(async () => {
    const locks = await holdLocks(
      own,
      own.otherSql`select 1 from users where id = ${user.id} for update`,
      own.otherSql`delete from sessions where user_id = ${user.id}`
    )
    const pending = change()
    await awaitBlockedConnection(own)
    await locks.release()
    await pending
  })
  const { text } = await realm.get(`/v2/users/${user.id}`)
  return { page: visitor.page, events, user: text }
}

const TO_LOGIN = [303, "/login"]

const statusAndPath = ({ page, leads }: Visitor) => [page.status, leads.pathname]

test("SEC-143: a provider account connected while the owner reclaims the account isn't linked", () =>
  withOccupiedAccount(async (at) => {
    const { realm, visitor } = at
    const { provider } = await oauth2StandIn(realm, profile())
    const state = await startLinking(visitor, provider.id)
    const query = new URLSearchParams({ state, code: "a-code" })
    const { page, events, user } = await duringReclaim(at, () => visitor.open(`/auth/${provider.id}/callback?${query}`))
    expect([...statusAndHeading(page), events]).toEqual([422, "The service wasn't connected", []])
    expect(user).not.toContain("oauth2")
  }))

test("SEC-143: a passkey created while the owner reclaims the account isn't added", () =>
  withOccupiedAccount(async (at) => {
    const { visitor } = at
    await visitor.open("/passkey")
    const answer = authenticatorResponse(new Authenticator(), passkeyOptionsOn(visitor), { origin: visitor.origin })
    const { events, user } = await duringReclaim(at, () => visitor.send("/passkey", { way: "create", ...answer }))
    expect([statusAndPath(visitor), events]).toEqual([TO_LOGIN, []])
    expect(user).not.toContain("passkey")
  }))

test("SEC-143: an authenticator app confirmed while the owner reclaims the account isn't activated", () =>
  withOccupiedAccount(async (at) => {
    const { own, visitor } = at
    await visitor.open("/security")
    await visitor.fill({ device_name: "Phone", current_password: PASSWORD }, "Set up")
    const secret = /<code class="key">([^<]*)</.exec(visitor.page.text)?.[1]?.replaceAll(" ", "") ?? ""
    const code = codeAt(secret, own.clock.currentTimeMillisUnsafe())
    const { events } = await duringReclaim(at, () => visitor.fill({ code }))
    expect([statusAndPath(visitor), events]).toEqual([TO_LOGIN, []])
  }))

test("SEC-143: a password set while the owner reclaims the account doesn't work", () =>
  withOccupiedAccount(async (at) => {
    const { realm, visitor, user } = at
    await visitor.open("/security")
    const values = { way: "set_password", ...newPassword("", OTHER_PASSWORD) }
    const { events } = await duringReclaim(at, () => visitor.send("/security", values))
    expect([statusAndPath(visitor), events]).toEqual([TO_LOGIN, []])
    const login = await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: OTHER_PASSWORD } })
    expect(login.status).not.toBe(200)
  }, "provider"))

test.each([
  ["a set of recovery codes created", "/security", { way: "recovery_codes" }],
  ["a new email requested", "/profile", { way: "details", email: "thief@example.test" }]
] as const)("SEC-143: %s while the owner reclaims the account has no effect", (_, page, values) =>
  withOccupiedAccount(async (at) => {
    const { visitor } = at
    await visitor.open(page)
    const { events, user } = await duringReclaim(at, () => visitor.send(page, values))
    expect([statusAndPath(visitor), events]).toEqual([TO_LOGIN, []])
    expect(user).not.toContain("thief@")
  }, "provider"))
