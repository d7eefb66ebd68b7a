import type { SqlClient } from "effect/sql/SqlClient"
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import type { SettableClock } from "#testing/Swaps"
import { authenticate, authenticateV1, complete, PASSWORD } from "../support/logins.ts"
import { query } from "../support/query.ts"
import { ownService } from "../support/sallyport.ts"
import { completeV1, type Holder, newHolder } from "../support/tokenKinds.ts"
import { latestEventToken } from "../support/tokens.ts"

/** The expected state of a user. */
interface Model {
  password: string
  active: boolean
  now: number
  /** The tokens that can set a password, with their expiry times. */
  resets: Map<string, number>
}

/** The user under test, with everything ever issued to it. */
interface Real {
  readonly realm: GivenRealm
  readonly holder: Holder
  readonly clock: SettableClock
  readonly tokens: Array<string>
  readonly passwordHash: () => Promise<unknown>
  /** The steps that changed the password, across all sequences. */
  readonly changedBy: Array<string>
}

/** An operation and, if it may change the password, the new password. */
interface Step {
  readonly name: string
  readonly run: (model: Model, real: Real) => Promise<string | undefined>
}

const HOUR = 3_600_000
const MINUTE = 60_000

const recordTokens = async (real: Real, reply: Promise<Reply>, member = "token") => {
  const token = (await reply).member(member)
  if (typeof token === "string") real.tokens.push(token)
  return token
}

const expectedStatus = (model: Model) => (model.active ? 200 : 404)

const authenticates = (version: "v1" | "v2", guess: "current" | "wrong"): Step => ({
  name: `${version} authenticate with the ${guess} password`,
  run: async (model, real) => {
    const password = guess === "current" ? model.password : "no such password"
    const login = version === "v1" ? authenticateV1 : authenticate
    await recordTokens(real, login(real.realm, real.holder.user.id, password))
    return undefined
  }
})

const asksForReset = (version: "v1" | "v2"): Step => ({
  name: `${version} generate_password_token`,
  run: async (model, real) => {
    const path = `/${version}/users/${real.holder.user.id}/generate_password_token`
    const reply = await real.realm.post(path, {})
    expect(reply.status).toBe(expectedStatus(model))
    const token = await recordTokens(real, Promise.resolve(reply), version === "v1" ? "password_reset_token" : "token")
    if (typeof token === "string") model.resets.set(token, model.now + HOUR)
    return undefined
  }
})

type Which = "latest" | "older" | "any" | "none" | "null" | "invented"

/** Picks a token: the latest or an older one with these prefixes, any issued token, or a value that was never issued. */
const presented = ({ tokens }: Real, which: Which, pick: number, ...prefixes: ReadonlyArray<string>): unknown => {
  const withPrefix = tokens.filter((token) => prefixes.includes(token.slice(0, 4)))
  const pickFrom = (some: ReadonlyArray<string>) => some[pick % Math.max(1, some.length)]
  const [latest, older, any] = [withPrefix.at(-1), pickFrom(withPrefix), pickFrom(tokens)]
  return { latest, older, any, none: undefined, null: null, invented: `tpw:${"x".repeat(43)}` }[which]
}

const resets = (entryPoint: "v1" | "v2" | "its own", which: Which, pick: number, weak: boolean): Step => ({
  name: `reset at ${entryPoint} by ${which} ${pick}, ${weak ? "weak" : "strong"}`,
  run: async (model, real) => {
    const token = presented(real, which, pick, "kpw_", "tpw:")
    const prefix = String(token).slice(0, 4)
    const isV1 = entryPoint === "v1" || (entryPoint === "its own" && prefix === "kpw_")
    const password = weak ? "short" : `${uniqueText("purple")} elephants`
    const path = isV1 ? "/v1/users/--" : "/v2/users"
    const reply = await real.realm.post(`${path}/reset_password_with_token`, { user: { token, password } })
    const unexpired = (model.resets.get(String(token)) ?? 0) > model.now
    const proved = model.active && unexpired && prefix === (isV1 ? "kpw_" : "tpw:")
    expect([token, reply.status]).toEqual([token, proved && !weak ? 200 : 422])
    if (!isV1) await recordTokens(real, Promise.resolve(reply))
    return proved && !weak ? password : undefined
  }
})

const updatesPassword = (version: "v1" | "v2", guess: "current" | "wrong" | "empty" | "none"): Step => ({
  name: `update_password at ${version} with ${guess} password`,
  run: async (model, real) => {
    const { password: current } = model
    const current_password = { current, wrong: "no such password", empty: "", none: undefined }[guess]
    const password = `${uniqueText("yellow")} giraffes`
    const { status } = await real.realm.put(`/${version}/users/${real.holder.user.id}/update_password`, {
      user: { current_password, password, password_confirmation: password }
    })
    if (!model.active) expect(status).toBe(404)
    else expect(status).toBe(guess !== "current" ? 422 : version === "v1" ? 204 : 200)
    return status < 300 && guess === "current" ? password : undefined
  }
})

const completes = (version: "v1" | "v2", which: Which, pick: number, right: boolean): Step => ({
  name: `${version} complete by ${which} ${pick} with ${right ? "the" : "no"} code`,
  run: async (_, real) => {
    const { realm, holder, clock } = real
    const token = presented(real, which, pick, "kli_", "tmf:")
    const code = right ? holder.device.code(0, clock.currentTimeMillisUnsafe()) : ""
    await (version === "v1" ? completeV1(realm, holder.user.id, token, code) : complete(realm, token, code))
    return undefined
  }
})

const verifies = (which: Which, pick: number): Step => ({
  name: `verify_email by ${which} ${pick}`,
  run: async (model, real) => {
    const token = presented(real, which, pick, "tve:", "tue:")
    const reply = await real.realm.post("/v2/users/verify_email", { user: { token } })
    if (reply.status === 200 && String(token).startsWith("tue:")) model.resets.clear()
    return undefined
  }
})

const asksForProof: Step = {
  name: "request_email_verification",
  run: async (_, real) => {
    await recordTokens(real, real.realm.post(`/v2/users/${real.holder.user.id}/request_email_verification`, {}))
    return undefined
  }
}

const updates = (what: string): Step => ({
  name: `update ${what}`,
  run: async (model, { realm, holder, tokens }) => {
    const path = `/v2/users/${holder.user.id}`
    const email = `${uniqueText("next")}@example.test`
    if (what === "profile") await realm.put(`${path}/profile`, { user: { email, last_name: uniqueText("Name") } })
    else if (what === "email" || what === "email_pending") await realm.put(path, { user: { [what]: email } })
    else await realm.put(path, { user: { state: what } })
    const pending = await latestEventToken(realm, "user.email.updating")
    if (typeof pending === "string") tokens.push(pending)
    if (what === "email" || what === "inactive") model.resets.clear()
    if (what === "active" || what === "inactive") model.active = what === "active"
    return undefined
  }
})

const waits = (minutes: number): Step => ({
  name: `wait ${minutes} minutes`,
  run: async (model, { clock }) => {
    clock.advance(minutes * MINUTE)
    model.now += minutes * MINUTE
    return undefined
  }
})

const version = fc.constantFrom("v1" as const, "v2" as const)
const entryPoint = fc.constantFrom("its own" as const, "its own" as const, "v1" as const, "v2" as const)
const which = fc.constantFrom<Which>(
  "latest",
  "latest",
  "latest",
  "older",
  "older",
  "older",
  "any",
  "none",
  "null",
  "invented"
)
const known = fc.constantFrom("current" as const, "wrong" as const)
const guess = fc.constantFrom("current" as const, "wrong" as const, "empty" as const, "none" as const)
const pick = fc.nat(20)

const steps = fc.oneof(
  { weight: 3, arbitrary: version.map(asksForReset) },
  { weight: 4, arbitrary: fc.tuple(entryPoint, which, pick, fc.boolean()).map((args) => resets(...args)) },
  { weight: 2, arbitrary: fc.tuple(version, guess).map((args) => updatesPassword(...args)) },
  { weight: 1, arbitrary: fc.tuple(version, known).map((args) => authenticates(...args)) },
  { weight: 1, arbitrary: fc.tuple(version, which, pick, fc.boolean()).map((args) => completes(...args)) },
  { weight: 1, arbitrary: fc.tuple(which, pick).map((args) => verifies(...args)) },
  { weight: 1, arbitrary: fc.constant(asksForProof) },
  { weight: 1, arbitrary: fc.constantFrom("email", "email_pending", "profile", "active", "inactive").map(updates) },
  { weight: 1, arbitrary: fc.constantFrom("active").map(updates) },
  { weight: 1, arbitrary: fc.constantFrom(1, 16, 59, 60).map(waits) }
)

/** The steps as fast-check commands. Each asserts that the password changed exactly if the model expects it. */
const commands = steps.map(({ name, run }) => ({
  check: () => true,
  toString: () => name,
  run: async (model: Model, real: Real) => {
    const before = await real.passwordHash()
    const password = await run(model, real)
    const after = await real.passwordHash()
    expect([name, after !== before]).toEqual([name, password !== undefined])
    if (password === undefined) return
    real.changedBy.push(name)
    model.password = password
    model.resets.clear()
  }
}))

const readHash = (sql: SqlClient, userId: string) => async () => {
  const [row] = await query(
    sql<{ readonly password_hash: string }>`select password_hash from credentials
      where user_id = ${userId} and credential_type = 'password'`
  )
  return row?.password_hash
}

test(
  "SEC-22, CVE-2026-18963, CVE-2026-49443, CVE-2026-54730: only a token or the current password changes a password",
  { timeout: 60_000 },
  () =>
    ownService(async ({ given, clock, sql }) => {
      const realm = await given.realm()
      const changedBy: Array<string> = []
      await fc.assert(
        fc.asyncProperty(fc.commands([commands], { maxCommands: 30, size: "max" }), async (sequence) => {
          const holder = await newHolder(realm, clock.currentTimeMillisUnsafe())
          const passwordHash = readHash(sql, holder.user.id)
          const model: Model = {
            password: PASSWORD,
            active: true,
            now: clock.currentTimeMillisUnsafe(),
            resets: new Map()
          }
          await fc.asyncModelRun(
            () => ({ model, real: { realm, holder, clock, tokens: [], passwordHash, changedBy } }),
            sequence
          )
          const login = await authenticate(realm, holder.user.id, model.password)
          expect(login.status).toBe(model.active ? 200 : 422)
        }),
        { seed: 20_260_101, numRuns: 12, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true }
      )
      const changes = Object.groupBy(changedBy, (name) => name.split(" ")[0] ?? "")
      expect(changes["reset"]?.length).toBeGreaterThan(1)
      expect(changes["update_password"]?.length).toBeGreaterThan(1)
    })
)
