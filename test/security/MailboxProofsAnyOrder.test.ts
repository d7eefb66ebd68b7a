import fc from "fast-check"
import { expect, test } from "vitest"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { appAt, beginLogin, redirectTarget } from "../external/BrowserLogins.ts"
import { Browser } from "../support/browser.ts"
import { codeAt } from "../support/credentials.ts"
import { oauth2StandIn, profile } from "../support/external.ts"
import { OTHER_PASSWORD, PASSWORD } from "../support/logins.ts"
import { heading } from "../support/pages.ts"
import { clockedService, type OwnService } from "../support/sallyport.ts"
import type { StandIn } from "../support/standIns.ts"
import { claimsIn, formsIn, isLoggedIn, Visitor } from "../support/visitor.ts"

const DONE = ["Password changed", "Email address confirmed"]

/** A provider double with its login path on the app's host. */
interface Elsewhere {
  readonly path: string
  readonly double: StandIn
}

/** One run: an address, the owner of its mailbox, and an attacker without access to it. */
interface Real {
  readonly own: OwnService
  readonly realm: GivenRealm
  readonly email: string
  readonly attackers: string
  readonly attacker: Visitor
  readonly owner: Visitor
  readonly unverified: Elsewhere
  readonly verified: Elsewhere
  /** Links that only the attacker received, and sessions that the attacker started. */
  readonly taken: { readonly links: Set<string>; readonly sessions: Set<string> }
  readonly mail: Array<string>
}

interface Model {
  proved: boolean
}

type Act = (real: Real) => Promise<boolean | void>

const linkIn = (text: string | null): string => /https:\/\/[^\s)>"]+/.exec(text ?? "")?.[0] ?? ""

/** Advances the clock, so that queued emails are sent. */
const sendQueuedMails = async ({ own, email, attackers, mail, taken }: Real): Promise<void> => {
  await own.advance("21 seconds")
  for (const { text } of own.postbox.take(email)) if (linkIn(text) !== "") mail.push(linkIn(text))
  for (const { text } of own.postbox.take(attackers)) taken.links.add(linkIn(text))
}

const passwordForm = (password: string) => ({ password, password_confirmation: password })

const signUp = async (who: Visitor, email: string, password: string) => {
  await who.open("/signup")
  await who.fill({ username: uniqueText("who"), email, password })
}

/** Records the links and sessions that an attacker receives. */
const recordTaken = ({ attacker, taken }: Real): void => {
  if (attacker.page.status !== 303 || !attacker.leads.searchParams.has("token")) return
  taken.sessions.add(String(claimsIn(attacker.leads)["sid"]))
}

const logInAtProvider = async (real: Real, who: Visitor, { path, double }: Elsewhere, verified: boolean) => {
  double.answers({
    profile: profile({ sub: `${verified}-${real.email}`, email: real.email, email_verified: verified })
  })
  const state = await beginLogin({ browser: who.browser, path })
  const reply = await who.browser.go(`${path}/callback?${new URLSearchParams({ state, code: "a-code" })}`)
  return reply.status === 302 ? redirectTarget(reply) : undefined
}

const ASKS = "current_password"

const attacks: Readonly<Record<string, Act>> = {
  "signs up by password": async (real) => {
    await signUp(real.attacker, real.email, PASSWORD)
    recordTaken(real)
  },
  "logs in with a provider that verifies nothing": async (real) => {
    const url = await logInAtProvider(real, real.attacker, real.unverified, false)
    if (url !== undefined) real.taken.sessions.add(String(claimsIn(url)["sid"]))
  },
  "logs in by password": async (real) => {
    await real.attacker.logIn(real.email, PASSWORD, "?way=login")
    recordTaken(real)
  },
  "enrols an authenticator app": async ({ attacker, own }) => {
    if (!(await isLoggedIn(attacker))) return
    await attacker.open("/security")
    const asksForPassword = attacker.form("Set up").open.has(ASKS)
    await attacker.fill({ device_name: "Mine", ...(asksForPassword && { [ASKS]: PASSWORD }) }, "Set up")
    const secret = /<code class="key">([^<]*)</.exec(attacker.page.text)?.[1]?.replaceAll(" ", "")
    if (secret !== undefined) await attacker.fill({ code: codeAt(secret, own.clock.currentTimeMillisUnsafe()) })
  },
  "requests another address": async ({ attacker, attackers }) => {
    if (!(await isLoggedIn(attacker))) return
    const asksForPassword = attacker.form("Save").open.has(ASKS)
    await attacker.fill({ email: attackers, ...(asksForPassword && { [ASKS]: PASSWORD }) }, "Save")
  }
}

const ownerActs: Readonly<Record<string, Act>> = {
  "signs up by password": ({ owner, email }) => signUp(owner, email, OTHER_PASSWORD),
  "resets by mail": async (real) => {
    const { owner, email, mail } = real
    await owner.open("/forgot")
    await owner.fill({ name: email })
    await sendQueuedMails(real)
    const link = mail.findLast((one) => one.includes("/reset?"))
    if (link === undefined || (await owner.open(link)).status !== 200) return false
    await owner.fill(passwordForm(OTHER_PASSWORD))
    return DONE.includes(heading(owner.page) ?? "")
  },
  "confirms by mail": async (real) => {
    const { owner, mail } = real
    await sendQueuedMails(real)
    const link = mail.findLast((one) => one.includes("/verify?"))
    if (link === undefined || (await owner.open(link)).status !== 200) return false
    const [form] = formsIn(owner.page)
    if (form === undefined || form.button === "Send email") return false
    await owner.fill(form.open.has("password") ? { password: OTHER_PASSWORD } : {})
    return DONE.includes(heading(owner.page) ?? "")
  },
  "logs in with a provider that has verified it": async (real) =>
    (await logInAtProvider(real, real.owner, real.verified, true)) !== undefined
}

class Step implements fc.AsyncCommand<Model, Real> {
  readonly #name: string
  readonly #act: Act
  constructor(name: string, act: Act) {
    this.#name = name
    this.#act = act
  }
  check(): boolean {
    return true
  }
  async run(model: Model, real: Real): Promise<void> {
    if ((await this.#act(real)) === true) model.proved = true
    await sendQueuedMails(real)
    if (model.proved) await expectAttackerOut(real)
  }
  toString(): string {
    return this.#name
  }
}

/** Asserts that the attacker has no access left. */
const expectAttackerOut = async (real: Real): Promise<void> => {
  const { realm, attacker, email, taken, unverified } = real
  expect(await isLoggedIn(attacker)).toBe(false)
  for (const sid of taken.sessions) expect((await realm.get(`/v2/sessions/${sid}`)).status).toBe(404)
  for (const link of taken.links) expect((await attacker.open(link)).status).toBe(410)
  expect((await attacker.logIn(email, PASSWORD)).status).not.toBe(303)
  expect(heading(attacker.page)).toBe("Log in")
  expect(await logInAtProvider(real, attacker, unverified, false)).toBe(undefined)
  const user = await realm.get(`/v2/users/${email}`)
  expect(user.body).toMatchObject({ email, email_pending: null, email_verification: "verified" })
  expect(user.text).not.toContain('"totp"')
}

const command = (who: string, acts: Readonly<Record<string, Act>>) =>
  Object.entries(acts).map(([name, act]) => fc.constant(new Step(`the ${who} ${name}`, act)))

test("SEC-85, SEC-86: in any order of steps, an attacker loses all access once the owner proves the mailbox", async () => {
  const own = await clockedService()
  const realm = await own.given.realm({ email_verification: "request" })
  const { origin } = await appAt(realm)
  const elsewhere = async (): Promise<Elsewhere> => {
    const { provider, double } = await oauth2StandIn(realm, profile())
    return { path: `${origin}/auth/${provider.id}`, double }
  }
  const [unverified, verified] = [await elsewhere(), await elsewhere()]
  let proofs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.commands([...command("attacker", attacks), ...command("owner", ownerActs)], { maxCommands: 10, size: "max" }),
      async (sequence) => {
        const email = `${uniqueText("mailbox")}@example.test`
        const model: Model = { proved: false }
        const visitor = () => new Visitor(realm.transport, origin, new Browser(realm.transport))
        const real: Real = {
          own,
          realm,
          email,
          attackers: `eve-${email}`,
          attacker: visitor(),
          owner: visitor(),
          unverified,
          verified,
          taken: { links: new Set(), sessions: new Set() },
          mail: []
        }
        await fc.asyncModelRun(() => ({ model, real }), sequence)
        if (model.proved) proofs += 1
      }
    ),
    {
      seed: 20_261_101,
      numRuns: 28,
      interruptAfterTimeLimit: 80_000,
      markInterruptAsFailure: true
    }
  )
  expect(proofs).toBeGreaterThan(3)
}, 120_000)
