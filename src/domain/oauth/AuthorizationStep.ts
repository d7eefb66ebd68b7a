import type { DateTime } from "effect"
import type { Authentication } from "../Authentication.ts"
import { foldedEmail } from "../Email.ts"
import type { MissingProof } from "../StepUp.ts"
import { canonical } from "../Text.ts"
import { type AuthorizationRequest, isRecentEnough } from "./AuthorizationRequest.ts"
import { asksConsent, type OAuthConsent } from "./OAuthConsent.ts"
import type { OAuthReason } from "./OAuthProblem.ts"
import { isUnverifiable } from "./RedirectUri.ts"

/**
 * The next step for the browser during an authorization request. `issue` means that nothing is missing and the client gets
 * its code.
 */
export const authorizationSteps = [
  "sign_up",
  "log_in",
  "switch_account",
  "second_factor",
  "select_account",
  "consent",
  "issue"
] as const

export type AuthorizationStep = (typeof authorizationSteps)[number]

/** The user logged in to a browser, with the facts that an authorization request depends on. */
export interface AuthorizationVisitor {
  readonly authentication: Authentication | null
  /** When the user last proved their identity in this browser. */
  readonly provedAt: DateTime.Utc
  /** The proof missing from the login to reach the level that the request or the realm requires. */
  readonly missing: MissingProof
  /** Whether the client accepts this user, according to its ID token hint and the subject it named. */
  readonly isExpected: boolean
  /** The user's login names, which are their email and username. */
  readonly names: ReadonlyArray<string | null>
  /** The user's earlier consent for the client. */
  readonly consent: Pick<OAuthConsent, "pairs"> | undefined
}

/** The user's choices so far on the pages of the request. */
export interface AuthorizationAnswers {
  readonly hasChosen: boolean
  readonly hasConsented: boolean
}

const comparedName = (name: string): string => foldedEmail(canonical(name))

const matchesHint = ({ loginHint }: AuthorizationRequest, { names }: AuthorizationVisitor): boolean =>
  loginHint === null || names.some((name) => name !== null && comparedName(name) === comparedName(loginHint))

/**
 * Returns whether the user must choose an account. If it is uncertain which program receives the code, a person must
 * be present before it is issued (RFC 8252 §8.6). The consent page also ensures that.
 */
const needsAccountChoice = (
  request: AuthorizationRequest,
  visitor: AuthorizationVisitor,
  asksAnyway: boolean
): boolean =>
  request.prompts.includes("select_account") ||
  !matchesHint(request, visitor) ||
  (isUnverifiable(request) && !asksAnyway)

/**
 * Decides the next step of an authorization request. `createdAt` is when the request started. `visitor` is undefined if
 * nobody is logged in.
 */
export const nextAuthorizationStep = (
  request: AuthorizationRequest,
  createdAt: DateTime.Utc,
  visitor: AuthorizationVisitor | undefined,
  { hasChosen, hasConsented }: AuthorizationAnswers
): AuthorizationStep => {
  const { prompts } = request
  const isJustProved = visitor !== undefined && visitor.provedAt.epochMilliseconds >= createdAt.epochMilliseconds
  if (prompts.includes("create") && !isJustProved) return "sign_up"
  if (visitor === undefined || !isRecentEnough(request, visitor.authentication, createdAt)) return "log_in"
  if (!visitor.isExpected && !isJustProved) return "switch_account"
  if (visitor.missing !== "nothing") return visitor.missing === "login" ? "log_in" : "second_factor"
  const needsConsent = asksConsent(request, visitor.consent)
  const isAnswered = isJustProved || hasChosen || hasConsented
  if (!isAnswered && needsAccountChoice(request, visitor, needsConsent)) return "select_account"
  return needsConsent && !hasConsented ? "consent" : "issue"
}

/** The error to return for a step that would be needed if the client allows no interaction (`prompt=none`). */
export const silentReasons: Readonly<Record<Exclude<AuthorizationStep, "issue">, OAuthReason>> = {
  sign_up: "login_required",
  log_in: "login_required",
  switch_account: "login_required",
  second_factor: "interaction_required",
  select_account: "account_selection_required",
  consent: "consent_required"
}
