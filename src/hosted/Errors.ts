import { Match } from "effect"
import { formatMessage, formatMessageWithoutLabel } from "#api/Messages"
import type { InvitingNotAllowed } from "#core/invitations/MemberInvites"
import type { AuthProviderNotFound } from "#domain/AuthProvider"
import type { ConnectedAppNotFound } from "#domain/ConnectedApp"
import type { StateNotFound } from "#domain/ExternalLogin"
import { type AppPageName, type LinkPageName, linkPages } from "#domain/HostedPaths"
import type { RateLimited } from "#domain/Limit"
import type { Blocked, LoginsOff, TokenNotFound, WrongCode, WrongPassword } from "#domain/Login"
import type { AuthorizationRefused } from "#domain/oauth/AuthorizationRequest"
import type { PasskeyRefused } from "#domain/Passkey"
import type { HashingBusy } from "#domain/Password"
import type { RealmNotFound } from "#domain/Realm"
import { type Problem, problem, type Rejected } from "#domain/Rejected"
import type { RedirectRefused } from "#domain/ReturnUrl"
import type { SessionNotFound } from "#domain/Session"
import { usesUsernames } from "#domain/User"
import type { CrossOriginForm, UnreadableForm } from "./Form.ts"
import { authorizationProblemView } from "./markup/AuthorizationProblem.ts"
import type { View } from "./markup/Document.ts"
import type { FieldError } from "./markup/Fields.ts"
import { endView, type ProblemName, problemView, rateLimitedView, socialProblemView } from "./markup/Notices.ts"
import type { AppPageContext, PageContext, RealmPageContext } from "./PageContext.ts"
import type { MethodNotAllowed } from "./RequestShell.ts"

/** The failures that replace a page with an error page. */
export type PageFailure =
  | TokenNotFound
  | RealmNotFound
  | LoginsOff
  | RateLimited
  | UnreadableForm
  | CrossOriginForm
  | MethodNotAllowed

/** Returns the view that replaces a page after a failure. `page` is the page whose link contains the unknown token. */
export const pageFailureView = (context: PageContext, page: LinkPageName, failure: PageFailure): View => {
  const { texts } = context
  const show = (name: ProblemName, status: number) => () => endView(context, name, status)
  return Match.valueTags(failure, {
    TokenNotFound: show(page, 410),
    RealmNotFound: show("nowhere", 404),
    LoginsOff: ({ why }) => endView(context, why, 422),
    RateLimited: ({ retryAfterSeconds }) => rateLimitedView(texts, retryAfterSeconds),
    UnreadableForm: ({ status }) => problemView(texts, "unreadable", status),
    CrossOriginForm: show("foreign", 403),
    MethodNotAllowed: show("method", 405)
  })
}

/** The failures of an app's pages. `SessionNotFound` means that the page requires a login. */
export type AppPageFailure =
  | PageFailure
  | RedirectRefused
  | SessionNotFound
  | InvitingNotAllowed
  | HashingBusy
  | Rejected

/**
 * The failures that replace an app's page with an error page. `SessionNotFound` is not among them, because it redirects to the
 * login.
 */
export type AppPageError = Exclude<AppPageFailure, SessionNotFound> | AuthorizationRefused

/** Returns the view that replaces an app's page after a failure. */
export const appPageFailureView = (context: AppPageContext, page: AppPageName, failure: AppPageError): View => {
  const { texts } = context
  const link: LinkPageName = linkPages.find((one) => one === page) ?? "reset"
  const common = (failure: PageFailure) => pageFailureView(context, link, failure)
  return Match.valueTags(failure, {
    TokenNotFound: common,
    RealmNotFound: common,
    LoginsOff: common,
    RateLimited: common,
    UnreadableForm: common,
    CrossOriginForm: common,
    MethodNotAllowed: common,
    AuthorizationRefused: (refused) => authorizationProblemView(texts, refused),
    RedirectRefused: ({ why }) => problemView(texts, why, 422),
    InvitingNotAllowed: () => endView(context, "nowhere", 404),
    HashingBusy: ({ retryAfterSeconds }) => problemView(texts, "unavailable", 503, retryAfterSeconds),
    Rejected: () => problemView(texts, "unreadable", 422)
  })
}

/** The failures that end a social login. */
export type SocialFailure =
  | PageFailure
  | ConnectedAppNotFound
  | AuthProviderNotFound
  | StateNotFound
  | RedirectRefused
  | Rejected
  | HashingBusy

/** Returns the view that ends a failed social login. `startUrl` is the URL for starting the login again. */
export const socialFailureView = (context: PageContext, startUrl: string | undefined, failure: SocialFailure): View => {
  const { texts } = context
  const show = (name: ProblemName, status: number) => () => socialProblemView(texts, name, status)
  const lost = () => socialProblemView(texts, "login_lost", 422, { href: startUrl, label: texts.social.again })
  return Match.valueTags(failure, {
    ConnectedAppNotFound: show("no_login", 404),
    RealmNotFound: show("no_login", 404),
    AuthProviderNotFound: show("no_login", 404),
    LoginsOff: show("no_login", 404),
    StateNotFound: lost,
    Rejected: lost,
    RedirectRefused: ({ why }) => socialProblemView(texts, why, 422),
    TokenNotFound: () => endView(context, "invitation", 410),
    HashingBusy: ({ retryAfterSeconds }) => problemView(texts, "unavailable", 503, retryAfterSeconds),
    RateLimited: ({ retryAfterSeconds }) => rateLimitedView(texts, retryAfterSeconds, startUrl),
    UnreadableForm: ({ status }) => socialProblemView(texts, "unreadable", status),
    CrossOriginForm: show("foreign", 403),
    MethodNotAllowed: show("method", 405)
  })
}

/** The failures that show a form again. */
export type FormFailure = Rejected | HashingBusy | WrongPassword | WrongCode | Blocked

/** The reasons for rejecting a passkey. */
export type PasskeyFailure = Rejected | PasskeyRefused | TokenNotFound | Blocked

/** The errors and the status of a form that is shown again after it was rejected. */
export interface FormRefusal extends Pick<View, "status" | "retryAfterSeconds"> {
  readonly errors: ReadonlyArray<FieldError>
}

/** Rejects a form for one reason. `field` is null if the reason applies to the entire form. */
export const formRefusal = (text: string, field: string | null = null): FormRefusal => ({
  status: 422,
  errors: [{ field, text }]
})

/** Rejects a passkey. Users can't fix a malformed response of their authenticator, so the error has no details. */
export const passkeyRefusal = (context: PageContext, failure: PasskeyFailure): FormRefusal => {
  const { passkeys } = context.texts
  return Match.valueTags(failure, {
    Rejected: () => formRefusal(passkeys.useErrors.other),
    PasskeyRefused: () => formRefusal(passkeys.unknown),
    TokenNotFound: () => formRefusal(passkeys.lapsed),
    Blocked: (blocked) => formRefusalOf(context, blocked)
  })
}

/** Rejects a form without a login name, which is an email or, if the realm has usernames, a username. */
export const missingNameRefusal = ({ texts, realm }: RealmPageContext): FormRefusal =>
  formRefusal(usesUsernames(realm, "human") ? texts.form.nameMissing : texts.form.emailMissing, "name")

/** Maps a failure to the errors of a form. */
export const formRefusalOf = ({ texts, catalogue, realm }: PageContext, failure: FormFailure): FormRefusal => {
  const own = new Map(Object.entries(texts.sentences))
  const hasUsernames = realm !== undefined && usesUsernames(realm, "human")
  const unlabelled = new Map(Object.entries(texts.unlabelled))
  const taken = new Map<string | null, string>(Object.entries(texts.taken))
  const errorOf = (one: Problem): FieldError => {
    const { code, field } = one
    const whole = (code === "taken" ? taken.get(field) : undefined) ?? own.get(code)
    const labelled = (label?: string) => whole ?? formatMessage(catalogue, one, label)
    const bare = whole ?? unlabelled.get(code) ?? formatMessageWithoutLabel(catalogue, one)
    return { field, code, text: labelled(), labelled, bare }
  }
  const later = (status: number, retryAfterSeconds: number, code: string) => {
    const minutes = Math.ceil(retryAfterSeconds / 60)
    return { status, retryAfterSeconds, errors: [errorOf(problem(null, code, { minutes }))] }
  }
  return Match.valueTags(failure, {
    Rejected: ({ problems }) => ({ status: 422, errors: problems.map(errorOf) }),
    WrongPassword: () => formRefusal(texts.wrongLogin[hasUsernames ? "username" : "email"]),
    WrongCode: () => formRefusal(texts.wrongCode, "code"),
    Blocked: ({ retryAfterSeconds }) => later(429, retryAfterSeconds, "blocked"),
    HashingBusy: ({ retryAfterSeconds }) => later(503, retryAfterSeconds, "account_busy")
  })
}

/** Adds the status of the refusal to a view that already contains its errors. */
export const withRefusalStatus = ({ errors: _, ...status }: FormRefusal, view: View): View => ({ ...view, ...status })
