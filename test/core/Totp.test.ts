import { describe, expect, it } from "@effect/vitest"
import { Arbitrary, DateTime } from "effect"
import { matchingStep, provisioningSvg, provisioningUri, totpSecret } from "#core/tokens/Totp"
import { UnicodeText } from "../support/arbitraries.ts"
import { codeAt } from "../support/credentials.ts"

/** The shared secret of RFC 6238, appendix B. */
const secret = totpSecret(Buffer.from("12345678901234567890"))

const at = (seconds: number) => DateTime.makeUnsafe(seconds * 1000)

describe("matchingStep", () => {
  it("matches the codes of RFC 6238, appendix B", () => {
    for (const [seconds, code] of [
      [59, "287082"],
      [1_111_111_109, "081804"],
      [1_111_111_111, "050471"],
      [1_234_567_890, "005924"],
      [2_000_000_000, "279037"],
      [20_000_000_000, "353130"]
    ] as const) {
      expect(matchingStep(secret, code, at(seconds))).toBe(Math.floor(seconds / 30))
    }
  })

  it("SEC-18: accepts only the previous, current and next step, independent of the system clock", () => {
    for (const seconds of [1_000_000_000, 1_767_225_600, 4_000_000_000, 1_767_225_629]) {
      const step = Math.floor(seconds / 30)
      for (const [off, expected] of [
        [-3, undefined],
        [-2, undefined],
        [-1, step - 1],
        [0, step],
        [1, step + 1],
        [2, undefined],
        [3, undefined]
      ] as const) {
        expect([off, matchingStep(secret, codeAt(secret, (step + off) * 30_000), at(seconds))]).toEqual([off, expected])
      }
    }
  })

  it("accepts only codes of exactly six ASCII digits", () => {
    const code = codeAt(secret, 1_000_000_000_000)
    const arabic = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x0660 + Number(digit)))
    const wide = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
    const others = ["", " ", code.slice(1), `${code}0`, ` ${code}`, `${code} `, `${code}\n`, `+${code.slice(1)}`]
    for (const text of [...others, arabic, wide, `${code.slice(0, 3)} ${code.slice(3)}`, "null", "1e5000"]) {
      expect([text, matchingStep(secret, text, at(1_000_000_000))]).toEqual([text, undefined])
    }
    expect(matchingStep(secret, code, at(1_000_000_000))).toBe(33_333_333)
  })

  it.prop(
    "rejects any text other than six ASCII digits",
    [Arbitrary.filter(Arbitrary.schema(UnicodeText), (text) => !/^[0-9]{6}$/.test(text))],
    ([text]) => {
      expect(matchingStep(secret, text, at(1_000_000_000))).toBeUndefined()
    }
  )
})

describe("provisioning", () => {
  it("returns a URI with the issuer, label and parameters that authenticator apps expect", () => {
    const uri = new URL(provisioningUri(secret, "Jo & Sons", "jo@example.test"))
    expect(uri.protocol + uri.host).toBe("otpauth:totp")
    expect(decodeURIComponent(uri.pathname)).toBe("/Jo & Sons:jo@example.test")
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: "Jo & Sons",
      secret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ",
      algorithm: "SHA1",
      digits: "6",
      period: "30"
    })
  })

  it("returns a QR code for any names of any length", () => {
    for (const name of ["a", "é", "語", "😀", ":", "%", "<", '"', "\u202e"]) {
      const svg = provisioningSvg(provisioningUri(secret, name.repeat(255), name.repeat(254)))
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+">.*<\/svg>$/)
      expect(svg).not.toContain("script")
    }
    const usual = provisioningUri(secret, "x".repeat(255), `${"y".repeat(200)}@example.test`)
    expect(usual).toContain(`issuer=${"x".repeat(255)}&`)
  })

  it("encodes a secret as the base32 of its bytes", () => {
    expect(totpSecret(Buffer.from("foobar"))).toBe("MZXW6YTBOI")
    expect(totpSecret(new Uint8Array(20))).toBe("A".repeat(32))
  })
})
