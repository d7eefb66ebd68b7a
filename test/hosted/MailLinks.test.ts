import { describe, expect, test } from "vitest"
import { Api } from "#testing/Api"
import { authenticate, enrolled, userEvent as event, OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { fieldOf, GONE, pageOf, statusAndHeading, tagsOf, visibleText } from "../support/pages.ts"
import { newRealm, ownService } from "../support/sallyport.ts"
import { mailedToken, passwordToken, passwordTokenV1 } from "../support/tokens.ts"

const passwordFields = (password: string) => ({ password, password_confirmation: password })

const pages = ["verify", "reset", "invitation"] as const

describe("the verify page", () => {
  test("verifies the email when the user presses the button, not when the link is opened", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const token = await mailedToken(realm, user.id)
    const page = pageOf(realm, "verify")
    const views = await realm.seen.during(async () => [
      await page.show({ token }),
      await page.show({ token }, {}, "HEAD")
    ])
    expect(views.events).toEqual([])
    expect(views.result.map(({ status }) => status)).toEqual([200, 200])
    const [shown] = views.result
    expect(shown && visibleText(shown)).toContain(`Is ${user.string("email")} the email address for your`)
    expect(shown && fieldOf(shown, "token")).toBe(token)

    const { result, events } = await realm.seen.during(() => page.send({ token }))
    expect(statusAndHeading(result)).toEqual([200, "Email address confirmed"])
    expect(events).toEqual([event(user, "email.verified")])
    expect(
      await realm.seen.caused(async () => expect(statusAndHeading(await page.send({ token }))).toEqual(GONE))
    ).toEqual([])
    expect(statusAndHeading(await page.show({ token }))).toEqual(GONE)
  })

  test("accepts only one of two concurrent confirmations and records one event", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const token = await mailedToken(realm, user.id)
    const { result, events } = await realm.seen.during(() =>
      Promise.all([1, 2].map(() => pageOf(realm, "verify").send({ token })))
    )
    expect(result.map(({ status }) => status).sort()).toEqual([200, 410])
    expect(events).toEqual([event(user, "email.verified")])
  })

  test("confirms a pending email only if no other account uses it (SEC-26)", async () => {
    const realm = await newRealm()
    const user = await realm.user({ email_verification: "verified", email_pending: "new@example.test" })
    const [token, page] = [await mailedToken(realm, user.id), pageOf(realm, "verify")]
    const other = await realm.user({ email: "new@example.test" })
    expect(visibleText(await page.show({ token }))).toContain("Is new@example.test the email address")
    const refused = await page.send({ token })
    expect([refused.status, visibleText(refused)]).toEqual([
      422,
      expect.stringContaining("Another account already uses this email.")
    ])
    await realm.delete(`/v2/users/${other.id}`)
    expect(await realm.seen.caused(() => page.send({ token }))).toEqual([event(user, "email.verified")])
    expect((await realm.get(`/v2/users/${user.id}`)).member("email")).toBe("new@example.test")
  })
})

describe("the reset page", () => {
  test("changes the password once and ends the user's sessions", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    const session = await realm.session(user.id)
    const [token, page] = [await passwordToken(realm, user.id), pageOf(realm, "reset")]
    const shown = await page.show({ token })
    expect([shown.status, visibleText(shown)]).toEqual([200, expect.stringContaining("At least 8 characters.")])
    expect(shown.text).toContain(`value="${user.string("email")}"`)

    const before = await realm.seen.during(async () => [
      await page.send({ token, ...passwordFields("short") }),
      await page.send({ token, password: PASSWORD, password_confirmation: OTHER_PASSWORD }),
      await page.send({ token, password: PASSWORD }),
      await page.send({ token })
    ])
    expect(before.events).toEqual([])
    expect(before.result.map(({ status }) => status)).toEqual([422, 422, 422, 422])
    const sentences = ["Too short (minimum is 8", "don't match", "don't match", "Can't be blank"]
    before.result.forEach((reply, index) => expect(visibleText(reply)).toContain(sentences[index]))
    const [short] = before.result
    expect(short?.text).toMatch(/<title>Error: Choose a new password/)
    expect(short?.text).toMatch(
      /<input id="password"[^>]* autofocus aria-invalid="true" aria-describedby="password-hint password-error">/
    )
    expect(short?.text).not.toContain("short&quot;")

    const { result, events } = await realm.seen.during(() => page.send({ token, ...passwordFields(PASSWORD) }))
    expect(statusAndHeading(result)).toEqual([200, "Password changed"])
    expect(events).toEqual([
      event(user, "password_token.consumed"),
      { event_type: "session.deleted", user_id: user.id, session_id: session.id }
    ])
    expect((await authenticate(realm, user.id)).status).toBe(200)
    expect(
      await realm.seen.caused(async () =>
        expect(statusAndHeading(await page.send({ token, ...passwordFields(PASSWORD) }))).toEqual(GONE)
      )
    ).toEqual([event(user, "password_token.failed")])
  })

  test("changes the password once with a v1 token, and the next login requires the second factor (SEC-21, SEC-23)", async () => {
    const realm = await newRealm()
    const user = await realm.user()
    await enrolled(realm, user.id)
    const [token, page] = [await passwordTokenV1(realm, user.id), pageOf(realm, "reset")]
    const { result, events } = await realm.seen.during(() =>
      Promise.all([1, 2].map(() => page.send({ token, ...passwordFields(PASSWORD) })))
    )
    expect(result.map(({ status }) => status).sort()).toEqual([200, 410])
    const types = events.map(({ event_type }) => event_type)
    expect(types.filter((type) => type !== "user.password_token.failed")).toEqual(["user.password_token.consumed"])
    for (const { headers } of result) expect(headers.get("set-cookie")).toBe(null)
    expect((await authenticate(realm, user.id)).member("token")).toMatch(/^tmf:/)
  })

  test("shows an error page if the realm is inactive or has passwords turned off", async () => {
    const realm = await newRealm()
    const [token, page] = [await passwordToken(realm, (await realm.user()).id), pageOf(realm, "reset")]
    await realm.put("/v2/auth_providers/password", { auth_provider: { state: "inactive" } })
    const off = [422, "Password login is turned off"]
    expect([
      statusAndHeading(await page.show({ token })),
      statusAndHeading(await page.send({ token, ...passwordFields(PASSWORD) }))
    ]).toEqual([off, off])
    await realm.put(`/v2/realms/${realm.id}`, { realm: { state: "inactive" } })
    const closed = [422, "Not available right now"]
    expect([
      statusAndHeading(await page.show({ token })),
      statusAndHeading(await page.send({ token, ...passwordFields(PASSWORD) }))
    ]).toEqual([closed, closed])
  })
})

test("an expired link gets 410, and an expired reset is recorded as an event (SEC-24)", () =>
  ownService(async ({ given, clock }) => {
    const realm = await given.realm()
    const user = await realm.user()
    const [reset, verify] = [await passwordToken(realm, user.id), await mailedToken(realm, user.id)]
    clock.advance(24 * 3_600_000)
    expect(statusAndHeading(await pageOf(realm, "verify").send({ token: verify }))).toEqual(GONE)
    const { result, events } = await realm.seen.during(async () => [
      await pageOf(realm, "reset").show({ token: reset }),
      await pageOf(realm, "reset").send({ token: reset, ...passwordFields(PASSWORD) })
    ])
    expect(result.map(statusAndHeading)).toEqual([GONE, GONE])
    const failed = event(user, "password_token.failed")
    expect(events).toEqual([failed, failed])
  }))

test("every invalid token gets the same response (SEC-20)", async () => {
  const [realm, other] = [await newRealm(), await newRealm()]
  const user = await realm.user()
  const [verify, reset] = [await mailedToken(realm, user.id), await passwordToken(realm, user.id)]
  const foreign = { verify, reset, invitation: (await realm.invitation()).string("token") }
  const swapped = { verify: reset, reset: verify, invitation: reset }
  for (const page of pages) {
    const [there, here] = [pageOf(other, page), pageOf(realm, page)]
    const events = await realm.seen.caused(async () => {
      const first = await here.show({})
      expect(first.status).toBe(410)
      const replies = [
        await there.show({ token: foreign[page] }),
        await there.send({ token: foreign[page], ...passwordFields(PASSWORD) }),
        await here.show({ token: swapped[page] }),
        await here.send({ token: swapped[page], ...passwordFields(PASSWORD) }),
        await here.show({ token: "\0'\"><script>" }),
        await here.send({})
      ]
      for (const reply of replies) expect([reply.status, tagsOf(reply)]).toEqual([410, tagsOf(first)])
    })
    expect(events).toEqual([])
  }
})

test("user-provided text is never interpreted as markup (SEC-31)", async () => {
  const hostile = `</title><script>alert(1)</script>"'\`><img src=x onerror=alert(1)>{{7*7}}&lt;`
  const pagesWith = async (text: string) => {
    const realm = await newRealm({ name: text })
    const [user, org] = [await realm.user({ first_name: text, last_name: text }), await realm.org({ name: text })]
    const made = await realm.invitation({ org_id: org.id, inviting_user_id: user.id })
    const [verify, reset, token] = [
      await mailedToken(realm, user.id),
      await passwordToken(realm, user.id),
      made.string("token")
    ]
    const invitation = pageOf(realm, "invitation")
    return [
      await pageOf(realm, "verify").show({ token: verify }),
      await pageOf(realm, "reset").show({ token: reset }),
      await invitation.show({ token }),
      await invitation.send({ token, way: "signup", first_name: text, last_name: text }),
      await invitation.send({ token, way: "login", name: text }),
      await invitation.send({ token, way: "code", login: text, code: "" }),
      await invitation.send({ token: text, way: text })
    ]
  }
  const [bad, plain] = [await pagesWith(hostile), await pagesWith("Plain")]
  expect(bad.map(tagsOf)).toEqual(plain.map(tagsOf))
  for (const reply of bad) expect(visibleText(reply)).toContain(hostile)
  expect(bad[3] && fieldOf(bad[3], "first_name")).toBe(hostile)
})

test("pages use the browser's language, with the realm's as the fallback", async () => {
  const realm = await newRealm({ default_locale: "es", available_locales: ["en", "es"] })
  const page = pageOf(realm, "reset")
  const token = await passwordToken(realm, (await realm.user()).id)
  const languageOf = async (accepts: string) => {
    const reply = await page.send({ token, ...passwordFields("corta") }, { "accept-language": accepts })
    return [/<html lang="(\w+)">/.exec(reply.text)?.[1], reply.headers.get("content-language"), visibleText(reply)]
  }
  const spanish = ["es", "es", expect.stringContaining("Debe tener al menos 8 caracteres.")]
  expect(await languageOf("es-MX,en;q=0.5")).toEqual(spanish)
  expect(await languageOf("fr, de;q=0.9")).toEqual(spanish)
  expect(await languageOf("fr, en;q=0.3")).toEqual([
    "en",
    "en",
    expect.stringContaining("Too short (minimum is 8 characters).")
  ])
  const nowhere = await pageOf({ transport: realm.transport, id: "rl_nowhere" }, "verify").show(
    {},
    { "accept-language": "es" }
  )
  expect(statusAndHeading(nowhere)).toEqual([404, "Página no encontrada"])
})

test.each(pages)("%s: every response is a complete page with secure headers (SEC-38)", async (name) => {
  const realm = await newRealm()
  const page = pageOf(realm, name)
  const gone = await newRealm()
  await gone.delete(`/v2/realms/${gone.id}`)
  const browser = new Api(realm.transport, undefined)
  const form = { "content-type": "application/x-www-form-urlencoded" }
  const replies = [
    await page.show({ token: "x" }),
    await page.show({ token: "x" }, {}, "HEAD"),
    await page.send({ token: "x" }),
    await pageOf(gone, name).show({ token: "x" }),
    await pageOf({ transport: realm.transport, id: "rl_nowhere" }, name).send({ token: "x" }),
    await page.show({}, {}, "PUT"),
    await page.show({}, {}, "OPTIONS"),
    await browser.call("POST", page.path, { body: { token: "x" } }),
    await browser.call("POST", page.path, { body: "token=a&token=b", headers: form }),
    await browser.call("POST", page.path, { body: `token=${"x".repeat(300_000)}`, headers: form })
  ]
  expect(replies.map(({ status }) => status)).toEqual([410, 410, 410, 404, 404, 405, 405, 415, 400, 413])
  expect(replies[5]?.headers.get("allow")).toBe("GET, HEAD, POST")
  expect(replies[1]?.text).toBe("")
  for (const { headers, text } of replies) {
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='( 'sha256-[\w+/]{43}=')?; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/
    )
    expect(headers.get("referrer-policy")).toBe("no-referrer")
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("set-cookie")).toBe(null)
    if (text === "") continue
    expect([text.match(/<h1>/g)?.length, text.match(/<script/g)?.length]).toEqual([1, 1])
    expect(/<link|<script .*|<body.*<script| src=| on\w+=/s.exec(text)?.[0]).toBe(undefined)
  }
})

test("a form is rejected if another site submits it (SEC-35)", async () => {
  const realm = await newRealm()
  const page = pageOf(realm, "verify")
  const token = await mailedToken(realm, (await realm.user()).id)
  const refused = [403, "This request came from another site"]
  for (const headers of [
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site", origin: "null" },
    { origin: "https://evil.example" },
    { origin: "https://id.example.test.evil.example" },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" }
  ]) {
    expect([headers, statusAndHeading(await page.send({ token }, headers))]).toEqual([headers, refused])
  }
  const own: ReadonlyArray<Readonly<Record<string, string>>> = [
    { origin: "null", "sec-fetch-site": "same-origin" },
    { origin: "https://id.example.test" },
    { origin: realm.url }
  ]
  const statuses = []
  for (const headers of own) statuses.push((await page.send({ token }, headers)).status)
  expect(statuses).toEqual([200, 410, 410])
})
