import type { DateTime } from "effect"
import { HOTP, Secret, TOTP } from "otpauth"
import { encode } from "uqr"

// The parameters of RFC 6238 that all authenticator apps support (C26).
const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const

/** How many time steps a device's clock may be ahead or behind (SEC-18). */
const WINDOW = 1

const CODE = /^[0-9]{6}$/

/** The maximum length of an issuer or label, in encoded bytes. A QR code has room for 2,953 bytes in total. */
const MAX_NAME_BYTES = 600

/** The length of a TOTP secret, in bytes. */
export const SECRET_BYTES = 20

/** Encodes random bytes as a base32 TOTP secret. */
export const totpSecret = (bytes: Uint8Array): string => new Secret({ buffer: Uint8Array.from(bytes).buffer }).base32

/** The accepted lengths of imported secrets, in bytes. */
const SECRET_LENGTHS = { min: 10, max: 64 } as const

/** Normalizes an imported base32 secret. Returns undefined if it is invalid. */
export const parseTotpSecret = (typed: string): string | undefined => {
  const text = typed.replaceAll(/[\s=-]/g, "").toUpperCase()
  const bytes = Math.floor((text.length * 5) / 8)
  const isWithin = bytes >= SECRET_LENGTHS.min && bytes <= SECRET_LENGTHS.max
  return isWithin && /^[A-Z2-7]+$/.test(text) ? text : undefined
}

/**
 * Returns the time step for which a code is valid, if it is near `now`, or undefined if the code is wrong. Time steps last 30
 * seconds and are counted from 1970.
 */
export const matchingStep = (secretBase32: string, code: string, now: DateTime.Utc): number | undefined => {
  if (!CODE.test(code)) return undefined
  const counter = TOTP.counter({ period: parameters.period, timestamp: now.epochMilliseconds })
  const secret = Secret.fromBase32(secretBase32)
  const delta = HOTP.validate({ token: code, secret, ...parameters, counter, window: WINDOW })
  return delta === null ? undefined : counter + delta
}

/** Truncates a name so that it fits into a QR code. */
const truncateName = (name: string): string => {
  let length = 0
  let truncated = ""
  for (const character of name.toWellFormed()) {
    length += encodeURIComponent(character).length
    if (length > MAX_NAME_BYTES) break
    truncated += character
  }
  return truncated
}

/** Returns the URI that sets up an authenticator app. `label` names the account. */
export const provisioningUri = (secretBase32: string, issuer: string, label: string): string =>
  new TOTP({ ...parameters, secret: secretBase32, issuer: truncateName(issuer), label: truncateName(label) }).toString()

/** Returns the SVG path of a row of a QR code, with one rectangle for each run of dark modules. */
const pathOfRow = (row: ReadonlyArray<boolean>, y: number): string =>
  [...row.map(Number).join("").matchAll(/1+/g)]
    .map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join("")

/** Renders a URI as an SVG QR code. */
export const provisioningSvg = (uri: string): string => {
  const { size, data } = encode(uri)
  const background = `<rect fill="white" width="${size}" height="${size}"/>`
  const modules = `<path fill="black" d="${data.map(pathOfRow).join("")}"/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${background}${modules}</svg>`
}
