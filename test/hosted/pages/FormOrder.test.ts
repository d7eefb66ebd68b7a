import fc from "fast-check"
import { expect, test } from "vitest"
import { enrolled, OTHER_PASSWORD, PASSWORD } from "../../support/logins.ts"
import { quickUser } from "../../support/passwordEntryPoints.ts"
import { query } from "../../support/query.ts"
import { service, workerSql } from "../../support/sallyport.ts"
import { formsIn, SAME_SITE_HEADERS, Visitor, visitorAtApp } from "../../support/visitor.ts"

const pages = [
  "login",
  "signup",
  "forgot",
  "reset",
  "verify",
  "profile",
  "security",
  "accounts",
  "invitation",
  "logout"
] as const

const ways = [
  "login",
  "code",
  "continue",
  "signup",
  "preverify",
  "password",
  "details",
  "add",
  "activate",
  "set_password"
] as const
const more = ["remove", "resend", "choose", "invite", "constructor", ""] as const

/** Placeholders for field values, which each run replaces. */
const words = ["", " ", "victim", "guarded", "password", "new", "pending", "invitation", "000000", "null", "0"] as const

const word = fc.constantFrom(...words)

/** Fields of all pages in arbitrary combinations. */
const fields = fc.record(
  {
    name: word,
    email: word,
    username: word,
    password: word,
    password_confirmation: word,
    current_password: word,
    token: word,
    login: word,
    code: word,
    device: word,
    org_id: word,
    next: fc.constantFrom("profile", "accounts", "")
  },
  { requiredKeys: [] }
)

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("password" as const), page: fc.constantFrom("login", "invitation") })
  },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constant("code" as const),
      page: fc.constantFrom("same", "same", "same", "login", "invitation"),
      way: fc.constantFrom("code", "code", "code", "login", "continue", "signup", ""),
      code: fc.constantFrom("", " ", "000000", "null", "pending")
    })
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("ask" as const), who: fc.constantFrom("victim", "guarded") }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("empty" as const), page: fc.constantFrom(...pages) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("form" as const),
      page: fc.constantFrom(...pages),
      way: fc.constantFrom(...ways, ...more),
      fields
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant("again" as const), way: fc.constantFrom(...ways, ...more), fields })
  }
)

test("SEC-22, CVE-2026-18963, CVE-2026-49443, CVE-2026-54730: forms in any order never log in or change a password", {
  timeout: 60_000
}, async () => {
  const realm = await (await service()).given.realm({ org_mode: "single_user" })
  const sql = await workerSql()
  const { origin } = await visitorAtApp(realm)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12, size: "max" }), async (steps) => {
      const [victim, guarded] = [await quickUser(realm), await quickUser(realm)]
      await enrolled(realm, guarded.id)
      const invitation = (await realm.invitation()).string("token")
      const eve = new Visitor(realm.transport, origin)
      await eve.open("/login")
      let [pending, asked] = ["", "login"]
      // Eve knows both names, the password of the user with a second factor, and her own invitation.
      const meant: Readonly<Record<string, () => string>> = {
        victim: () => victim.string("email"),
        guarded: () => guarded.string("email"),
        password: () => PASSWORD,
        new: () => OTHER_PASSWORD,
        pending: () => pending,
        invitation: () => invitation
      }
      const withValues = (typed: Readonly<Record<string, string>>) =>
        Object.fromEntries(Object.entries(typed).map(([field, said]) => [field, meant[said]?.() ?? said]))
      // Eve doesn't know the password of the user without a second factor, so she sends a guess instead.
      const withGuess = (form: Readonly<Record<string, string>>) =>
        form["name"] === victim.string("email") && form["password"] === PASSWORD ? { ...form, password: "guess" } : form
      const send = async (page: string, form: Readonly<Record<string, string>>) => {
        await eve.send(`/${page}`, withGuess(form), SAME_SITE_HEADERS)
        pending = formsIn(eve.page).find(({ values }) => values["login"])?.values["login"] ?? pending
      }
      for (const one of steps) {
        if (one.kind === "password") {
          const name = guarded.string("email")
          asked = one.page
          await send(one.page, { token: invitation, way: "login", name, password: PASSWORD })
        } else if (one.kind === "code") {
          const code = meant[one.code]?.() ?? one.code
          const page = one.page === "same" ? asked : one.page
          await send(page, { token: invitation, way: one.way, login: pending, code })
        } else if (one.kind === "ask") await send("forgot", { name: meant[one.who]?.() ?? "" })
        else if (one.kind === "empty") await send(one.page, {})
        else if (one.kind === "form") await send(one.page, { way: one.way, ...withValues(one.fields) })
        else {
          const [form] = formsIn(eve.page.status < 300 ? eve.page : { text: "" })
          await send(form?.action ?? "login", { ...form?.values, way: one.way, ...withValues(one.fields) })
        }
        const location = eve.page.headers.get("location") ?? ""
        // A login can only be into the account she created with her invitation.
        if (location.startsWith("https://")) {
          const [, claims = ""] = (new URL(location).searchParams.get("token") ?? "").split(".")
          const told = Buffer.from(claims, "base64url").toString()
          expect(told).toContain("usr_")
          expect([victim.id, guarded.id].filter((id) => told.includes(id))).toEqual([])
        }
      }
      const [row] = await query(
        sql<{ readonly sessions: number; readonly kept: number; readonly done: number }>`select
            (select count(*)::int from sessions where user_id in (${victim.id}, ${guarded.id})) as sessions,
            (select count(*)::int from browser_sessions where user_id in (${victim.id}, ${guarded.id})) as kept,
            (select count(*)::int from events where event_type in
                ('user.password_token.consumed', 'user.login.succeeded', 'invitation.referral.accepted')
              and user_id in (${victim.id}, ${guarded.id})) as done`
      )
      expect(row).toEqual({ sessions: 0, kept: 0, done: 0 })
      for (const user of [victim, guarded]) {
        const login = await realm.post(`/v2/users/${user.id}/authenticate`, { user: { password: PASSWORD } })
        expect([200, 429]).toContain(login.status)
      }
    }),
    { numRuns: 12 }
  )
})
