import fc from "fast-check"
import { decodeJwt } from "jose"
import { expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import { type GivenRealm, uniqueText } from "#testing/Given"
import { codeOf, sendCode, withEmailCodes } from "../support/codes.ts"
import { logIn, oauth2StandIn, profile } from "../support/external.ts"
import { importRows } from "../support/imports.ts"
import { complete, PASSWORD } from "../support/logins.ts"
import { clockedService } from "../support/sallyport.ts"
import type { StandIn } from "../support/standIns.ts"

/** The expected state of a user: the email, `email_verification` and the last proven address. */
interface Model {
  email: string
  member: string
  proved: string | undefined
}

interface Real {
  readonly realm: GivenRealm
  readonly user: Reply
  readonly provider: Reply
  readonly double: StandIn
}

type Act = (real: Real, model: Model, address: string) => Promise<unknown>

const put = ({ realm, user }: Real, changes: object) => realm.put(`/v2/users/${user.id}`, { user: changes })

/** Marks the current email as proven. */
const markProved = (model: Model) => Object.assign(model, { member: "verified", proved: model.email })

/** Marks the email as proven by an update, unless `email_verification` was already `verified` (C261). */
const markVouched = (model: Model) => (model.member === "verified" ? model : markProved(model))

const verify = async ({ realm }: Real, token: string) =>
  expect((await realm.post("/v2/users/verify_email", { user: { token } })).status).toBe(200)

const acts: Readonly<Record<string, Act>> = {
  "sets an address": async (real, model, email) => {
    await put(real, { email })
    model.email = email
  },
  "sets an address and vouches for it": async (real, model, email) => {
    await put(real, { email, email_verification: "verified" })
    model.email = email
    markVouched(model)
  },
  "vouches for the address": async (real, model) => {
    await put(real, { email_verification: "verified" })
    markVouched(model)
  },
  "requests a verification": async (real, model) => {
    await put(real, { email_verification: "requested" })
    model.member = "requested"
  },
  "resets the verification": async (real, model) => {
    await put(real, { email_verification: "none" })
    model.member = "none"
  },
  "confirms the address": async (real, model) => {
    const { realm, user } = real
    if (isVerified(model)) return
    await verify(real, (await realm.post(`/v2/users/${user.id}/request_email_verification`, {})).string("token"))
    markProved(model)
  },
  "confirms a pending address": async (real, model, email_pending) => {
    const { realm, user } = real
    if (!isVerified(model) || model.email === email_pending) return
    await put(real, { email_pending })
    await verify(real, (await realm.post(`/v2/users/${user.id}/request_email_verification`, {})).string("token"))
    model.email = email_pending
    markProved(model)
  },
  "imports an address": async ({ realm, user }, model, email) => {
    await importRows(realm, [{ reference: user.id, email }])
    model.email = email
  },
  "imports an address as verified": async ({ realm, user }, model, email) => {
    await importRows(realm, [{ reference: user.id, email, email_verification: "verified" }])
    model.email = email
    markProved(model)
  },
  "logs in with an emailed code": async ({ realm, user }, model) => {
    const token = (await sendCode(realm, user.id)).string("token")
    expect((await complete(realm, token, await codeOf(realm, user.id))).status).toBe(200)
    markProved(model)
  },
  "changes a name": (real) => put(real, { first_name: uniqueText("Jo") }),
  // Only the first login, which links the profile, proves the address.
  "logs in with a provider": async ({ realm, double, provider, user }, model) => {
    const isLinked = (await realm.get(`/v2/users/${user.id}`)).text.includes('"credential_type":"oauth2"')
    double.answers({ profile: profile({ sub: user.id, email: model.email, email_verified: true }) })
    expect((await logIn(realm, provider.id)).string("user_id")).toBe(user.id)
    if (!isLinked) markProved(model)
  }
}

const isVerified = ({ member, email, proved }: Model): boolean => member === "verified" && email === proved

class Step implements fc.AsyncCommand<Model, Real> {
  readonly #name: string
  readonly #which: number
  constructor(name: string, which: number) {
    this.#name = name
    this.#which = which
  }
  check(): boolean {
    return true
  }
  async run(model: Model, real: Real): Promise<void> {
    await acts[this.#name]?.(real, model, `${real.user.id.toLowerCase()}.${this.#which}@example.test`)
    const session = await real.realm.post("/v2/sessions", { session: { user_id: real.user.id } })
    const { email, email_verified } = decodeJwt(session.string("token"))
    expect([email, email_verified]).toEqual([model.email, isVerified(model)])
    expect((await real.realm.get(`/v2/users/${real.user.id}`)).member("email_verification")).toBe(model.member)
  }
  toString(): string {
    return `${this.#name} ${this.#which}`
  }
}

test("SEC-243: in any order of changes and proofs, only the proven address counts as verified", async () => {
  const { given } = await clockedService()
  const limits = { mails: 10_000, mails_sustained: 10_000 }
  const realm = await withEmailCodes(await given.realm({ limits }))
  const { provider, double } = await oauth2StandIn(realm, profile())
  const step = fc
    .tuple(fc.constantFrom(...Object.keys(acts)), fc.nat({ max: 2 }))
    .map(([name, which]) => new Step(name, which))
  let [verified, unverified] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.commands([step], { maxCommands: 12, size: "max" }), async (sequence) => {
      const email = `${uniqueText("first")}@example.test`
      const user = await realm.user({ email, password: PASSWORD })
      const model: Model = { email, member: "none", proved: undefined }
      await fc.asyncModelRun(() => ({ model, real: { realm, user, provider, double } }), sequence)
      if (isVerified(model)) verified += 1
      else unverified += 1
    }),
    { seed: 20_261_128, numRuns: 40 }
  )
  expect(Math.min(verified, unverified)).toBeGreaterThan(5)
}, 120_000)
