import type { ReturnTarget } from "./ReturnUrl.ts"

/**
 * Whether the app must still be notified that the user of a browser has just signed up: for the first time (`due`), or again
 * with a `state` (`repeat`), because apps that did not start a login accept no token without one (C124). Null: no.
 */
export type SignupNotice = "due" | "repeat" | null

/** Whether a return to the app carries the signup notice. */
export const carriesSignupNotice = (notice: SignupNotice, { state }: ReturnTarget): boolean =>
  notice === "due" || (notice === "repeat" && state !== null)

/** The notice that remains after the browser was sent to the app with the signup notice. */
export const remainingNotice = ({ state }: ReturnTarget): SignupNotice => (state === null ? "repeat" : null)
