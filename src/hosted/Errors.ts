import { Data, Match } from "effect"
import { sentence } from "#api/Messages"
import type { NotInviting } from "#core/invitations/MemberInvites"
import type { AuthProviderNotFound } from "#domain/AuthProvider"
import type { ConnectedAppNotFound } from "#domain/ConnectedApp"
import type { ExternalLoginRefused, StateNotFound } from "#domain/ExternalLogin"
import type { RateLimited } from "#domain/Limit"
import type { Blocked, LoginsOff, TokenNotFound, WrongCode, WrongPassword } from "#domain/Login"
import type { HashingBusy } from "#domain/Password"
import type { RealmNotFound } from "#domain/Realm"
import { type Problem, problem, type Rejected } from "#domain/Rejected"
import type { RedirectRefused } from "#domain/ReturnUrl"
import type { SessionNotFound } from "#domain/Session"
import type { Page } from "./markup/Document.ts"
import type { FieldError } from "./markup/Fields.ts"
import { type Trouble, tooMany, troubled } from "./markup/Notices.ts"
import type { AppVisit, Reader } from "./PageContext.ts"
import { stranded } from "./pages/social/SocialView.ts"

/** The pages that links in mails lead to. */
export type LinkPage = "verify" | "reset" | "invitation"

/** What was sent is no form of ours. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly status: 400 | 413 | 415 }> {}

/** A form that another site sent. */
export class Foreign extends Data.TaggedError("Foreign") {}

/** A method that pages don't take. */
export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed") {}

/** The words that leave nothing to be done on a page. */
export type PageWord = TokenNotFound | RealmNotFound | LoginsOff | RateLimited | Unreadable | Foreign | MethodNotAllowed

/** The table from words to the pages that stand in for the one that was asked for. */
export const pageOf = ({ texts }: Reader, page: LinkPage, word: PageWord): Page => {
  const say = (why: Trouble, status: number) => () => troubled(texts, why, status)
  return Match.valueTags(word, {
    TokenNotFound: say(page, 410),
    RealmNotFound: say("nowhere", 404),
    LoginsOff: ({ why }) => troubled(texts, why, 422),
    RateLimited: ({ retryAfterSeconds }) => tooMany(texts, retryAfterSeconds),
    Unreadable: ({ status }) => troubled(texts, "unreadable", status),
    Foreign: say("foreign", 403),
    MethodNotAllowed: say("method", 405)
  })
}

/** The words that leave nothing to be done on a page of an app. `SessionNotFound`: nobody is logged in, who has to be. */
export type AppPageWord = PageWord | RedirectRefused | SessionNotFound | NotInviting | HashingBusy | Rejected

type AppPageTrouble = Exclude<AppPageWord, SessionNotFound>

/** The table from words to the pages that stand in for a page of an app. */
export const appPageOf = (visit: AppVisit, page: string, word: AppPageTrouble): Page => {
  const { texts } = visit
  const link: LinkPage = page === "verify" || page === "invitation" ? page : "reset"
  return Match.valueTags(word, {
    TokenNotFound: (gone) => pageOf(visit, link, gone),
    RealmNotFound: (gone) => pageOf(visit, link, gone),
    LoginsOff: (off) => pageOf(visit, link, off),
    Unreadable: (unreadable) => pageOf(visit, link, unreadable),
    Foreign: (foreign) => pageOf(visit, link, foreign),
    MethodNotAllowed: (not) => pageOf(visit, link, not),
    RedirectRefused: ({ why }) => troubled(texts, why, 422),
    NotInviting: () => troubled(texts, "nowhere", 404),
    RateLimited: ({ retryAfterSeconds }) => tooMany(texts, retryAfterSeconds),
    HashingBusy: ({ retryAfterSeconds }) => troubled(texts, "unavailable", 503, retryAfterSeconds),
    Rejected: () => troubled(texts, "unreadable", 422)
  })
}

/** The words that end a login at a provider elsewhere. */
export type SocialWord =
  | PageWord
  | ConnectedAppNotFound
  | AuthProviderNotFound
  | StateNotFound
  | RedirectRefused
  | Rejected
  | HashingBusy
  | ExternalLoginRefused

/** The table from words to the pages of such an end. `again`: where the login may be begun once more. */
export const socialPageOf = (reader: Reader, again: string | undefined, word: SocialWord): Page => {
  const { texts, catalogue } = reader
  const say = (why: Trouble, status: number) => () => stranded(texts, why, status)
  const lost = () => stranded(texts, "login_lost", 422, { href: again, label: texts.social.again })
  return Match.valueTags(word, {
    ConnectedAppNotFound: say("no_login", 404),
    RealmNotFound: say("no_login", 404),
    AuthProviderNotFound: say("no_login", 404),
    LoginsOff: say("no_login", 404),
    StateNotFound: lost,
    Rejected: lost,
    RedirectRefused: ({ why }) => stranded(texts, why, 422),
    TokenNotFound: () => troubled(texts, "invitation", 410),
    HashingBusy: ({ retryAfterSeconds }) => troubled(texts, "unavailable", 503, retryAfterSeconds),
    RateLimited: ({ retryAfterSeconds }) => tooMany(texts, retryAfterSeconds),
    ExternalLoginRefused: (refusal) => {
      const lead = sentence(catalogue, refusal.problem)
      return stranded(texts, "login_refused", 422, { href: refusal.retryUrl, label: texts.social.retry }, lead)
    },
    Unreadable: ({ status }) => stranded(texts, "unreadable", status),
    Foreign: say("foreign", 403),
    MethodNotAllowed: say("method", 405)
  })
}

/** The words that a form comes back with. */
export type FormWord = Rejected | HashingBusy | WrongPassword | WrongCode | Blocked

/** How a form comes back. */
export interface Refusal extends Pick<Page, "status" | "retryAfterSeconds"> {
  readonly errors: ReadonlyArray<FieldError>
}

/** The table from words to the errors of a form. */
export const refusalOf = ({ texts, catalogue }: Reader, word: FormWord): Refusal => {
  const own = new Map(Object.entries(texts.sentences))
  const said = (one: Problem): FieldError => ({
    field: one.field,
    text: own.get(one.code) ?? sentence(catalogue, one)
  })
  const later = (status: number, retryAfterSeconds: number, code: string) => {
    const minutes = Math.ceil(retryAfterSeconds / 60)
    return { status, retryAfterSeconds, errors: [said(problem(null, code, { minutes }))] }
  }
  return Match.valueTags(word, {
    Rejected: ({ problems }) => ({ status: 422, errors: problems.map(said) }),
    WrongPassword: () => ({ status: 422, errors: [{ field: null, text: texts.wrongLogin }] }),
    WrongCode: () => ({ status: 422, errors: [{ field: "code", text: texts.wrongCode }] }),
    Blocked: ({ retryAfterSeconds }) => later(429, retryAfterSeconds, "blocked"),
    HashingBusy: ({ retryAfterSeconds }) => later(503, retryAfterSeconds, "account_busy")
  })
}

/** A page whose form comes back. */
export const refused = ({ errors, ...answer }: Refusal, page: (errors: ReadonlyArray<FieldError>) => Page): Page => ({
  ...page(errors),
  ...answer
})
