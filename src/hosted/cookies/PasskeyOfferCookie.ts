import { sha256Text } from "#platform/Tokens"
import { hostCookie } from "./HostCookie.ts"

/** The maximum number of users remembered in one browser. Beyond it, the oldest users are dropped. */
const MAX_USERS = 8

/** The number of days before a declined offer is repeated. */
const DAYS = 180

/** The length of the digest of a user ID. */
const LENGTH = 16

const DIGEST = /^\w{16}$/

/** The cookie that lists the users who have declined the offer of a passkey in this browser (C138). */
const cookie = hostCookie("passkey_offer")

const digestOf = (userId: string): string => sha256Text(userId).replaceAll(/\W/g, "").slice(0, LENGTH)

const digestsIn = (request: Parameters<typeof cookie.read>[0]): ReadonlyArray<string> =>
  (cookie.read(request) ?? "").split(".").filter((digest) => DIGEST.test(digest))

/** Returns whether a user has declined a passkey in this browser. */
export const hasDeclinedPasskey = (request: Parameters<typeof cookie.read>[0], userId: string): boolean =>
  digestsIn(request).includes(digestOf(userId))

/** Adds a user to the users who have declined a passkey in this browser. */
export const declinedPasskeys = (request: Parameters<typeof cookie.read>[0], userId: string): ReadonlyArray<string> =>
  [...new Set([...digestsIn(request), digestOf(userId)])].slice(-MAX_USERS)

/** Sets the cookie. */
export const setDeclinedPasskeys = (origin: string, digests: ReadonlyArray<string>) =>
  cookie.write(origin, digests.join("."), `${DAYS} days`)
