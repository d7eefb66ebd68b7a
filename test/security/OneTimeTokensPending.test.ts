import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { codeAt, newDevice } from "../support/credentials.ts"
import {
  authenticate,
  authenticateV1,
  complete,
  userEvent as event,
  OTHER_PASSWORD,
  statusAndErrors
} from "../support/logins.ts"
import { operations, pathOf } from "../support/operations.ts"
import { newRealm } from "../support/sallyport.ts"
import { completeV1, type Holder, newHolder } from "../support/tokenKinds.ts"
import { passwordToken, passwordTokenV1, reset, resetV1, UNUSABLE } from "../support/tokens.ts"

const pending = {
  kli_: async (realm: GivenRealm, { user }: Holder) => authenticateV1(realm, user.id),
  "tmf:": async (realm: GivenRealm, { user }: Holder) => authenticate(realm, user.id)
}

/** The body members that can identify or authenticate a user. */
const proofMembers = ["token", "api_key", "code", "password", "current_password", "user_id", "credentials"]

/** Asserts that an incomplete login left no session and no login token. */
const expectNotLoggedIn = async (realm: GivenRealm, { user }: Holder) => {
  expect((await realm.get("/v2/sessions")).items).toEqual([])
  expect((await realm.get(`/v2/users/${user.id}`)).member("last_login_at")).toBeNull()
  const types = (await realm.get(`/v2/events?user_id=${user.id}`)).items.map(({ event_type }) => event_type)
  expect(types).not.toContain("user.login.succeeded")
}

describe("SEC-19, GHSA-xg6x-h9c9-2m83: a login that still needs a code", () => {
  test.each(
    Object.entries(pending)
  )("%s: returns no session token, creates no session and records no success", async (prefix, begin) => {
    const realm = await newRealm()
    const holder = await newHolder(realm)
    const { result, events } = await realm.seen.during(() => begin(realm, holder))
    expect([result.status, result.string("token").slice(0, 4)]).toEqual([200, prefix])
    expect(result.text).not.toMatch(/eyJ|kss_/)
    expect(result.headers.get("set-cookie")).toBeNull()
    expect(events).toEqual([event(holder.user, "login.initiated")])
    await expectNotLoggedIn(realm, holder)
  })

  test.each(
    Object.entries(pending)
  )("%s: returns a pending token that grants no access to any operation", async (prefix, begin) => {
    const realm = await newRealm()
    const holder = await newHolder(realm)
    const token = (await begin(realm, holder)).string("token")
    const right = prefix === "kli_" ? "v1.logins authenticate_code" : "v2.logins authenticate_token"
    const events = await realm.seen.caused(async () => {
      for (const operation of operations) {
        const { method, wrapper, members, params, name } = operation
        const reply = await realm.call(method, pathOf(operation), { headers: { authorization: `Bearer ${token}` } })
        expect([name, reply.status]).toEqual([name, 401])
        const sent = members.filter((member) => proofMembers.includes(member))
        if (name === right || (params.length === 0 && sent.length === 0)) continue
        const filled = Object.fromEntries(sent.map((member) => [member, token]))
        const body = method === "GET" ? {} : { body: wrapper === undefined ? filled : { [wrapper]: filled } }
        const path = pathOf(operation, () => encodeURIComponent(token))
        const { status } = await realm.call(method, path, body)
        const gone = name.endsWith(".sessions delete") && status === 204
        expect([name, status, gone || (status >= 400 && status < 500)]).toEqual([name, status, true])
      }
    })
    expect(events).toEqual([])
    await expectNotLoggedIn(realm, holder)
    const code = holder.device.code()
    const done = prefix === "kli_" ? completeV1(realm, holder.user.id, token, code) : complete(realm, token, code)
    expect((await done).status).toBe(200)
  })
})

describe("SEC-19, CVE-2025-64103, CVE-2024-45042, CVE-2026-9091: the second factor can't be skipped", () => {
  test("by a missing or empty code, or a code from an unverified, removed or another user's device", async () => {
    const realm = await newRealm()
    const [holder, other] = [await newHolder(realm), await newHolder(realm)]
    const unverified = await newDevice(realm, holder.user.id)
    const removed = (await newHolder(realm)).device
    await realm.delete(`/v2/credentials/${removed.id}`)
    const codes = [
      codeAt(unverified.string("otp_secret")),
      other.device.code(),
      removed.code(),
      undefined,
      null,
      "",
      " "
    ]
    for (const code of codes) {
      const token = (await authenticate(realm, holder.user.id)).string("token")
      expect([code, (await complete(realm, token, code)).status]).toEqual([code, 422])
    }
    const token = (await authenticateV1(realm, holder.user.id)).string("token")
    for (const code of [undefined, ""]) {
      expect((await completeV1(realm, holder.user.id, token, code)).status).toBe(422)
    }
    await expectNotLoggedIn(realm, holder)
  })

  test("by the correct code without a token or with another user's token", async () => {
    const realm = await newRealm()
    const [holder, other] = [await newHolder(realm), await newHolder(realm)]
    const code = holder.device.code()
    const theirs = (await authenticate(realm, other.user.id)).string("token")
    for (const token of [undefined, null, "", holder.user.id]) {
      expect(statusAndErrors(await complete(realm, token, code))).toEqual(UNUSABLE)
    }
    expect(statusAndErrors(await complete(realm, theirs, code))).toEqual([422, ["Login failed."]])
    await expectNotLoggedIn(realm, holder)
    await expectNotLoggedIn(realm, other)
  })

  test("SEC-23: by a password reset, after which every login still needs a code", async () => {
    const realm = await newRealm()
    const holder = await newHolder(realm)
    const { id } = holder.user
    const after = await reset(realm, await passwordToken(realm, id))
    expect(after.body).toEqual({ object: "token", token: expect.stringMatching(/^tmf:/) })
    const again = await resetV1(realm, await passwordTokenV1(realm, id), id, OTHER_PASSWORD)
    expect([again.status, again.member("token")]).toEqual([200, undefined])
    await expectNotLoggedIn(realm, holder)
    expect(statusAndErrors(await complete(realm, after.string("token"), holder.device.code()))).toEqual(UNUSABLE)
    const login = await authenticate(realm, id, OTHER_PASSWORD)
    expect(login.string("token")).toMatch(/^tmf:/)
    expect((await authenticateV1(realm, id, OTHER_PASSWORD)).string("token")).toMatch(/^kli_/)
    await expectNotLoggedIn(realm, holder)
    expect((await complete(realm, login.string("token"), holder.device.code())).status).toBe(200)
  })

  test("by a pending login whose password has changed", async () => {
    const realm = await newRealm()
    const holder = await newHolder(realm)
    const token = (await authenticate(realm, holder.user.id)).string("token")
    await realm.put(`/v2/users/${holder.user.id}`, { user: { password: OTHER_PASSWORD } })
    expect(statusAndErrors(await complete(realm, token, holder.device.code()))).toEqual(UNUSABLE)
  })
})
