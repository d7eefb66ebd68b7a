import type { ReturnTarget } from "./ReturnUrl.ts"

/**
 * Whether the app must still be notified that the browser's user has just signed up. `due` means it has not been notified
 * yet. `repeat` means it was notified without a `state` and must be notified again with one, because some apps accept no
 * token without a `state` (C124). Null means no.
 */
export type SignupNotice = "due" | "repeat" | null

/** Returns whether the return URL to the app must carry the signup notice. */
export const carriesSignupNotice = (notice: SignupNotice, { state }: ReturnTarget): boolean =>
  notice === "due" || (notice === "repeat" && state !== null)

/** The remaining notice after the browser was sent to the app with the signup notice. */
export const remainingNotice = ({ state }: ReturnTarget): SignupNotice => (state === null ? "repeat" : null)
