import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { enrolled, PASSWORD } from "../../support/logins.ts"
import { pageOf, unescapeHtml } from "../../support/pages.ts"
import { newRealm } from "../../support/sallyport.ts"
import { passwordToken } from "../../support/tokens.ts"
import { onProfilePage, SAME_SITE_HEADERS, visitorAtApp } from "../../support/visitor.ts"

/** The lines of a form's error summary, with the field each links to. */
const summary = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/<li>(?:<a href="#([^"]*)">)?([^<]*)(?:<\/a>)?<\/li>/g)].map(([, field, line = ""]) => [
    field,
    unescapeHtml(line)
  ])

const everythingWrong = {
  email: "nobody",
  username: "",
  password: "short",
  password_confirmation: "shorter",
  first_name: "",
  last_name: "x".repeat(256),
  org_name: " "
}

describe("C69: a form with several errors reports them all at once", () => {
  test.each([
    [
      "en",
      [
        ["email", "Email is not a valid email address."],
        ["username", "Username can't be blank."],
        ["password", "Password is too short (minimum is 8 characters)."],
        ["password_confirmation", "The passwords don't match."],
        ["first_name", "First name can't be blank."],
        ["last_name", "Last name is too long (maximum is 255 characters)."],
        ["org_name", "Organization can't be blank."]
      ]
    ],
    [
      "es",
      [
        ["email", "Correo electrónico: no es una dirección de correo válida."],
        ["username", "Nombre de usuario: no puede estar en blanco."],
        ["password", "Contraseña: debe tener al menos 8 caracteres."],
        ["password_confirmation", "Las contraseñas no coinciden."],
        ["first_name", "Nombre: no puede estar en blanco."],
        ["last_name", "Apellidos: debe tener 255 caracteres como máximo."],
        ["org_name", "Organización: no puede estar en blanco."]
      ]
    ]
  ])("on the sign-up page, in %s", async (default_locale, lines) => {
    const realm = await newRealm({ default_locale, available_locales: ["en", "es"], email_verification: "request" })
    const app = {
      signup_mode: "user_org",
      require_names: true,
      require_org_name: true,
      require_password_confirmation: true
    }
    const { visitor } = await visitorAtApp(realm, { app })
    await visitor.open("/signup")
    // Rejected forms don't count towards the email limit.
    for (let time = 0; time < 5; time += 1) {
      const { result, events } = await realm.seen.during(() => visitor.fill(everythingWrong))
      expect([result.status, events]).toEqual([422, []])
      expect(summary(result)).toEqual(lines)
    }
  })

  test("on the profile page", async () => {
    const { visitor } = await onProfilePage(await newRealm())
    await visitor.open("/profile")
    const reply = await visitor.fill({ email: "nobody", last_name: "x".repeat(256) }, "Save")
    expect([reply.status, summary(reply)]).toEqual([
      422,
      [
        ["last_name", "Last name is too long (maximum is 255 characters)."],
        ["email", "Email is not a valid email address."],
        ["details-password", "Enter your current password to change your email."]
      ]
    ])
  })

  test("on the security page and on the page of a reset link", async () => {
    const realm = await newRealm()
    const user = await realm.user({ password: PASSWORD, username: uniqueText("jo") })
    const sent = { password: "short", password_confirmation: "shorter" }
    const reply = await pageOf(realm, "reset").send({ token: await passwordToken(realm, user.id), ...sent })
    const both = [
      ["password", "New password is too short (minimum is 8 characters)."],
      ["password_confirmation", "The passwords don't match."]
    ]
    expect([reply.status, summary(reply)]).toEqual([422, both])
    const { visitor } = await onProfilePage(await newRealm())
    await visitor.open("/security")
    const refused = await visitor.fill({ current_password: PASSWORD, ...sent }, "Change password")
    expect([refused.status, summary(refused)]).toEqual([422, both])
  })
})

test("a single error is shown once: at its field, or above the form", async () => {
  const realm = await newRealm({
    username_validation_human: "email",
    default_locale: "en",
    available_locales: ["en", "es"]
  })
  const { visitor, user, email } = await visitorAtApp(realm)
  await visitor.open("/login")
  for (const [language, words] of [
    ["en", "Incorrect email or password."],
    ["es", "Correo electrónico o contraseña incorrectos."]
  ] as const) {
    const form = { way: "login", name: email, password: "not the right one" }
    const refused = await visitor.send("/login", form, { ...SAME_SITE_HEADERS, "accept-language": language })
    expect([refused.status, summary(refused), refused.text.split(words).length - 1]).toEqual([422, [], 1])
    expect(refused.text).toMatch(/<input id="password"[^>]* autofocus aria-describedby="errors">/)
  }
  await enrolled(realm, user.id)
  await visitor.logIn(email)
  const { status, text } = await visitor.fill({ code: "12 34" })
  expect([status, text.split("Enter all six digits of the code.").length - 1, text.includes('role="alert"')]).toEqual([
    422,
    1,
    false
  ])
  expect(text).toMatch(/<input id="code"[^>]* autofocus aria-invalid="true" aria-describedby="code-hint code-error">/)
})
