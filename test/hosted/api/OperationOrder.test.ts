import type { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { decodeJwt } from "jose"
import { expect, test } from "vitest"
import type { HostedOperationName } from "#api/hosted/V1"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import type { SettableClock } from "#testing/Swaps"
import { type Hosted, hostedAt, person } from "../../support/hostedApi.ts"
import { type Device, enrolled, PASSWORD } from "../../support/logins.ts"
import { quickHash } from "../../support/passwordEntryPoints.ts"
import { query } from "../../support/query.ts"
import { ownService } from "../../support/sallyport.ts"
import { emailToken, passwordToken, passwordTokenV1 } from "../../support/tokens.ts"

const MINUTE = 60_000

type Kind = "login" | "pending" | "reset" | "other"

/** The user's expected state according to the rules. */
interface Model {
  password: string
  /** The valid reset tokens and pending logins with their expiry. */
  readonly resetStep: Map<string, number>
  readonly pending: Map<string, number>
}

/** The actual user with all tokens issued so far. */
interface Real {
  readonly realm: GivenRealm
  readonly at: Hosted
  readonly user: Reply
  readonly stranger: Reply
  readonly device: Device | undefined
  readonly clock: SettableClock
  readonly tokens: Record<Kind, Array<string>>
  readonly sql: SqlClient
  /** The changes made with valid proofs, over all sequences. */
  readonly done: Array<string>
}

/** The proof that a step has given, which allows it to set a password or to log in. */
interface Proved {
  readonly password?: string
  readonly loginStep?: boolean
}

interface Step {
  readonly name: string
  readonly run: (model: Model, real: Real, live: ReadonlySet<unknown>) => Promise<Proved>
}

type Way = "post" | "form" | "get"

const send = (real: Real, way: Way, name: HostedOperationName, input: Readonly<Record<string, string | undefined>>) => {
  const sent = Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))
  )
  return real.at[way](name, sent)
}

/** Stores the token of a response. */
const storeToken = ({ tokens, clock }: Real, { pending }: Model, reply: Reply): Reply => {
  const token = reply.text === "" ? undefined : reply.member("token")
  if (typeof token !== "string") return reply
  const waitStep = token.startsWith("kli_")
  tokens[waitStep ? "pending" : "login"].push(token)
  if (waitStep) pending.set(token, clock.currentTimeMillisUnsafe() + 10 * MINUTE)
  return reply
}

type Which = Kind | "older" | "any" | "empty" | "none" | "invented"

/** The token to send: the latest of a kind, an older one, one of any kind, or one that was never issued. */
const chooseToken = ({ tokens }: Real, kind: Kind, which: Which, pick: number): string | undefined => {
  const all = Object.values(tokens).flat()
  const pickFrom = (some: ReadonlyArray<string>) => some[pick % Math.max(1, some.length)]
  if (which === "empty") return ""
  if (which === "none") return undefined
  if (which === "invented") return `${kind === "pending" ? "kli_" : "kpw_"}${"x".repeat(43)}`
  if (which === "any") return pickFrom(all)
  return which === "older" ? pickFrom(tokens[kind]) : tokens[which].at(-1)
}

type Named = "mine" | "theirs" | "none" | "empty"

const nameOf = ({ user, stranger }: Real, named: Named): string | undefined =>
  ({ mine: user.string("username"), theirs: stranger.string("email"), none: undefined, empty: "" })[named]

type Guess = "current" | "wrong" | "empty" | "none"

const passwordFor = ({ password }: Model, guess: Guess) =>
  ({ current: password, wrong: "no such password", empty: "", none: undefined })[guess]

const isLive = (token: string | undefined, user: Reply, live: ReadonlySet<unknown>): boolean => {
  if (token?.startsWith("ey") !== true) return false
  const { sid, sub } = decodeJwt(token)
  return sub === user.id && live.has(sid)
}

const loginStep = (way: Way, guess: Guess, named: Named): Step => ({
  name: `login ${way} as ${named} with ${guess}`,
  run: async (model, real) => {
    storeToken(
      real,
      model,
      await send(real, way, "login", { username: nameOf(real, named), password: passwordFor(model, guess) })
    )
    return { loginStep: guess === "current" && named === "mine" && real.device === undefined }
  }
})

const codes = ["right", "right", "wrong", "empty"] as const

const verifyLoginStep = (way: Way, which: Which, pick: number, named: Named, code: (typeof codes)[number]): Step => ({
  name: `verify_login ${way} by ${which} ${pick} as ${named} with ${code}`,
  run: async (model, real) => {
    const token = chooseToken(real, "pending", which, pick)
    const now = real.clock.currentTimeMillisUnsafe()
    const right = real.device?.code(0, now) ?? "123456"
    const input = { username: nameOf(real, named), token, code: { right, wrong: "000000", empty: "" }[code] }
    storeToken(real, model, await send(real, way, "verifyLogin", input))
    const waitStep = (model.pending.get(token ?? "") ?? 0) > now
    return { loginStep: waitStep && named !== "theirs" && (code === "right" || right === "000000") }
  }
})

const resetStep = (way: Way, which: Which, pick: number, named: Named, strong: boolean): Step => ({
  name: `reset_password ${way} by ${which} ${pick} as ${named}, ${strong ? "strong" : "weak"}`,
  run: async (model, real) => {
    const token = chooseToken(real, "reset", which, pick)
    const password = strong ? `${uniqueText("purple")} elephants` : "short"
    await send(real, way, "resetPassword", { username: nameOf(real, named), token, password })
    const good = (model.resetStep.get(token ?? "") ?? 0) > real.clock.currentTimeMillisUnsafe()
    return good && named !== "theirs" && strong ? { password } : {}
  }
})

const updateStep = (way: Way, which: Which, pick: number, guess: Guess): Step => ({
  name: `update_password ${way} by ${which} ${pick} with ${guess}`,
  run: async (model, real, live) => {
    const token = chooseToken(real, "login", which, pick)
    const password = `${uniqueText("yellow")} giraffes`
    const input = { token, current_password: passwordFor(model, guess), password, password_confirmation: password }
    await send(real, way, "updatePassword", input)
    return guess === "current" && isLive(token, real.user, live) ? { password } : {}
  }
})

const forgotStep = (way: Way, named: Named): Step => ({
  name: `forgot_password ${way} as ${named}`,
  run: async (model, real) => {
    const whose = named === "mine" ? real.user.id : real.stranger.id
    const resetEvents = async () =>
      (await real.realm.get(`/v2/events?event_type=user.password.resetting&user_id=${whose}`)).items
    const before = (await resetEvents()).length
    await send(real, way, "forgotPassword", { username: nameOf(real, named) })
    if (named === "none" || named === "empty") return {}
    await expect.poll(async () => (await resetEvents()).length, { interval: 5, timeout: 10_000 }).toBe(before + 1)
    const token = String((await resetEvents()).at(-1)?.["token"])
    real.tokens[named === "mine" ? "reset" : "other"].push(token)
    if (named === "mine") model.resetStep.set(token, real.clock.currentTimeMillisUnsafe() + 60 * MINUTE)
    return {}
  }
})

const rest = ["logout", "checkSession", "resendEmailToken", "signup"] as const

const otherStep = (
  way: Way,
  name: "logout" | "checkSession" | "resendEmailToken" | "signup",
  which: Which,
  pick: number
): Step => ({
  name: `${name} ${way} ${which} ${pick}`,
  run: async (model, real) => {
    const { user } = real
    const token = chooseToken(real, "login", which, pick)
    const [username, email] = [user.string("username"), user.string("email")]
    // Signing up under a taken name must give no access to its user.
    const input = name === "signup" ? { username, email, password: model.password } : { username, token }
    await send(real, way, name, input)
    return {}
  }
})

const waitStep = (minutes: number): Step => ({
  name: `wait ${minutes} minutes`,
  run: async (_, { clock }) => {
    clock.advance(minutes * MINUTE)
    return {}
  }
})

const way = fc.constantFrom<Way>("post", "post", "form", "get")
const pick = fc.nat(20)
const named = fc.constantFrom<Named>("mine", "mine", "mine", "theirs", "none", "empty")
const guess = fc.constantFrom<Guess>("current", "current", "current", "wrong", "empty", "none")
const which = (kind: Kind) =>
  fc.constantFrom<Which>(kind, kind, kind, "older", "any", "any", "empty", "none", "invented")

const steps = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(way, guess, named).map((args) => loginStep(...args)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(way, which("pending"), pick, named, fc.constantFrom(...codes))
      .map((args) => verifyLoginStep(...args))
  },
  { weight: 2, arbitrary: fc.tuple(way, named).map((args) => forgotStep(...args)) },
  {
    weight: 3,
    arbitrary: fc.tuple(way, which("reset"), pick, named, fc.boolean()).map((args) => resetStep(...args))
  },
  { weight: 3, arbitrary: fc.tuple(way, which("login"), pick, guess).map((args) => updateStep(...args)) },
  {
    weight: 2,
    arbitrary: fc.tuple(way, fc.constantFrom(...rest), which("login"), pick).map((args) => otherStep(...args))
  },
  { weight: 1, arbitrary: fc.constantFrom(1, 1, 11, 61).map(waitStep) }
)

const hashOf = async ({ sql, user }: Real) => {
  const [row] = await query(
    sql<{ readonly hash: string }>`select password_hash as hash from credentials
      where user_id = ${user.id} and credential_type = 'password'`
  )
  return row?.hash
}

const sessionsOf = async ({ realm }: Real) =>
  new Set((await realm.get("/v2/sessions?max_results=1000")).items.map(({ id }) => id))

/** A step as a fast-check command: a password change or a new session needs a proof. */
const commands = steps.map(({ name, run }) => ({
  check: () => true,
  toString: () => name,
  run: async (model: Model, real: Real) => {
    const [hash, live] = [await hashOf(real), await sessionsOf(real)]
    const proved = await run(model, real, live)
    const newSessions = [...(await sessionsOf(real))].filter((id) => !live.has(id))
    // A login may upgrade the password hash, which is no password change.
    const changed = (await hashOf(real)) !== hash && proved.loginStep !== true && !name.startsWith("login")
    if (changed) expect([name, proved.password]).toEqual([name, expect.any(String)])
    if (newSessions.length > 0) expect([name, proved.loginStep, newSessions.length]).toEqual([name, true, 1])
    if (newSessions.length > 0) real.done.push("session")
    if (!changed) return
    real.done.push(name.split(" ")[0] ?? "")
    model.password = proved.password ?? ""
    model.resetStep.clear()
  }
}))

test(
  "SEC-22, CVE-2026-18963, CVE-2026-49443, CVE-2026-54730: only proof changes a password or starts a session",
  { timeout: 60_000 },
  () =>
    ownService(async ({ given, clock, sql }) => {
      const realm = await given.realm({ session_minutes: 600 })
      const at = await hostedAt(realm)
      const done: Array<string> = []
      await fc.assert(
        fc.asyncProperty(
          fc.boolean(),
          fc.commands([commands], { maxCommands: 16, size: "max" }),
          async (withDevice, sequence) => {
            const credentials = [{ credential_type: "password", password_hash: quickHash("a stranger's password") }]
            const [user, stranger] = [
              await person(realm, { email_verification: "verified" }),
              await person(realm, { credentials })
            ]
            await realm.put(`/v2/users/${user.id}`, { user: { email_verification: "requested" } })
            const device = withDevice ? await enrolled(realm, user.id, clock.currentTimeMillisUnsafe()) : undefined
            const foreign = [
              (await realm.session(stranger.id)).string("token"),
              await passwordTokenV1(realm, stranger.id),
              await passwordToken(realm, user.id),
              await emailToken(realm, user.id)
            ]
            const first = (await realm.session(user.id)).string("token")
            const mailed = await passwordTokenV1(realm, user.id)
            const tokens = { login: [first], pending: [], reset: [mailed], other: foreign }
            const until = clock.currentTimeMillisUnsafe() + 60 * MINUTE
            const model: Model = { password: PASSWORD, resetStep: new Map([[mailed, until]]), pending: new Map() }
            const real: Real = { realm, at, user, stranger, device, clock, tokens, sql, done }
            await fc.asyncModelRun(() => ({ model, real }), sequence)
            clock.advance(16 * MINUTE)
            const login = await at.post("login", { username: user.string("username"), password: model.password })
            expect(login.member("result")).toBe(withDevice ? "need_mfa" : "okay")
          }
        ),
        { seed: 20_260_101, numRuns: 32, interruptAfterTimeLimit: 80_000, markInterruptAsFailure: true }
      )
      for (const name of ["session", "reset_password", "update_password"]) expect(done).toContain(name)
    })
)
