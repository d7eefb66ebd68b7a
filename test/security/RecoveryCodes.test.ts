import { describe, expect, test } from "vitest"
import { recoveryCodes } from "../support/codes.ts"
import { authenticate, authenticateV1, complete, completeV1, enrolled, userEvent as event } from "../support/logins.ts"
import { service } from "../support/sallyport.ts"

const givenUser = async () => {
  const realm = await (await service()).given.realm()
  const user = await realm.user({ password: "seven purple elephants" })
  const device = await enrolled(realm, user.id)
  const pending = async () => (await authenticate(realm, user.id)).string("token")
  return { realm, user, device, pending }
}

const recoveryCodesLeft = async ({ realm, user }: Pick<Awaited<ReturnType<typeof givenUser>>, "realm" | "user">) => {
  const credentials = (await realm.get(`/v2/users/${user.id}`)).member("credentials")
  const found = Array.isArray(credentials) ? credentials.find((one) => one.credential_type === "recovery_codes") : {}
  return (await realm.get(`/v2/credentials/${found.id}`)).body
}

describe("a set of recovery codes", () => {
  test("has ten codes, each of which can replace an authenticator code once", async () => {
    const { realm, user, pending } = await givenUser()
    const created = await realm.post("/v2/credentials", {
      credential: { credential_type: "recovery_codes", user_id: user.id }
    })
    const codes = await recoveryCodes(realm, user.id)
    expect(created.status).toBe(201)
    expect(new Set(codes).size).toBe(10)
    expect(codes.filter((code) => !/^[0-9a-z]{4}-[0-9a-z]{4}-[0-9a-z]{4}$/.test(code))).toEqual([])
    expect(await recoveryCodesLeft({ realm, user })).toMatchObject({ codes_left: 10 })
    expect(await recoveryCodesLeft({ realm, user })).not.toHaveProperty("codes")

    const [first = "", second = ""] = codes
    const token = await pending()
    const { result, events } = await realm.seen.during(() => complete(realm, token, first.toUpperCase()))
    expect([result.status, result.member("amr"), result.member("acr")]).toEqual([200, ["pwd", "otp", "mfa"], "aal2"])
    expect(events).toEqual([
      event(user, "recovery_code.used"),
      { ...event(user, "login.succeeded"), session_id: result.id }
    ])
    expect((await complete(realm, await pending(), first)).status).toBe(422)
    const v1 = (await authenticateV1(realm, user.id)).string("token")
    expect((await completeV1(realm, user.id, v1, second.replaceAll("-", " "))).status).toBe(200)
    expect(await recoveryCodesLeft({ realm, user })).toMatchObject({ codes_left: 8 })
  })

  test("is not a second factor by itself", async () => {
    const realm = await (await service()).given.realm()
    const user = await realm.user({ password: "seven purple elephants" })
    await recoveryCodes(realm, user.id)
    expect((await authenticate(realm, user.id)).member("object")).toBe("session")
  })

  test("can't be created together with a new user", async () => {
    const realm = await (await service()).given.realm()
    const created = await realm.post("/v2/users", { user: { credentials: [{ credential_type: "recovery_codes" }] } })
    expect([created.status, created.text]).toEqual([
      422,
      expect.stringContaining("must be one of: api_key, password, totp")
    ])
  })
})

test("SEC-124: of 40 concurrent uses of one recovery code, exactly one succeeds", async () => {
  const { realm, user, pending } = await givenUser()
  const [code = ""] = await recoveryCodes(realm, user.id)
  const tokens = await Promise.all(Array.from({ length: 8 }, pending))
  const { result, events } = await realm.seen.during(() =>
    Promise.all(Array.from({ length: 40 }, (_, n) => complete(realm, tokens[n % tokens.length] ?? "", code)))
  )
  expect(result.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(events.filter(({ event_type }) => event_type === "user.recovery_code.used")).toHaveLength(1)
  expect(events.filter(({ event_type }) => event_type === "user.login.succeeded")).toHaveLength(1)
  expect(await recoveryCodesLeft({ realm, user })).toMatchObject({ codes_left: 9 })
})

test("SEC-124: recovery codes can be guessed only five times per login and ten times per user", async () => {
  const { realm, user, pending } = await givenUser()
  const [right = ""] = await recoveryCodes(realm, user.id)
  const tries: Array<number> = []
  for (const _ of [1, 2]) {
    const token = await pending()
    for (const n of [1, 2, 3, 4, 5, 6]) tries.push((await complete(realm, token, `0000-0000-000${n}`)).status)
  }
  expect(tries.filter((status) => status === 422)).toHaveLength(12)
  expect((await complete(realm, await pending(), right)).status).toBe(429)
})

test("SEC-127: a recovery code is rejected for another user, in another realm or after a newer set", async () => {
  const one = await givenUser()
  const other = await givenUser()
  const neighbor = await one.realm.user()
  const foreign = [
    ...(await recoveryCodes(one.realm, neighbor.id)).slice(0, 1),
    ...(await recoveryCodes(other.realm, other.user.id)).slice(0, 1),
    ...(await recoveryCodes(one.realm, one.user.id)).slice(0, 1)
  ]
  const [right = ""] = await recoveryCodes(one.realm, one.user.id)
  const token = await one.pending()
  for (const code of foreign) expect((await complete(one.realm, token, code)).status).toBe(422)
  expect((await complete(one.realm, token, right)).status).toBe(200)
})
