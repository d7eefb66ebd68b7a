import { type SentMailBody, TokenBody } from "#api/login/Fields"
import { SessionBody } from "#api/sessions/V2"
import type { LoginOutcome } from "#domain/Login"
import type { SentMail } from "#domain/SentMail"
import { sessionBody } from "../sessions/BodiesV2.ts"
import { jsonResponse } from "../WireMapping.ts"
import { retryMember } from "./Retry.ts"

/** A token for a user (C14). */
export const tokenBody = (token: string): typeof TokenBody.Type => ({ object: "token", token })

/** An email that was sent to a user. */
export const sentMailBody = (sent: SentMail): typeof SentMailBody.Type => ({ object: "sent_mail", ...sent })

/** The response to a login: a session, or a token for completing the login. */
export const loginResponse = (outcome: LoginOutcome, status: 200 | 201) =>
  outcome._tag === "LoggedIn"
    ? jsonResponse(SessionBody, sessionBody(outcome.login, false), status)
    : jsonResponse(TokenBody, { ...tokenBody(outcome.token), ...retryMember(outcome) }, status)
