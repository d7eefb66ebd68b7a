import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type AuthenticationMethod, assuranceOf, authenticationMethods } from "#domain/Authentication"
import type { RequiredEnrolment } from "#domain/Login"
import { type LoginState, nextStep, requiredFactor } from "#domain/NextStep"

const enrolment: RequiredEnrolment = { secret: "S", uri: "otpauth:", svg: "<svg/>", allowsPasskey: false }

const loggedIn = { _tag: "LoggedIn", returnUrl: "https://app.example.test/cb" } as const

const base: LoginState = {
  outcome: loggedIn,
  isDeletionScheduled: false,
  mayOfferPasskey: false,
  page: null,
  orgCount: 0,
  lacksSecondFactor: false
}

const state: fc.Arbitrary<LoginState> = fc.record({
  outcome: fc.constantFrom<LoginState["outcome"]>(
    loggedIn,
    { _tag: "LoggedIn", returnUrl: null },
    { _tag: "MfaRequired", token: "kli_1", enrolment: undefined },
    { _tag: "MfaRequired", token: "kli_1", enrolment },
    { _tag: "VerificationSent", email: "jo@example.test" }
  ),
  isDeletionScheduled: fc.boolean(),
  mayOfferPasskey: fc.boolean(),
  page: fc.constantFrom(null, "authorize", "profile", "accounts"),
  orgCount: fc.nat(3),
  lacksSecondFactor: fc.boolean()
})

describe("the next step of a login", () => {
  test.each<[name: string, state: Partial<LoginState>, step: string]>([
    ["the app", {}, "App"],
    ["the profile if the app has no login handler", { outcome: { ...loggedIn, returnUrl: null } }, "Profile"],
    ["the verification email", { outcome: { _tag: "VerificationSent", email: "jo@example.test" } }, "VerifyEmail"],
    ["the second factor", { outcome: { _tag: "MfaRequired", token: "kli_1", enrolment: undefined } }, "SecondFactor"],
    ["the setup of a second factor", { outcome: { _tag: "MfaRequired", token: "kli_1", enrolment } }, "Enrolment"],
    ["the notice of a scheduled deletion", { isDeletionScheduled: true, mayOfferPasskey: true }, "DeletionNotice"],
    ["the offer of a passkey", { mayOfferPasskey: true, orgCount: 2 }, "PasskeyOffer"],
    [
      "the offer of a passkey, even before an authorization request",
      { mayOfferPasskey: true, page: "authorize" },
      "PasskeyOffer"
    ],
    [
      "the page that required the login, without the offer of a passkey",
      { mayOfferPasskey: true, page: "security" },
      "Page"
    ],
    ["the authorization request", { page: "authorize", orgCount: 2 }, "Authorization"],
    ["the page that required the login", { page: "profile", orgCount: 2, lacksSecondFactor: true }, "Page"],
    ["the choice of an org", { orgCount: 2, lacksSecondFactor: true }, "OrgChoice"],
    ["the app if there is only one org", { orgCount: 1 }, "App"],
    ["the second factor that the session lacks", { lacksSecondFactor: true }, "StepUp"]
  ])("is %s", (_, known, step) => {
    expect(nextStep({ ...base, ...known })._tag).toBe(step)
  })

  test("SEC-132: is the app only if no factor, page or org selection remains", () => {
    fc.assert(
      fc.property(state, (login) => {
        if (nextStep(login)._tag !== "App") return
        const { outcome, page, orgCount, lacksSecondFactor } = login
        expect([outcome._tag, page, orgCount <= 1, lacksSecondFactor]).toEqual(["LoggedIn", null, true, false])
      })
    )
  })

  test("is the app or the profile in the end for a user who completes every step", () => {
    fc.assert(
      fc.property(state, (first) => {
        let login = { ...first, outcome: first.outcome }
        const steps: Array<string> = []
        for (let step = nextStep(login); ; step = nextStep(login)) {
          steps.push(step._tag)
          if (step._tag === "App" || step._tag === "Profile") break
          if (["VerifyEmail", "SecondFactor", "Enrolment"].includes(step._tag)) login = { ...login, outcome: loggedIn }
          if (step._tag === "DeletionNotice") login = { ...login, isDeletionScheduled: false }
          if (step._tag === "PasskeyOffer") login = { ...login, mayOfferPasskey: false }
          if (step._tag === "Authorization" || step._tag === "Page") login = { ...login, page: null }
          if (step._tag === "OrgChoice") login = { ...login, orgCount: 1 }
          if (step._tag === "StepUp") login = { ...login, lacksSecondFactor: false }
        }
        expect(new Set(steps).size).toBe(steps.length)
      })
    )
  })
})

describe("the factor that a login still needs", () => {
  test("C147: depends on the realm, the user's second factor and the requested level", () => {
    const factors = fc.record({
      methods: fc.subarray<AuthenticationMethod>([...authenticationMethods]),
      hasSecondFactor: fc.boolean(),
      requested: fc.constantFrom("aal1", "aal2")
    })
    fc.assert(
      fc.property(fc.constantFrom("off", "optional", "required"), factors, (mfa, login) => {
        const { methods, hasSecondFactor, requested } = login
        const isEnough = mfa === "off" || assuranceOf(methods) === "aal2"
        const isDemanded = mfa === "required" || requested === "aal2"
        const missing = hasSecondFactor ? "second_factor" : isDemanded ? "enrolment" : "none"
        expect(requiredFactor({ mfa }, login)).toBe(isEnough ? "none" : missing)
      })
    )
  })
})
