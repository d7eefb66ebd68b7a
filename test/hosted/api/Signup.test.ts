import { describe, expect, test } from "vitest"
import { uniqueText } from "#testing/Given"
import { HANDLER, sessionOf } from "../../external/BrowserLogins.ts"
import { KNOWN } from "../../support/browser.ts"
import { handedOver, hostedAt, LOGGED_IN, person, rejection, statusAndBody, tokenIn } from "../../support/hostedApi.ts"
import { OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { newRealm } from "../../support/sallyport.ts"
import { tokenOf } from "../../support/tokens.ts"

/** A sign-up form with a unique name. */
const newSignup = (more: Readonly<Record<string, unknown>> = {}) => {
  const username = uniqueText("newcomer")
  return { username, email: `${username}@example.test`, password: PASSWORD, ...more }
}

const SIGNED_UP = [200, handedOver({ more: { result: "okay" }, beside: "&signup=true" })]
const TOKEN = [
  200,
  { token: tokenOf("utk_"), url: expect.stringMatching(/^https:\/\/app\.example\.test\/login\?token=utk_\w{43}$/) }
]
const MAILED = [200, { message: "Check your email for a link to finish signing up." }]
const CLOSED = rejection("Sign-ups are closed.")
const INVITED = rejection("You need an invitation to sign up.")

type Row = readonly [
  mode: string,
  signup: string,
  verification: string,
  answer: ReadonlyArray<unknown>,
  types: ReadonlyArray<string>
]

const USER = ["user.created"]
const ORG = ["org.created", "membership.created"]
const IN = ["user.login.succeeded"]
const MAIL = ["invitation.preverify.created", "invitation.preverify.invited"]

const verifications = ["none", "request", "preverify"] as const

/** The rows in which the realm or the app rejects sign-ups, one for each kind of verification. */
const rejectedRows = (mode: string, signup: string, answer: Row[3]): ReadonlyArray<Row> =>
  verifications.map((verification) => [mode, signup, verification, answer, []])

/** The realm's signup setting limits the app's mode (C18, C40a, C41). */
const table: ReadonlyArray<Row> = [
  ["user", "open", "none", SIGNED_UP, [...USER, ...IN]],
  ["user", "open", "request", SIGNED_UP, [...USER, "user.email.verifying", ...IN]],
  ["user", "open", "preverify", MAILED, MAIL],
  ["user_org", "open", "none", SIGNED_UP, [...USER, ...ORG, ...IN]],
  ["user_org", "open", "request", SIGNED_UP, [...USER, "user.email.verifying", ...ORG, ...IN]],
  ["user_org", "open", "preverify", MAILED, MAIL],
  ...verifications.map((one): Row => ["user_token", "open", one, TOKEN, []]),
  ...["open", "closed", "invitation"].flatMap((signup) => rejectedRows("none", signup, CLOSED)),
  ...["user", "user_org", "user_token"].flatMap((mode) => [
    ...rejectedRows(mode, "closed", CLOSED),
    ...rejectedRows(mode, "invitation", INVITED)
  ])
]

describe("signup", () => {
  test.each(
    table
  )("CVE-2026-29193 CVE-2024-49757: signup_mode %s, signup %s, email_verification %s", async (signup_mode, signup, email_verification, answer, types) => {
    const realm = await newRealm({ signup, email_verification })
    const at = await hostedAt(realm, { signup_mode })
    const { result, events } = await realm.seen.during(() => at.post("signup", newSignup()))
    expect(statusAndBody(result)).toEqual(answer)
    expect(events.map(({ event_type }) => event_type)).toEqual(types)
    const users = (await realm.get("/v2/users")).items
    expect(users.map((user) => user["email_verification"])).toEqual(
      types.includes("user.created") ? [email_verification === "request" ? "requested" : "none"] : []
    )
  })

  test("user: creates a user and a session of the app, and sets the cookies", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm)
    const form = newSignup({ first_name: "Ada", last_name: "Lovelace" })
    const { result, events } = await realm.seen.during(() => at.post("signup", form, { "user-agent": "Wanderer/1.0" }))
    const session = await sessionOf(realm, new URL(`https://x/?token=${tokenIn(result)}`))
    const user = await realm.get(`/v2/users/${form.email}`)
    expect(user.body).toMatchObject({
      username: form.username,
      email: form.email,
      first_name: "Ada",
      last_name: "Lovelace",
      state: "active"
    })
    expect([session.member("user_id"), session.member("client_app_id")]).toEqual([user.id, at.app.id])
    expect(events).toEqual([
      { event_type: "user.created", user_id: user.id },
      { event_type: "user.login.succeeded", user_id: user.id, session_id: session.id }
    ])
    for (const { request } of (await realm.seen.all()).slice(-2).map(({ request }) => ({ request }))) {
      expect(request).toEqual({ ip: "127.0.0.1", client: "Wanderer/1.0" })
    }
    expect(result.headers.getSetCookie()).toEqual([expect.stringMatching(/^__Host-session=\w{43}; /), KNOWN])
    expect(statusAndBody(await at.post("login", { username: form.username, password: PASSWORD }))).toEqual(LOGGED_IN)
  })

  test("accepts a form, or a GET request without setting cookies", async () => {
    const realm = await newRealm({ username_validation_human: "email" })
    const at = await hostedAt(realm)
    const mail = () => `${uniqueText("newcomer")}@example.test`
    expect(statusAndBody(await at.form("signup", { email: mail(), password: PASSWORD }))).toEqual(SIGNED_UP)
    const typed = mail()
    const got = await at.get("signup", { username: typed, email_confirmation: typed.toUpperCase(), password: PASSWORD })
    expect([...statusAndBody(got), got.headers.getSetCookie()]).toEqual([...SIGNED_UP, []])
    expect(statusAndBody(await at.post("login", { email: typed, password: PASSWORD }))).toEqual(LOGGED_IN)
  })

  test("user_org: creates a new org owned by the user", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm, { signup_mode: "user_org" })
    for (const [org_name, name] of [
      [" Acme ", "Acme"],
      [undefined, "Ada Lovelace"],
      ["  ", "Ada Lovelace"]
    ] as const) {
      const form = newSignup({ first_name: "Ada", last_name: "Lovelace", org_name, permissions: ["ar:admin"] })
      const { result, events } = await realm.seen.during(() => at.post("signup", form))
      expect(statusAndBody(result)).toEqual(SIGNED_UP)
      const [created, founded, joined, login] = events
      expect(events).toEqual([
        { event_type: "user.created", user_id: created?.["user_id"] },
        { event_type: "org.created", org_id: founded?.["org_id"] },
        {
          event_type: "membership.created",
          membership_id: joined?.["membership_id"],
          org_id: founded?.["org_id"],
          user_id: created?.["user_id"]
        },
        { event_type: "user.login.succeeded", user_id: created?.["user_id"], session_id: login?.["session_id"] }
      ])
      const membership = await realm.get(`/v2/memberships/${joined?.["membership_id"]}`)
      expect(membership.member("permissions")).toEqual(["ar:owner"])
      expect((await realm.get(`/v2/orgs/${founded?.["org_id"]}`)).member("name")).toBe(name)
    }
  })

  test("user_token: returns a token with which the app creates the user, and sets no cookies", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm, { signup_mode: "user_token", signup_handler: "https://app.example.test/new?a=1" })
    const form = newSignup({ first_name: "Ada" })
    const reply = await at.post("signup", form)
    const token = tokenIn(reply)
    expect([...statusAndBody(reply), reply.headers.getSetCookie()]).toEqual([
      200,
      { token: tokenOf("utk_"), url: `https://app.example.test/new?a=1&token=${token}` },
      []
    ])
    expect((await realm.get(`/v1/user_tokens/${token}`)).member("first_name")).toBe("Ada")
    expect((await realm.post("/v1/users", { user: { user_type: "human", token } })).status).toBe(201)
    expect(statusAndBody(await at.post("login", { username: form.username, password: PASSWORD }))).toEqual([
      200,
      handedOver({ more: { result: "okay" } })
    ])
  })

  test("returns the URL of the signup handler, with the login handler as the fallback", async () => {
    const realm = await newRealm()
    const place = "https://app.example.test/welcome"
    for (const [attributes, expected] of [
      [{ signup_handler: place }, handedOver({ place, more: { result: "okay" }, beside: "&signup=true" })],
      [{ login_handler: HANDLER }, SIGNED_UP[1]],
      [{ login_handler: null }, { result: "okay", token: expect.stringMatching(/^ey/), url: null }]
    ] as const) {
      expect((await (await hostedAt(realm, attributes)).post("signup", newSignup())).body).toEqual(expected)
    }
    const bare = await hostedAt(realm, { login_handler: null, signup_mode: "user_token" })
    expect((await bare.post("signup", newSignup())).body).toEqual({ token: tokenOf("utk_"), url: null })
  })

  test("reports missing required members and unequal confirmations at once", async () => {
    const realm = await newRealm()
    const at = await hostedAt(realm, {
      signup_mode: "user_org",
      require_password_confirmation: true,
      require_names: true,
      require_org_name: true
    })
    const plain = await hostedAt(realm)
    const whole = { first_name: "Ada", last_name: "Lovelace", org_name: "Acme", password_confirmation: PASSWORD }
    const form = newSignup()
    const events = await realm.seen.caused(async () => {
      expect(statusAndBody(await at.post("signup", form))).toEqual(
        rejection(
          "First name can't be blank.",
          "Last name can't be blank.",
          "Org name can't be blank.",
          "Password confirmation can't be blank."
        )
      )
      const unequal = { email_confirmation: "x@example.test", password_confirmation: OTHER_PASSWORD }
      const both = rejection(
        "Email confirmation does not match the email.",
        "Password confirmation does not match the password."
      )
      for (const where of [at, plain]) {
        expect(statusAndBody(await where.post("signup", { ...form, ...whole, ...unequal }))).toEqual(both)
      }
      expect(statusAndBody(await plain.post("signup", { ...form, password_confirmation: "" }))).toEqual(
        rejection("Password confirmation does not match the password.")
      )
      expect(statusAndBody(await plain.post("signup", { ...form, first_name: "x".repeat(256) }))).toEqual(
        rejection("First name is too long (maximum is 255 characters).")
      )
    })
    expect([events, (await realm.get("/v2/users")).items]).toEqual([[], []])
    const right = { ...form, ...whole, email_confirmation: ` ${form.email.toUpperCase()}` }
    expect(statusAndBody(await at.post("signup", right))).toEqual(SIGNED_UP)
  })

  test("validates users and passwords, and reports taken names", async () => {
    const realm = await newRealm()
    const [at, tokens] = [await hostedAt(realm), await hostedAt(realm, { signup_mode: "user_token" })]
    const user = await person(realm)
    const cases: ReadonlyArray<readonly [form: object, ...errors: ReadonlyArray<string>]> = [
      [{}, "Email can't be blank.", "Username can't be blank.", "Password can't be blank."],
      [newSignup({ email: "nobody" }), "Email is not a valid email address."],
      [newSignup({ password: "short" }), "Password is too short (minimum is 8 characters)."],
      [newSignup({ password: "password1" }), "Password is too common. Choose a different one."],
      [newSignup({ username: user.string("username").toUpperCase() }), "Username has already been taken."],
      [newSignup({ email: user.string("email").toUpperCase() }), "Email has already been taken."]
    ]
    const events = await realm.seen.caused(async () => {
      for (const where of [at, tokens]) {
        for (const [form, ...errors] of cases) {
          const reply = await where.post("signup", { ...form })
          expect([form, reply.status, new Set(Array.isArray(reply.errors) ? reply.errors : [])]).toEqual([
            form,
            200,
            new Set(errors)
          ])
          expect(reply.headers.getSetCookie()).toEqual([])
        }
      }
    })
    expect(events).toEqual([])
  })

  test("SEC-27: ignores fields that would verify the user, change ids or join an existing org", async () => {
    const realm = await newRealm()
    const [at, org] = [await hostedAt(realm), await realm.org()]
    const form = newSignup({
      id: "usr_01kdvdna00mz4r0fxt033jne6c",
      user_type: "api",
      state: "inactive",
      email_verification: "verified",
      realm_id: (await newRealm()).id,
      org_id: org.id,
      org_ids: [org.id],
      permissions: ["ar:owner"],
      custom: { admin: true },
      reference: "x",
      created_at: 1,
      token: "utk_x",
      __proto__: { admin: true }
    })
    expect(statusAndBody(await at.post("signup", form))).toEqual([
      200,
      handedOver({ more: { result: "okay" }, beside: "&signup=true&state=inactive" })
    ])
    const user = await realm.get(`/v2/users/${form.email}`)
    expect(user.id).not.toBe("usr_01kdvdna00mz4r0fxt033jne6c")
    expect(user.body).toMatchObject({
      state: "active",
      email_verification: "none",
      reference: null,
      custom: {}
    })
    expect((await realm.get(`/v2/memberships?org_id=${org.id}`)).items).toEqual([])
  })

  test("preverify: returns the same response for new and taken emails, and creates only an invitation", async () => {
    const realm = await newRealm({ email_verification: "preverify" })
    const at = await hostedAt(realm)
    const user = await person(realm)
    const replies = []
    for (const email of [user.string("email"), "new@example.test", "new@example.test"]) {
      replies.push(statusAndBody(await at.post("signup", newSignup({ email }))))
    }
    expect(replies).toEqual([MAILED, MAILED, MAILED])
    expect((await realm.get("/v2/users")).items).toHaveLength(1)
    expect(statusAndBody(await at.post("signup", { password: PASSWORD }))).toEqual(rejection("Email can't be blank."))
  })
})
