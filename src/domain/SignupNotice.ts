import type { ReturnTarget } from "./ReturnUrl.ts"

/**
 * Whether the app is still to be told that the user of a browser has just signed up: for the first time (`due`), or once more with
 * a `state` (`repeat`), since apps that have begun no login take no token without one (C124). Null: no.
 */
export type SignupNotice = "due" | "repeat" | null

/** Whether a way back to the app tells of the sign-up. */
export const tellsOfSignup = (notice: SignupNotice, { state }: ReturnTarget): boolean =>
  notice === "due" || (notice === "repeat" && state !== null)

/** What remains to be told once the browser has been sent to the app with the notice of a sign-up. */
export const remainingNotice = ({ state }: ReturnTarget): SignupNotice => (state === null ? "repeat" : null)
