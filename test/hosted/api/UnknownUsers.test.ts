import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { GivenRealm } from "#testing/Given"
import { effectsOf, type Hosted, hostedAt, LOGIN_FAILED, rejection, statusAndBody } from "../../support/hostedApi.ts"
import { userEvent as event, PASSWORD } from "../../support/logins.ts"
import { hashesComputed } from "../../support/passwordEntryPoints.ts"
import { clockedService, newRealm, ownService } from "../../support/sallyport.ts"

const WRONG = "seven purple elephantz"

/** Names of users in different states, of the same length. */
const KNOWN = "known00"
const people = [KNOWN, "nobody0", "asleep0", "nopass0"]

const mail = (name: string) => `${name}@example.test`

const createUsers = async (realm: GivenRealm, attributes: object = {}) => {
  const namesOf = (name: string) => ({ username: name, email: mail(name), ...attributes })
  const known = await realm.user({ ...namesOf(KNOWN), password: PASSWORD })
  const asleep = await realm.user({ ...namesOf("asleep0"), password: PASSWORD, state: "inactive" })
  const bare = await realm.user(namesOf("nopass0"))
  return { known, asleep, bare }
}

/** A response, byte for byte, except the request id and date. */
const comparableResponse = ({ status, headers, text }: Reply) => ({
  status,
  text,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id" && name !== "date"))
})

type Ask = (name: string) => Promise<Reply>

/** Sends a request for each name, asserts equal responses and returns one, with the number of hashes computed. */
const responseForAll = async (api: GivenRealm, ask: Ask, names: ReadonlyArray<string> = people) => {
  const answers: Array<unknown> = []
  for (const name of names) {
    const before = await hashesComputed(api)
    const reply = await ask(name)
    answers.push({
      ...comparableResponse(reply),
      cookies: reply.headers.getSetCookie(),
      hashes: (await hashesComputed(api)) - before
    })
  }
  expect(answers).toEqual(names.map(() => answers[0]))
  return answers[0]
}

const ways: ReadonlyArray<readonly [way: string, (at: Pick<Hosted, "post" | "get">, name: string) => Promise<Reply>]> =
  [
    ["by username", (at, username) => at.post("login", { username, password: WRONG })],
    ["by email", (at, name) => at.post("login", { email: mail(name), password: WRONG })],
    ["by JSONP", (at, username) => at.get("login", { username, password: WRONG, callback: "f" })]
  ]

describe("SEC-14, CVE-2024-41952, CVE-2026-23511: login doesn't reveal which users exist", () => {
  test.each(
    ways
  )("%s: returns the same bytes at the same cost for known, unknown, inactive and passwordless users", (_, login) =>
    ownService(async ({ given, clock }) => {
      const realm = await given.realm()
      await createUsers(realm)
      const at = await hostedAt(realm)
      const loginResponse = () => responseForAll(realm, (name) => login(at, name))
      for (let n = 1; n <= 10; n += 1) {
        expect(await loginResponse()).toMatchObject({
          status: 200,
          text: expect.stringContaining("Login failed."),
          hashes: 1
        })
      }
      const blocked = { status: 200, text: expect.stringContaining("Try again in 15 minutes."), hashes: 0 }
      expect(await loginResponse()).toMatchObject({ ...blocked, headers: { "retry-after": "900" } })
      clock.advance("14 minutes")
      expect(await loginResponse()).toMatchObject({ headers: { "retry-after": "60" }, hashes: 0 })
      clock.advance("1 minute")
      expect(await loginResponse()).toMatchObject({ text: expect.stringContaining("Login failed."), hashes: 1 })
    }))

  test("returns the same error for an inactive user even if the password is right", async () => {
    const realm = await newRealm()
    const [{ asleep }, at] = [await createUsers(realm), await hostedAt(realm)]
    const replies: Array<unknown> = []
    const events = await realm.seen.caused(async () => {
      for (const [username, password] of [
        ["asleep0", PASSWORD],
        ["nobody0", PASSWORD],
        [KNOWN, WRONG]
      ] as const) {
        replies.push(comparableResponse(await at.post("login", { username, password })))
      }
    })
    expect(replies).toEqual([replies[0], replies[0], replies[0]])
    expect(events).toContainEqual(event(asleep, "login.failed"))
    expect(statusAndBody(await at.post("login", { username: "nobody0", password: PASSWORD }))).toEqual(LOGIN_FAILED)
  })

  test("applies the same limits to known and unknown names (C45)", () =>
    ownService(
      async ({ given, clock }) => {
        const realm = await given.realm()
        const limits = { attempts: 3, hosted: 1_000, hosted_sustained: 1_000 }
        await realm.put(`/v2/realms/${realm.id}`, { realm: { limits } })
        await createUsers(realm)
        const at = await hostedAt(realm)
        const loginResponse = () => responseForAll(realm, (username) => at.post("login", { username, password: WRONG }))
        for (let n = 1; n <= 3; n += 1) expect(await loginResponse()).toMatchObject({ hashes: 1 })
        expect(await loginResponse()).toMatchObject({
          status: 200,
          text: expect.stringContaining("Too many attempts for this user: at most 3 in 60 seconds."),
          headers: { "retry-after": "60" },
          hashes: 0
        })
        clock.advance("1 minute")
        expect(await loginResponse()).toMatchObject({ text: expect.stringContaining("Login failed."), hashes: 1 })
      },
      { limits: "all" }
    ))
})

describe("SEC-15: requesting an email by name doesn't reveal which users exist", () => {
  test.each([
    ["forgotPassword", "a link to reset your password"],
    ["resendEmailToken", "unconfirmed email"]
  ] as const)("%s: returns the same bytes at the same cost, but emails only known users", async (operation, said) => {
    const { given, advance, postbox, transport, key } = await clockedService()
    const realm = await given.realm()
    const [{ known, bare }, at] = [await createUsers(realm, { email_verification: "requested" }), await hostedAt(realm)]
    await realm.user({ username: "unasked", email: mail("unasked") })
    await advance("1 minute")
    for (const name of [...people, "unasked"]) postbox.take(mail(name))
    const names = operation === "forgotPassword" ? people : [...people, "unasked"]
    const own = new GivenRealm(transport, key, realm.id)
    const expected = { status: 200, text: expect.stringContaining(said), cookies: [], hashes: 0 }
    const events = await realm.seen.caused(async () => {
      expect(await responseForAll(own, (username) => at.post(operation, { username }), names)).toMatchObject(expected)
      expect(await responseForAll(own, (name) => at.get(operation, { email: mail(name) }), names)).toMatchObject(
        expected
      )
      await expect
        .poll(async () => (await realm.seen.all()).filter(isMail(operation)).length, { timeout: 10_000 })
        .toBe(4 + emailsAtCreation(operation))
    })
    expect(new Set(events.map(({ user_id }) => user_id))).toEqual(new Set([known.id, bare.id]))
    await advance("1 minute")
    const got = names.map((name) => [name, postbox.take(mail(name)).length])
    expect(got.filter(([, count]) => count !== 0)).toEqual([
      [KNOWN, 2],
      ["nopass0", 2]
    ])
  })

  test("returns the same response over the email limit without sending more emails", async () => {
    const realm = await newRealm()
    const [{ known }, at] = [await createUsers(realm), await hostedAt(realm)]
    const limits = { hosted: 1_000, hosted_sustained: 1_000 }
    await realm.put(`/v2/realms/${realm.id}`, { realm: { limits } })
    const replies: Array<unknown> = []
    const events = await effectsOf(
      realm,
      async (own) => {
        for (let n = 0; n < 6; n += 1)
          replies.push(comparableResponse(await at.of(own).post("forgotPassword", { username: KNOWN })))
        replies.push(comparableResponse(await at.of(own).post("forgotPassword", { username: "nobody0" })))
      },
      { limits: "all" }
    )
    expect(replies).toEqual(replies.map(() => replies[0]))
    expect(events).toEqual(Array.from({ length: 3 }, () => event(known, "password.resetting")))
  })

  test("returns the same response for an impossible name as for an unknown name", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const reference = comparableResponse(await at.post("forgotPassword", { username: "nobody0" }))
    for (const username of ["x".repeat(10_000), "a@b@c", "' or 1=1", "usr_x", "\u202e", "ÿ\u0301"]) {
      expect(comparableResponse(await at.post("forgotPassword", { username }))).toEqual(reference)
    }
    expect(statusAndBody(await at.post("forgotPassword", { username: "a\u0000" }))).toEqual(
      rejection("Username is not valid.")
    )
  })
})

/** Matches the event of an operation's email. */
const isMail = (operation: "forgotPassword" | "resendEmailToken") => (one: Readonly<Record<string, unknown>>) =>
  one["event_type"] === (operation === "forgotPassword" ? "user.password.resetting" : "user.email.verifying")

/** The number of emails of an operation that were sent when the users were created. */
const emailsAtCreation = (operation: "forgotPassword" | "resendEmailToken") => (operation === "forgotPassword" ? 0 : 3)
