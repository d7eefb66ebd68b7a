import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { enrolled, PASSWORD } from "../../support/logins.ts"
import { GONE, statusAndHeading, unescapeHtml, visibleText } from "../../support/pages.ts"
import { clockedService, newRealm, ownService } from "../../support/sallyport.ts"
import { onProfilePage, onSecurityPage, SAME_SITE_HEADERS, visitorAtApp } from "../../support/visitor.ts"

const errorUnder = ({ text }: { readonly text: string }, field: string) =>
  unescapeHtml(new RegExp(`id="${field}-error">([^<]*)<`).exec(text)?.[1] ?? "")

/** The links in the main part of a page, with their labels. */
const linksIn = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/<a(?: class="[^"]*")? href="([^"]*)">([^<]*)<\/a>/g)].map(([, href = "", label = ""]) => [
    unescapeHtml(href),
    unescapeHtml(label)
  ])

const withLimits = (use: Parameters<typeof ownService>[0]) => ownService(use, { limits: "all" })

describe("C85: a rate limit on pages", () => {
  test("applies to passwords and taken usernames, but not to saving the profile", () =>
    withLimits(async ({ given }) => {
      const { visitor, user } = await onProfilePage(await given.realm())
      for (let n = 0; n < 12; n += 1) {
        await visitor.open("/profile")
        expect((await visitor.fill({ first_name: `Ada ${n}` }, "Save")).status).toBe(303)
      }
      const statuses: Array<number> = []
      for (let n = 0; n < 7; n += 1) {
        const form = { way: "details", email: user.string("email"), username: uniqueText("taken") }
        statuses.push((await visitor.send("/profile", form)).status)
      }
      expect(statuses).toContain(429)
    }))

  test("shows the seconds left and a link back to the form", () =>
    withLimits(async ({ given }) => {
      const { visitor } = await visitorAtApp(await given.realm())
      const form = { name: "nobody", password: PASSWORD, redirect_uri: "https://app.example.test/login" }
      let attempts = 0
      do attempts += 1
      while ((await visitor.send("/login", form)).status !== 429 && attempts < 12)
      const { page } = visitor
      const seconds = Number(page.headers.get("retry-after"))
      expect(statusAndHeading(page)).toEqual([429, "Too many attempts"])
      expect(visibleText(page)).toContain(`Try again in ${seconds} second${seconds === 1 ? "" : "s"}.`)
      expect(linksIn(page)).toEqual([[expect.stringMatching(/^login\?redirect_uri=https%3A/), "Back"]])
    }))
})

describe("C85: a page links to the next step", () => {
  test.each([
    [
      "reset",
      GONE,
      [
        ["/forgot", "Request a new email"],
        ["/login", "Log in"]
      ]
    ],
    ["verify", GONE, [["/login", "Log in"]]],
    ["invitation", [410, "This invitation no longer works"], [["/login", "Log in"]]]
  ])("after a used link of /%s", async (page, expected, links) => {
    const { visitor } = await visitorAtApp(await newRealm())
    await visitor.open(`/${page}?token=kpw_${"x".repeat(43)}`)
    expect(statusAndHeading(visitor.page)).toEqual(expected)
    expect(linksIn(visitor.page)).toEqual(links)
  })

  test("after a sign-up with a taken email or username", async () => {
    const realm = await newRealm()
    const { visitor, email } = await visitorAtApp(realm)
    const username = uniqueText("newcomer")
    await visitor.open("/signup")
    const byEmail = await visitor.fill({ username, email, password: PASSWORD })
    expect([byEmail.status, errorUnder(byEmail, "email")]).toEqual([422, "Another account already uses this email."])
    expect(linksIn(byEmail)).toEqual(
      expect.arrayContaining([
        ["login", "Log in"],
        ["forgot", "Forgot your password?"]
      ])
    )
    await realm.user({ username })
    const byName = await visitor.fill({ username, email: `${username}@elsewhere.test`, password: PASSWORD })
    expect([byName.status, errorUnder(byName, "username")]).toEqual([
      422,
      "Another account already uses this username."
    ])
  })

  test("when the user has no org", async () => {
    const { visitor } = await onProfilePage(await newRealm({ org_mode: "multi_user" }))
    await visitor.open("/accounts")
    expect(statusAndHeading(visitor.page)).toEqual([200, "No organization yet"])
  })
})

describe("C85: an error below a field doesn't repeat its label", () => {
  test.each([
    ["en", "Enter a valid email address.", "Can't be blank.", "Too short (minimum is 8 characters)."],
    [
      "es",
      "Introduzca una dirección de correo válida.",
      "No puede estar en blanco.",
      "Debe tener al menos 8 caracteres."
    ]
  ])("in %s", async (language, email, first_name, password) => {
    const { visitor } = await visitorAtApp(await newRealm(), { app: { require_names: true } })
    const form = { email: "nobody", password: "short", username: uniqueText("jo") }
    const reply = await visitor.send("/signup", form, { ...SAME_SITE_HEADERS, "accept-language": language })
    const under = ["email", "first_name", "password"].map((field) => errorUnder(reply, field))
    expect([reply.status, under]).toEqual([422, [email, first_name, password]])
  })
})

describe("C85: the code field", () => {
  test("is focused, ignores spaces and reports an incomplete code without counting it", async () => {
    const { clock, given } = await clockedService()
    const realm = await given.realm()
    const { visitor, user, email } = await visitorAtApp(realm)
    const device = await enrolled(realm, user.id, clock.currentTimeMillisUnsafe())
    await visitor.logIn(email)
    expect(visitor.page.text).toMatch(/<input id="code"[^>]* autofocus/)
    for (const code of ["12 34", "", "1234567"]) {
      const { result, events } = await realm.seen.during(() => visitor.fill({ code }))
      const under = errorUnder(result, "code")
      expect([result.status, under, events]).toEqual([422, "Enter all six digits of the code.", []])
    }
    const code = device.code(1, clock.currentTimeMillisUnsafe())
    await visitor.fill({ code: ` ${code.slice(0, 3)} ${code.slice(3)} ` })
    expect(visitor.page.status).toBe(303)
  })

  test("reports a wrong code at the top while an authenticator app is set up", async () => {
    const { visitor } = await onSecurityPage(await newRealm())
    await visitor.fill({ device_name: "Phone", current_password: PASSWORD }, "Set up")
    const { text, status } = await visitor.fill({ code: "12 34" }, "Confirm")
    expect([status, text.indexOf('class="errors"') < text.indexOf('class="qr"')]).toEqual([422, true])
    expect(text.indexOf('name="code"')).toBeLessThan(text.indexOf('class="qr"'))
  })
})

test("C85: a user can leave a blank name blank even if the app requires names", async () => {
  const realm = await newRealm()
  const { visitor, user } = await onProfilePage(realm, { app: { require_names: true }, user: { first_name: "Ada" } })
  const isRequired = (field: string) => new RegExp(` name="${field}"[^>]* required`).test(visitor.page.text)
  expect([isRequired("first_name"), isRequired("last_name")]).toEqual([true, false])
  const { result, events } = await realm.seen.during(() => visitor.fill({ first_name: "Ida" }, "Save"))
  expect([result.status, events]).toEqual([303, [{ event_type: "user.profile.updated", user_id: user.id }]])
  await visitor.open("/profile")
  const emptied = await realm.seen.during(() => visitor.fill({ first_name: "" }, "Save"))
  expect([errorUnder(emptied.result, "first_name"), emptied.events]).toEqual(["Can't be blank.", []])
})

test("a new email without the current password gets an error that explains why the password is needed", async () => {
  const { visitor } = await onProfilePage(await newRealm())
  await visitor.fill({ email: "new@example.test" }, "Save")
  const sentence = "Enter your current password to change your email."
  expect([visitor.page.status, errorUnder(visitor.page, "details-password")]).toEqual([422, sentence])
})

test("a missing login name gets an error that asks for the email in a realm without usernames", async () => {
  const realm = await newRealm({ username_validation_human: "email" })
  const { visitor } = await visitorAtApp(realm)
  for (const page of ["login", "forgot"]) {
    await visitor.open(`/${page}`)
    await visitor.fill({ name: " " })
    expect([page, errorUnder(visitor.page, "name")]).toEqual([page, "Enter your email."])
  }
})

test("C85: names that the app requires cannot be cleared on the profile", async () => {
  const realm = await newRealm()
  const { visitor } = await onProfilePage(realm, {
    app: { require_names: true },
    user: { first_name: "Ada", last_name: "L" }
  })
  const { result, events } = await realm.seen.during(() => visitor.fill({ first_name: " ", last_name: "" }, "Save"))
  expect([result.status, errorUnder(result, "first_name"), errorUnder(result, "last_name"), events]).toEqual([
    422,
    "Can't be blank.",
    "Can't be blank.",
    []
  ])
})
