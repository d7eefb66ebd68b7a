import type { DateTime } from "effect"
import { HOTP, Secret, TOTP } from "otpauth"
import { renderSVG } from "uqr"

// RFC 6238 as every authenticator app has it (decision 26).
const form = { algorithm: "SHA1", digits: 6, period: 30 } as const

/** How many steps a device's clock may be off, either way (SEC-18). */
const WINDOW = 1

const CODE = /^[0-9]{6}$/

/** The longest issuer or label in a QR code, in bytes as it is encoded: a code holds 2,953 in all. */
const LONGEST_NAME = 600

/** How many random bytes a device's secret is made of. */
export const SECRET_BYTES = 20

/** Random bytes as the secret of a device, in base32. */
export const totpSecret = (bytes: Uint8Array): string => new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32

/** The step (of 30 seconds since 1970) whose code this is, of those close to now; undefined for any other text. */
export const stepOf = (secretBase32: string, code: string, now: DateTime.Utc): number | undefined => {
  if (!CODE.test(code)) return undefined
  const counter = TOTP.counter({ period: form.period, timestamp: now.epochMilliseconds })
  const secret = Secret.fromBase32(secretBase32)
  const delta = HOTP.validate({ token: code, secret, ...form, counter, window: WINDOW })
  return delta === null ? undefined : counter + delta
}

/** As much of a name as a QR code has room for. */
const fitting = (name: string): string => {
  let length = 0
  let kept = ""
  for (const character of name.toWellFormed()) {
    length += encodeURIComponent(character).length
    if (length > LONGEST_NAME) break
    kept += character
  }
  return kept
}

/** What an authenticator app is set up with. `label`: whose device it is. */
export const provisioningUri = (secretBase32: string, issuer: string, label: string): string =>
  new TOTP({ ...form, secret: secretBase32, issuer: fitting(issuer), label: fitting(label) }).toString()

/** The same as a QR code, in SVG. */
export const provisioningSvg = (uri: string): string => renderSVG(uri, { pixelSize: 1 })
