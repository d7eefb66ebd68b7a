import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, Schema } from "effect"
import { isInvitee } from "#domain/Invitation"
import { RedirectRefused, resolveReturnUrl, withLoginToken } from "#domain/ReturnUrl"
import { EmailAddress, matching, oneOf } from "../support/arbitraries.ts"

const Parameter = Schema.Tuple([Schema.Literals(["token", "signup", "state", "a", "b c"]), Schema.String])

const Place = Schema.Struct({
  base: Schema.Literals(["https://app.example.test/cb", "com.acme.app:/done"]),
  query: Schema.Array(Parameter).check(Schema.isMaxLength(5))
})

const place = Arbitrary.map(Arbitrary.schema(Place), ({ base, query }) =>
  query.length === 0
    ? base
    : `${base}?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]))}`
)

/** Characters made of several code points: letters with accents and vowel signs, flags, families. */
const graphemes = ["é", "e\u0301", "ň", "ß", "Ж", "שׁ", "عَ", "नि", "น้", "한", "語", "ﷺ", "𝓳", "🐘", "🇪🇸", "👍🏽"]

const visible = Arbitrary.schema(
  Schema.Array(Schema.Union([matching(/^[ -~]$/), Schema.Literals(graphemes)])).check(Schema.isBetweenLength(1, 60))
).pipe(Arbitrary.map((characters) => characters.join("")))

describe("SEC-91: the return URL of a login", () => {
  it.prop(
    "has token, signup and state once each, and otherwise preserves the target URL",
    [place, visible, Schema.Boolean, oneOf(visible, Arbitrary.Constant(null))],
    ([at, token, isNew, state]) => {
      const [before, after] = [new URL(at), new URL(withLoginToken(at, token, { isNew, state }))]
      expect([after.protocol, after.host, after.pathname]).toEqual([before.protocol, before.host, before.pathname])
      expect(after.searchParams.getAll("token")).toEqual([token])
      expect(after.searchParams.getAll("signup")).toEqual(isNew ? ["true"] : [])
      const originalStates = before.searchParams.getAll("state")
      expect(after.searchParams.getAll("state")).toEqual(state === null ? originalStates : [state])
      for (const name of ["a", "b c"]) {
        expect(after.searchParams.getAll(name)).toEqual(before.searchParams.getAll(name))
      }
    },
    { arbitrary: { size: 60 } }
  )

  const app = { loginHandler: "https://app.example.test/", signupHandler: null, redirectUris: [] }
  const Invisible = Schema.Literals([
    "\u0000",
    "\n",
    "\t",
    "\u007f",
    "\u00ad",
    "\u200b",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\ud800",
    "\ue000"
  ])
  const refused = oneOf(
    Arbitrary.map(Arbitrary.all([visible, Arbitrary.schema(Invisible), visible]), (parts) => parts.join("")),
    Arbitrary.map(visible, (text) => text.repeat(1 + Math.floor(512 / Array.from(text).length)).padEnd(513, "x"))
  )

  it.prop(
    "is rejected with an invisible or overlong state",
    [refused, Schema.NullOr(Schema.Literal("https://evil.test/")), Schema.Boolean],
    ([state, returnTo, isNew]) => {
      expect(resolveReturnUrl(app, { returnTo, state }, isNew)).toEqual(new RedirectRefused({ why: "state_refused" }))
    },
    { arbitrary: { size: 60 } }
  )

  it("accepts a state of up to 512 visible characters", () => {
    for (const state of ["x".repeat(512), "ñ猫 🐘", "🐘".repeat(512)]) {
      expect(resolveReturnUrl(app, { returnTo: null, state }, false)).toBe(app.loginHandler)
    }
  })
})

it.prop(
  "SEC-92: an invitee is a user who has verified the invited address in any spelling",
  [EmailAddress, EmailAddress, Schema.Boolean],
  ([email, other, emailVerified]) => {
    expect(isInvitee({ email }, { email: ` ${email.toUpperCase()} `, emailVerified })).toBe(emailVerified)
    expect(isInvitee({ email }, { email: null, emailVerified })).toBe(false)
    if (other !== email) expect(isInvitee({ email }, { email: other, emailVerified })).toBe(false)
  },
  { arbitrary: { size: 28 } }
)
