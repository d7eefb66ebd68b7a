import type { DateTime } from "effect"
import type { Authentication } from "../Authentication.ts"
import { foldedEmail } from "../Email.ts"
import type { MissingProof } from "../StepUp.ts"
import { canonical } from "../Text.ts"
import { type AuthorizationRequest, isRecentEnough } from "./AuthorizationRequest.ts"
import { asksConsent, type OAuthConsent } from "./OAuthConsent.ts"
import type { OAuthReason } from "./OAuthProblem.ts"
import { isUnverifiable } from "./RedirectUri.ts"

/** What a browser is to do next for an authorization request. `issue`: nothing, the client gets its code. */
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

/** The user who is logged in in a browser, as an authorization request sees them. */
export interface AuthorizationVisitor {
  readonly authentication: Authentication | null
  /** When the user last proved in this browser who they are. */
  readonly provedAt: DateTime.Utc
  /** What the login lacks of the level that the request or the realm demands. */
  readonly missing: MissingProof
  /** Whether nobody else is expected, by an ID token of the client or the subject that it names. */
  readonly isExpected: boolean
  /** The names by which the user is known: e-mail and username. */
  readonly names: ReadonlyArray<string | null>
  /** What the user has allowed the client before. */
  readonly consent: Pick<OAuthConsent, "pairs"> | undefined
}

/** What the user has just answered on the page of the request. */
export interface AuthorizationAnswers {
  readonly hasChosen: boolean
  readonly hasConsented: boolean
}

const comparedName = (name: string): string => foldedEmail(canonical(name))

const isHintedAt = ({ loginHint }: AuthorizationRequest, { names }: AuthorizationVisitor): boolean =>
  loginHint === null || names.some((name) => name !== null && comparedName(name) === comparedName(loginHint))

/**
 * Whether the user has to say which account is meant. Where any program may be the one that receives the code, it is not
 * issued without a person who is there (RFC 8252 §8.6); the question for consent shows that, too.
 */
const asksAccount = (request: AuthorizationRequest, visitor: AuthorizationVisitor, asksAnyway: boolean): boolean =>
  request.prompts.includes("select_account") ||
  !isHintedAt(request, visitor) ||
  (isUnverifiable(request) && !asksAnyway)

/** The next step of an authorization request. `createdAt`: when it began. `visitor`: undefined if nobody is logged in. */
export const nextStep = (
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
  const consents = asksConsent(request, visitor.consent)
  const isAnswered = isJustProved || hasChosen || hasConsented
  if (!isAnswered && asksAccount(request, visitor, consents)) return "select_account"
  return consents && !hasConsented ? "consent" : "issue"
}

/** What a client is told that wants nobody to be asked (`prompt=none`), in place of each step. */
export const silentReasons: Readonly<Record<Exclude<AuthorizationStep, "issue">, OAuthReason>> = {
  sign_up: "login_required",
  log_in: "login_required",
  switch_account: "login_required",
  second_factor: "interaction_required",
  select_account: "account_selection_required",
  consent: "consent_required"
}
