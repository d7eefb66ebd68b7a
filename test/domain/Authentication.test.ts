import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, DateTime, Schema } from "effect"
import {
  type AuthenticationMethod,
  assuranceOf,
  authenticationClaims,
  authenticationMethods,
  withFactor
} from "#domain/Authentication"
import { PROOF_MINUTES } from "#domain/Reauthentication"
import { integer } from "../support/arbitraries.ts"

const method = Arbitrary.schema(Schema.Literals(authenticationMethods))
const methods = Arbitrary.array(method, { minLength: 1, maxLength: 4 })
const start = DateTime.makeUnsafe(1_800_000_000_000)

/** The `amr` values that RFC 8176 registers and logins here can have; `fed` is what others add for other providers. */
const words = ["pwd", "otp", "hwk", "swk", "fed", "mfa"]

describe("what apps are told of a login", () => {
  it.each<readonly [string, ReadonlyArray<AuthenticationMethod>, ReadonlyArray<string>, string]>([
    ["a password", ["pwd"], ["pwd"], "aal1"],
    ["a password and a code of an app", ["pwd", "otp"], ["pwd", "otp", "mfa"], "aal2"],
    ["another provider", ["fed"], ["fed"], "aal1"],
    ["another provider and a code of an app", ["fed", "otp"], ["fed", "otp", "mfa"], "aal2"],
    ["a link by mail", ["email"], ["otp"], "aal1"],
    ["a link by mail and a code of an app", ["email", "otp"], ["otp", "mfa"], "aal2"],
    ["a password and a code by mail", ["pwd", "email"], ["pwd", "otp", "mfa"], "aal2"],
    ["a passkey of one device, whose holder was checked", ["hwk", "uv"], ["hwk", "mfa"], "aal2"],
    ["a synced passkey, whose holder was checked", ["swk", "uv"], ["swk", "mfa"], "aal2"],
    ["a passkey whose holder was not checked", ["swk"], ["swk"], "aal1"],
    ["a password and a passkey", ["pwd", "hwk"], ["pwd", "hwk", "mfa"], "aal2"],
    ["two passkeys are one factor", ["hwk", "swk"], ["hwk", "swk"], "aal1"],
    ["the same method twice is one factor", ["pwd", "pwd"], ["pwd"], "aal1"]
  ])("%s", (_, shown, amr, acr) => {
    expect(authenticationClaims(shown)).toEqual({ amr, acr })
  })

  it.prop(
    "mfa stands at the end, exactly at level aal2; no word is told twice, and all are registered",
    [methods],
    ([shown]) => {
      const { amr, acr } = authenticationClaims(shown)
      expect(amr.indexOf("mfa")).toBe(acr === "aal2" ? amr.length - 1 : -1)
      expect(new Set(amr).size).toBe(amr.length)
      expect(words).toEqual(expect.arrayContaining([...amr]))
    }
  )

  it.prop(
    "the level depends on what was shown, not on its order, and falls with no method added",
    [methods, method],
    ([shown, more]) => {
      expect(assuranceOf(shown.toReversed())).toBe(assuranceOf(shown))
      if (assuranceOf(shown) === "aal2") expect(assuranceOf([...shown, more])).toBe("aal2")
    }
  )
})

describe("a factor that is added", () => {
  const after = Arbitrary.schema(integer(0, 3 * PROOF_MINUTES * 60))

  it.prop(
    "to a login from just now is part of it; to an older one it makes the login no younger (SEC-133)",
    [methods, method, after],
    ([shown, added, seconds]) => {
      const now = DateTime.add(start, { seconds })
      const { at, methods: all } = withFactor({ at: start, methods: shown }, [added], now)
      expect(at).toEqual(seconds < PROOF_MINUTES * 60 ? now : start)
      expect(all.slice(0, shown.length)).toEqual(shown)
      expect(all).toContain(added)
    }
  )
})
