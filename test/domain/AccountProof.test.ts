import { DateTime } from "effect"
import fc from "fast-check"
import { expect, test } from "vitest"
import { isAccountProof } from "#domain/AccountProof"
import { assuranceOf, authenticationMethods } from "#domain/Authentication"

const NOW = 1_000 * 60_000
const at = fc.integer({ min: NOW - 30 * 60_000, max: NOW }).map((millis) => DateTime.makeUnsafe(millis))
const now = DateTime.makeUnsafe(NOW)
const isRecent = (time: DateTime.Utc) => time.epochMilliseconds > NOW - 10 * 60_000

const authentication = fc.record({ at, methods: fc.subarray([...authenticationMethods]) })
const proof = fc.record({ provedAt: at, authentication: fc.option(authentication) })
const demand = fc.option(fc.record({ since: fc.option(at) }), { nil: undefined })

test("SEC-144: accepts recent proofs that include the second factor or precede its setup", () => {
  fc.assert(
    fc.property(proof, demand, (shown, asked) => {
      const shownBoth =
        shown.authentication !== null &&
        assuranceOf(shown.authentication.methods) === "aal2" &&
        isRecent(shown.authentication.at)
      const setUpSince = asked?.since != null && asked.since.epochMilliseconds >= shown.provedAt.epochMilliseconds
      const expected = isRecent(shown.provedAt) && (asked === undefined || setUpSince || shownBoth)
      expect(isAccountProof(shown, asked, now)).toBe(expected)
    })
  )
})
