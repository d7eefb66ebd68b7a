import { DateTime } from "effect"
import type { Authentication } from "../Authentication.ts"
import type { AppId, RealmId, UserId } from "../Ids.ts"
import type { OAuthReason } from "./OAuthProblem.ts"

/** How long a device code and its user code are valid, in seconds. */
export const DEVICE_CODE_SECONDS = 600

/**
 * How long a device must initially wait between two polls, and how much longer after each poll that came too soon, in
 * seconds (RFC 8628 §3.5).
 */
export const POLL_SECONDS = 5

/** The maximum wait between two polls, in seconds. */
export const MAX_POLL_SECONDS = 60

export const deviceStates = ["pending", "approved", "denied", "redeemed"] as const

export type DeviceState = (typeof deviceStates)[number]

/** A device waiting for a user to log in on another device and approve it. */
export interface DeviceAuthorization {
  /** The digest of the device code. */
  readonly id: string
  readonly realmId: RealmId
  readonly clientId: AppId
  /** The app on whose pages the user enters the code. */
  readonly appId: AppId
  readonly userCode: string
  readonly scopes: ReadonlyArray<string>
  readonly resources: ReadonlyArray<string>
  /** The IP address and user agent of the device's request. */
  readonly requestIp: string | null
  readonly requestClient: string | null
  readonly state: DeviceState
  /** The user who entered the user code, or null if nobody has. */
  readonly userId: UserId | null
  /** How that user logged in, or null if unknown. */
  readonly authentication: Authentication | null
  readonly pollSeconds: number
  readonly polledAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** The browser where a user code is entered. `browserId` is the digest of its session's secret. */
export interface DeviceBrowser {
  readonly userId: UserId
  readonly browserId: string
}

/** Consonants that are hard to confuse. There are no vowels, so that no code spells a word (RFC 8628 §6.1). */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ"

const CODE_LENGTH = 8

/** The number of random bytes needed for a user code. */
export const USER_CODE_BYTES = 16

/** A user code with 34 bits of entropy. The input is long enough to make all codes equally likely, to within one part in 10^18. */
export const userCodeOf = (bytes: Uint8Array): string => {
  let rest = bytes.subarray(0, USER_CODE_BYTES).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  return Array.from({ length: CODE_LENGTH }, () => {
    const letter = ALPHABET.charAt(Number(rest % BigInt(ALPHABET.length)))
    rest /= BigInt(ALPHABET.length)
    return letter
  }).join("")
}

/** A user code as shown to people, in two groups: `WDJB-MJHT`. */
export const shownUserCode = (code: string): string =>
  `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`

const FORM = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`)

/** The maximum length of a string that is parsed as a user code. */
const MAX_TYPED_LENGTH = 40

/**
 * Parses a user code as typed. Ignores case, hyphens and spaces. Returns undefined if the string does not have the form of
 * a user code.
 */
export const parseUserCode = (typed: string): string | undefined => {
  if (typed.length > MAX_TYPED_LENGTH) return undefined
  const code = typed
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s\u2010-\u2015_.-]/gu, "")
  return FORM.test(code) ? code : undefined
}

/**
 * The response to a poll. If `reason` is undefined, the device gets its tokens. `pollSeconds` is how long it must wait
 * before the next poll.
 */
export interface PollResponse {
  readonly reason: OAuthReason | undefined
  readonly pollSeconds: number
}

/** Returns whether a device polls before its wait is over. */
const pollsTooSoon = (
  { polledAt, pollSeconds }: Pick<DeviceAuthorization, "polledAt" | "pollSeconds">,
  now: DateTime.Utc
) => polledAt !== null && DateTime.isLessThan(now, DateTime.add(polledAt, { seconds: pollSeconds }))

/**
 * Decides the response to a device polling for its tokens (RFC 8628 §3.5). Once the user has decided, the device no longer
 * needs to wait.
 */
export const pollResponse = (
  device: Pick<DeviceAuthorization, "state" | "expiresAt" | "polledAt" | "pollSeconds">,
  now: DateTime.Utc
): PollResponse => {
  const { state, pollSeconds, expiresAt } = device
  if (state === "denied") return { reason: "access_denied", pollSeconds }
  if (state === "redeemed") return { reason: "device_code_used", pollSeconds }
  if (DateTime.isLessThanOrEqualTo(expiresAt, now)) return { reason: "device_code_expired", pollSeconds }
  if (state === "approved") return { reason: undefined, pollSeconds }
  if (!pollsTooSoon(device, now)) return { reason: "authorization_pending", pollSeconds }
  return { reason: "slow_down", pollSeconds: Math.min(pollSeconds + POLL_SECONDS, MAX_POLL_SECONDS) }
}
