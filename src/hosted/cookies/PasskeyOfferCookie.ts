import { sha256Text } from "#platform/Tokens"
import { hostCookie } from "./HostCookie.ts"

/** How many users of one browser are remembered. The oldest is forgotten. */
const MOST = 8

/** For how long nobody is asked again. */
const DAYS = 180

/** The length of the digest that stands for a user. */
const LENGTH = 16

const DIGEST = /^\w{16}$/

/** The cookie that tells which users of this browser don't want to be offered a passkey (C138). */
const cookie = hostCookie("passkey_offer")

const digestOf = (userId: string): string => sha256Text(userId).replaceAll(/\W/g, "").slice(0, LENGTH)

const digestsIn = (request: Parameters<typeof cookie.read>[0]): ReadonlyArray<string> =>
  (cookie.read(request) ?? "").split(".").filter((digest) => DIGEST.test(digest))

/** Whether a user has declined a passkey in this browser. */
export const hasDeclinedPasskey = (request: Parameters<typeof cookie.read>[0], userId: string): boolean =>
  digestsIn(request).includes(digestOf(userId))

/** Those who have declined one in this browser, with one more. */
export const declinedPasskeys = (request: Parameters<typeof cookie.read>[0], userId: string): ReadonlyArray<string> =>
  [...new Set([...digestsIn(request), digestOf(userId)])].slice(-MOST)

/** Sets the cookie. */
export const setDeclinedPasskeys = (origin: string, digests: ReadonlyArray<string>) =>
  cookie.write(origin, digests.join("."), `${DAYS} days`)
