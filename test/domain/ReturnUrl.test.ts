import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isInvitee } from "#domain/Invitation"
import { RedirectRefused, resolveReturnUrl, withLoginToken } from "#domain/ReturnUrl"

const query = fc.array(fc.tuple(fc.constantFrom("token", "signup", "state", "a", "b c"), fc.string()), { maxLength: 5 })

const place = fc
  .tuple(fc.constantFrom("https://app.example.test/cb", "com.acme.app:/done"), query)
  .map(([base, pairs]) => (pairs.length === 0 ? base : `${base}?${new URLSearchParams(pairs)}`))

const visible = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .filter((text) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(text))

describe("SEC-91: the hand-over of a login", () => {
  test("has token, signup and state once each, whatever the place has, and all the rest of the place", () => {
    fc.assert(
      fc.property(place, visible, fc.boolean(), fc.option(visible), (at, token, isNew, state) => {
        const [before, after] = [new URL(at), new URL(withLoginToken(at, token, { isNew, state }))]
        expect([after.protocol, after.host, after.pathname]).toEqual([before.protocol, before.host, before.pathname])
        expect(after.searchParams.getAll("token")).toEqual([token])
        expect(after.searchParams.getAll("signup")).toEqual(isNew ? ["true"] : [])
        const kept = before.searchParams.getAll("state")
        expect(after.searchParams.getAll("state")).toEqual(state === null ? kept : [state])
        for (const name of ["a", "b c"]) {
          expect(after.searchParams.getAll(name)).toEqual(before.searchParams.getAll(name))
        }
      })
    )
  })

  test("leads nowhere with a state that is invisible or too long, whatever place is asked for", () => {
    const app = { loginHandler: "https://app.example.test/", signupHandler: null, redirectUris: [] }
    const invisible = fc.constantFrom(
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
    )
    const refused = fc.oneof(
      fc.tuple(visible, invisible, visible).map((parts) => parts.join("")),
      visible.map((text) => text.repeat(1 + Math.floor(512 / Array.from(text).length)).padEnd(513, "x"))
    )
    fc.assert(
      fc.property(refused, fc.option(fc.constant("https://evil.test/")), fc.boolean(), (state, returnTo, isNew) => {
        expect(resolveReturnUrl(app, { returnTo, state }, isNew)).toEqual(new RedirectRefused({ why: "state_refused" }))
      })
    )
    for (const state of ["x".repeat(512), "ñ猫 🐘", "🐘".repeat(512)]) {
      expect(resolveReturnUrl(app, { returnTo: null, state }, false)).toBe(app.loginHandler)
    }
  })
})

test("SEC-92: who was invited is who has the very address verified, however it is written", () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.emailAddress(), fc.boolean(), (invited, other, emailVerified) => {
      const email = invited.toLowerCase()
      expect(isInvitee({ email }, { email: ` ${invited.toUpperCase()} `, emailVerified })).toBe(emailVerified)
      expect(isInvitee({ email }, { email: null, emailVerified })).toBe(false)
      if (other.toLowerCase() !== email) expect(isInvitee({ email }, { email: other, emailVerified })).toBe(false)
    })
  )
})
