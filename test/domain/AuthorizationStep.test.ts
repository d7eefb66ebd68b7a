import { DateTime } from "effect"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { defaultAppearance } from "#domain/Appearance"
import type { OAuthClient } from "#domain/clients/OAuthClient"
import { AppId, RealmId } from "#domain/Ids"
import type { AuthorizationRequest, Prompt } from "#domain/oauth/AuthorizationRequest"
import {
  type AuthorizationAnswers,
  type AuthorizationVisitor,
  authorizationSteps,
  nextAuthorizationStep,
  silentReasons
} from "#domain/oauth/AuthorizationStep"
import { consentPairs } from "#domain/oauth/OAuthConsent"

const ids = { realmId: RealmId.make("rl_1"), id: AppId.make("lpl_1") }

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1_000)

/** The start time of every request in these tests, in seconds. */
const BEGAN = 1_000

const client = fc.record({
  clientType: fc.constantFrom("web", "spa", "native"),
  consent: fc.constantFrom("skip", "ask"),
  tokenEndpointAuthMethod: fc.constant("none" as const)
})

const request = fc.record({
  client,
  redirectUri: fc.constantFrom("https://app.example.test/cb", "com.example.app:/cb"),
  prompts: fc.subarray<Prompt>(["login", "consent", "select_account", "create"]),
  maxAge: fc.constantFrom(null, 0, 60, 3_600),
  loginHint: fc.constantFrom(null, "JO@example.test", "sam@example.test"),
  scopes: fc.subarray(["openid", "profile"]),
  resources: fc.subarray(["https://api.example.test/", "https://other.example.test/"])
})

const question = fc.record({
  scopes: fc.subarray(["openid", "profile"]),
  resources: fc.subarray(["https://api.example.test/", "https://other.example.test/"])
})

const visitor = fc.record({
  authentication: fc.option(fc.integer({ min: 0, max: 1_100 }).map((seconds) => ({ at: at(seconds), methods: [] }))),
  provedAt: fc.integer({ min: 0, max: 1_100 }).map(at),
  missing: fc.constantFrom("nothing", "login", "second_factor"),
  isExpected: fc.boolean(),
  names: fc.constant(["jo@example.test", null]),
  // Two earlier consent questions, both of which are remembered.
  consent: fc.option(
    fc.tuple(question, question).map((before) => ({ before, pairs: before.flatMap(consentPairs) })),
    { nil: undefined }
  )
})

const answers = fc.record({ hasChosen: fc.boolean(), hasConsented: fc.boolean() })

const base: Omit<OAuthClient, "clientType" | "consent" | "tokenEndpointAuthMethod"> = {
  ...ids,
  state: "active",
  name: "Reports",
  redirectUris: [],
  appearance: defaultAppearance,
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  clientUri: null,
  initiateLoginUri: null,
  grantTypes: ["authorization_code"],
  jwks: null,
  jwksUri: null,
  allowedScopes: [],
  resources: [],
  idTokenClaims: "scopes",
  requirePkce: true,
  requirePar: false,
  requireDpop: false,
  accessTokenMinutes: 60,
  refreshTokenDays: 30,
  loginAppId: null,
  registration: null,
  createdAt: at(0)
}

type Drawn<T> = T extends fc.Arbitrary<infer A> ? A : never

const requestOf = ({ client: drawn, ...rest }: Drawn<typeof request>): AuthorizationRequest => ({
  responseMode: "query",
  state: null,
  nonce: null,
  codeChallenge: null,
  acr: null,
  uiLocales: null,
  idTokenHint: null,
  subject: null,
  claims: null,
  orgId: null,
  jkt: null,
  ...rest,
  client: { ...base, ...drawn }
})

const isYoung = ({ maxAge, prompts }: AuthorizationRequest, { authentication }: AuthorizationVisitor): boolean => {
  const age = prompts.includes("login") ? 0 : maxAge
  const seconds = authentication === null ? -1 : authentication.at.epochMilliseconds / 1_000
  return age === null || (authentication !== null && BEGAN - seconds <= age)
}

describe("the next step of an authorization request", () => {
  test("SEC-195: is issuing a code only after a recent, strong enough login with all required consent", () => {
    fc.assert(
      fc.property(request, visitor, answers, (drawn, person, answered) => {
        const [asked, who]: [AuthorizationRequest, AuthorizationVisitor] = [requestOf(drawn), person]
        if (nextAuthorizationStep(asked, at(BEGAN), who, answered) !== "issue") return
        expect(who.missing).toBe("nothing")
        expect(isYoung(asked, who)).toBe(true)
        const needsConsent = asked.client.consent === "ask" || asked.prompts.includes("consent")
        // Each scope was requested together with each resource server. For the realm itself, any question counts.
        const { before = [] } = person.consent ?? {}
        const isCovered = asked.scopes.every((scope) =>
          asked.resources.length === 0
            ? before.some(({ scopes }) => scopes.includes(scope))
            : asked.resources.every((one) => before.some((q) => q.scopes.includes(scope) && q.resources.includes(one)))
        )
        const isOpen = asked.client.clientType === "native" && !asked.redirectUri.startsWith("https:")
        if (needsConsent && !answered.hasConsented) {
          expect([isCovered, isOpen, asked.prompts.includes("consent")]).toEqual([true, false, false])
        }
        const isThere = answered.hasChosen || answered.hasConsented || who.provedAt.epochMilliseconds >= BEGAN * 1_000
        if (!isThere) {
          expect([isOpen, asked.prompts.includes("select_account")]).toEqual([false, false])
          expect(asked.loginHint).not.toBe("sam@example.test")
          expect(who.isExpected).toBe(true)
        }
      })
    )
  })

  test("is issuing a code once the user has completed every other step", () => {
    fc.assert(
      fc.property(request, visitor, (drawn, person) => {
        const asked = requestOf(drawn)
        let [who, answered]: [AuthorizationVisitor, AuthorizationAnswers] = [
          person,
          { hasChosen: false, hasConsented: false }
        ]
        const steps = []
        for (let turn = 0; turn < 6; turn++) {
          const step = nextAuthorizationStep(asked, at(BEGAN), who, answered)
          steps.push(step)
          if (step === "issue") break
          if (step === "select_account") answered = { ...answered, hasChosen: true }
          else if (step === "consent") answered = { ...answered, hasConsented: true }
          else if (step === "second_factor") who = { ...who, missing: "nothing" }
          else {
            const now = at(BEGAN + turn + 1)
            who = { ...who, authentication: { at: now, methods: [] }, provedAt: now, missing: "nothing" }
          }
        }
        expect(steps.at(-1)).toBe("issue")
        expect(new Set(steps).size).toBe(steps.length)
      })
    )
  })

  test("is a login or signup if nobody is logged in", () => {
    fc.assert(
      fc.property(request, answers, (drawn, answered) => {
        const step = nextAuthorizationStep(requestOf(drawn), at(BEGAN), undefined, answered)
        expect(step).toBe(drawn.prompts.includes("create") ? "sign_up" : "log_in")
      })
    )
  })

  test("is an error for every step with prompt=none, except issuing the code", () => {
    expect(Object.keys(silentReasons)).toEqual(authorizationSteps.filter((step) => step !== "issue"))
  })
})
