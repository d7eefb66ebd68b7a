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

/** The `amr` values that logins can have, as registered in RFC 8176; `fed` is a common extension for providers. */
const words = ["pwd", "otp", "hwk", "swk", "fed", "mfa"]

describe("the claims about a login", () => {
  it.each<readonly [string, ReadonlyArray<AuthenticationMethod>, ReadonlyArray<string>, string]>([
    ["for a password", ["pwd"], ["pwd"], "aal1"],
    ["for a password and an authenticator code", ["pwd", "otp"], ["pwd", "otp", "mfa"], "aal2"],
    ["for another provider", ["fed"], ["fed"], "aal1"],
    ["for another provider and an authenticator code", ["fed", "otp"], ["fed", "otp", "mfa"], "aal2"],
    ["for an emailed link", ["email"], ["otp"], "aal1"],
    ["for an emailed link and an authenticator code", ["email", "otp"], ["otp", "mfa"], "aal2"],
    ["for a password and an emailed code", ["pwd", "email"], ["pwd", "otp", "mfa"], "aal2"],
    ["for a device-bound passkey with user verification", ["hwk", "uv"], ["hwk", "mfa"], "aal2"],
    ["for a synced passkey with user verification", ["swk", "uv"], ["swk", "mfa"], "aal2"],
    ["for a passkey without user verification", ["swk"], ["swk"], "aal1"],
    ["for a password and a passkey", ["pwd", "hwk"], ["pwd", "hwk", "mfa"], "aal2"],
    ["for two passkeys, which are one factor", ["hwk", "swk"], ["hwk", "swk"], "aal1"],
    ["for the same method twice, which is one factor", ["pwd", "pwd"], ["pwd"], "aal1"]
  ])("%s", (_, shown, amr, acr) => {
    expect(authenticationClaims(shown)).toEqual({ amr, acr })
  })

  it.prop("list mfa last if and only if the level is aal2", [methods], ([shown]) => {
    const { amr, acr } = authenticationClaims(shown)
    expect(amr.indexOf("mfa")).toBe(acr === "aal2" ? amr.length - 1 : -1)
    expect(new Set(amr).size).toBe(amr.length)
    expect(words).toEqual(expect.arrayContaining([...amr]))
  })

  it.prop("have a level that never falls when a method is added", [methods, method], ([shown, more]) => {
    expect(assuranceOf(shown.toReversed())).toBe(assuranceOf(shown))
    if (assuranceOf(shown) === "aal2") expect(assuranceOf([...shown, more])).toBe("aal2")
  })
})

describe("an additional factor", () => {
  const after = Arbitrary.schema(integer(0, 3 * PROOF_MINUTES * 60))

  it.prop(
    "becomes part of a recent login, but doesn't make an older login more recent (SEC-133)",
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
