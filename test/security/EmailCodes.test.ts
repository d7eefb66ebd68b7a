import { describe, expect, test } from "vitest"
import type { GivenRealm } from "#testing/Given"
import { codeLink, codeOf, otherCode, sendCode, withEmailCodes } from "../support/codes.ts"
import { hostedAt } from "../support/hostedApi.ts"
import { authenticate, complete, completeV1, enrolled, userEvent as event, PASSWORD } from "../support/logins.ts"
import { ownService, service } from "../support/sallyport.ts"
import { tokenOf, UNUSABLE } from "../support/tokens.ts"

const newRealm = async (settings: object = {}): Promise<GivenRealm> =>
  withEmailCodes(await (await service()).given.realm({ limits: { mails: 1_000, mails_sustained: 1_000 } }), settings)

const errorOf = ({ status, errors }: { readonly status: number; readonly errors: unknown }) => [status, errors]

describe("a code sent by email", () => {
  test.each(["v1", "v2"])("completes a login under %s and verifies the email", async (version) => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD })
    const sent = await realm.seen.during(() => sendCode(realm, user.id, {}, version))
    expect(sent.result.body).toEqual({ object: "token", token: tokenOf("tec:") })
    expect(sent.events).toEqual([event(user, "email_code.requested")])
    const token = sent.result.string("token")
    const code = await codeOf(realm, user.id)
    const { result } = await realm.seen.during(() =>
      version === "v2" ? complete(realm, token, code) : completeV1(realm, user.id, token, code)
    )
    expect(result.status).toBe(200)
    expect((await realm.get(`/v2/users/${user.id}`)).member("email_verification")).toBe("verified")
    if (version === "v2") expect([result.member("amr"), result.member("acr")]).toEqual([["otp"], "aal1"])
  })

  test("is rejected while the provider is inactive, which is the default", async () => {
    const realm = await (await service()).given.realm()
    const user = await realm.user()
    expect((await sendCode(realm, user.id)).status).toBe(422)
  })

  test("is followed by a second factor if the user has a second factor", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD, email_verification: "verified" })
    const device = await enrolled(realm, user.id)
    const token = (await sendCode(realm, user.id)).string("token")
    const after = await complete(realm, token, await codeOf(realm, user.id))
    expect(after.body).toEqual({ object: "token", token: tokenOf("tmf:") })
    expect((await complete(realm, after.string("token"), device.code())).member("amr")).toEqual(["otp", "mfa"])
  })

  test("can be a second factor only if the provider allows emailed codes and the email is verified", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD, email_verification: "verified" })
    await enrolled(realm, user.id)
    const pending = (await authenticate(realm, user.id)).string("token")
    expect((await sendCode(realm, user.id, { user: { token: pending } })).status).toBe(422)
    await withEmailCodes(realm, { second_factor: true })
    const token = (await sendCode(realm, user.id, { user: { token: pending } })).string("token")
    const session = await complete(realm, token, await codeOf(realm, user.id))
    expect([session.status, session.member("amr"), session.member("acr")]).toEqual([200, ["pwd", "otp", "mfa"], "aal2"])
    expect((await complete(realm, pending, await codeOf(realm, user.id))).status).toBe(422)
  })
})

test("SEC-125: an emailed code can be guessed five times per token and ten times per user, even concurrently", async () => {
  const realm = await newRealm()
  const user = await realm.user({ password: PASSWORD })
  const tokens = await Promise.all([1, 2, 3].map(async () => (await sendCode(realm, user.id)).string("token")))
  const code = await codeOf(realm, user.id)
  const { result, events } = await realm.seen.during(() =>
    Promise.all(Array.from({ length: 40 }, (_, n) => complete(realm, tokens[n % 3] ?? "", otherCode(code, n + 1))))
  )
  expect(result.filter(({ status }) => status === 200)).toEqual([])
  const failed = events.filter(({ event_type }) => event_type === "user.login.failed")
  expect(failed.length).toBeLessThanOrEqual(10)
  expect(events.filter(({ event_type }) => event_type === "user.blocked").length).toBeLessThanOrEqual(1)
  for (const token of tokens) expect([422, 429]).toContain((await complete(realm, token, code)).status)
  // Guessing codes doesn't block password logins.
  expect((await authenticate(realm, user.id)).status).toBe(200)
})

test("SEC-125: of 40 concurrent uses of one code, exactly one succeeds", async () => {
  const realm = await newRealm()
  const user = await realm.user()
  const token = (await sendCode(realm, user.id)).string("token")
  const code = await codeOf(realm, user.id)
  const { result, events } = await realm.seen.during(() =>
    Promise.all(Array.from({ length: 40 }, () => complete(realm, token, code)))
  )
  expect(result.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(events.filter(({ event_type }) => event_type === "user.login.succeeded")).toHaveLength(1)
})

test("SEC-127: an emailed code is rejected for another user, token, realm, purpose or previous email", async () => {
  const realm = await newRealm()
  const [user, other] = [await realm.user(), await realm.user()]
  const token = (await sendCode(realm, user.id)).string("token")
  const code = await codeOf(realm, user.id)
  const another = (await sendCode(realm, other.id)).string("token")
  expect((await complete(realm, another, code)).status).toBe(422)
  expect((await completeV1(realm, other.id, token, code)).status).toBe(404)
  expect(errorOf(await complete(await newRealm(), token, code))).toEqual(UNUSABLE)
  const link = await codeLink(realm, user.id)
  expect(errorOf(await complete(realm, link, code))).toEqual(UNUSABLE)
  expect((await realm.post("/v2/users/verify_email", { user: { token: link } })).status).toBe(422)
  await realm.put(`/v2/users/${user.id}`, { user: { email: "elsewhere@example.test" } })
  expect(errorOf(await complete(realm, token, code))).toEqual(UNUSABLE)
})

test("SEC-146: an emailed code completes only the login that requested the code, until a newer code is sent", async () => {
  const realm = await newRealm({ second_factor: true })
  const user = await realm.user({ password: PASSWORD, email_verification: "verified" })
  await enrolled(realm, user.id)
  const [mine, other] = [await authenticate(realm, user.id), await authenticate(realm, user.id)]
  const pending = mine.string("token")
  const send = async () => {
    await sendCode(realm, user.id, { user: { token: pending } })
    return codeOf(realm, user.id)
  }
  const [first, last] = [await send(), await send()]
  for (const [token, code] of [
    [other.string("token"), last],
    [pending, first]
  ] as const) {
    expect((await complete(realm, token, code)).errors).toEqual(["Login failed."])
  }
  expect((await complete(realm, pending, last)).status).toBe(200)
})

test("SEC-147: guesses of emailed codes are limited per day, while the link in the email keeps working", () =>
  ownService(
    async ({ given, advance, clock }) => {
      const day = 86_400_000
      await advance(day - (clock.currentTimeMillisUnsafe() % day))
      const highLimits = {
        mails: 1_000,
        mails_sustained: 1_000,
        attempts: 1_000,
        hosted: 1_000,
        hosted_sustained: 1_000
      }
      const realm = await withEmailCodes(await given.realm({ limits: { ...highLimits, email_codes: 12 } }))
      const user = await realm.user()
      const token = async () => (await sendCode(realm, user.id)).string("token")
      const wrong = async (times: number) => {
        const used = await token()
        const code = otherCode(await codeOf(realm, user.id))
        for (let n = 0; n < times; n++) expect((await complete(realm, used, code)).status).toBe(422)
      }
      await wrong(5)
      await wrong(5)
      await advance("15 minutes")
      // A correct code doesn't count as a guess.
      expect((await complete(realm, await token(), await codeOf(realm, user.id))).status).toBe(200)
      await wrong(2)
      const rejected = await complete(realm, await token(), await codeOf(realm, user.id))
      expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, String(86_400 - 900)])
      const { inBrowser, origin } = await hostedAt(realm)
      const form = { way: "link", token: await codeLink(realm, user.id) }
      const headers = { origin: "null", "sec-fetch-site": "same-origin" }
      expect((await inBrowser().browser.go(new URL(`${origin}/code`), { form, headers })).status).toBe(303)
      await advance("1 day")
      expect((await complete(realm, await token(), await codeOf(realm, user.id))).status).toBe(200)
    },
    { limits: "all" }
  ))

test("SEC-126: a link scanner can open the emailed link any number of times without logging in", async () => {
  const realm = await newRealm()
  const user = await realm.user()
  const { inBrowser, origin } = await hostedAt(realm)
  await sendCode(realm, user.id)
  const token = await codeLink(realm, user.id)
  const { browser } = inBrowser()
  const link = new URL(`${origin}/code?token=${encodeURIComponent(token)}`)
  const looks = await realm.seen.during(async () => [await browser.go(link), await browser.go(link)])
  expect(looks.events).toEqual([])
  expect(looks.result.map(({ status }) => status)).toEqual([200, 200])
  const submitLink = () =>
    browser.go(new URL(`${origin}/code`), {
      form: { way: "link", token },
      headers: { origin: "null", "sec-fetch-site": "same-origin" }
    })
  expect((await submitLink()).status).toBe(303)
  expect((await submitLink()).status).toBe(410)
})

test("SEC-128: emailed codes don't reveal whether an account exists, even when wrong or blocked", async () => {
  const realm = await newRealm()
  await realm.user({ email: "known@example.test" })
  const at = await hostedAt(realm)
  const seen = async (email: string) => {
    const sent = await at.post("sendCode", { email })
    const token = sent.string("token")
    const tries: Array<unknown> = []
    for (let n = 0; n < 12; n += 1) {
      const { status, text } = await at.post("verifyLogin", { email, token, code: "000000" })
      tries.push([status, text.replaceAll(/\d+/g, "n")])
    }
    return [sent.status, Object.keys(Object(sent.body)), token.length, tries]
  }
  expect(await seen("known@example.test")).toEqual(await seen("nobody@example.test"))
})
