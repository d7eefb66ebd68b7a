import { Effect } from "effect"
import type { AppPageName } from "#domain/HostedPaths"
import type { RateLimited } from "#domain/Limit"
import type { CurrentRealm } from "#domain/Realm"
import type { CookieChanges } from "./cookies/CookieChanges.ts"
import type { AppPageFailure, PageFailure } from "./Errors.ts"
import { pageUrl } from "./FlowParams.ts"
import { type FormValues, queryValues, readForm } from "./Form.ts"
import type { View } from "./markup/Document.ts"
import { rateLimitedView } from "./markup/Notices.ts"
import type { PageContext } from "./PageContext.ts"
import { type AppRequest, type HostedRequest, isRead, MethodNotAllowed } from "./RequestShell.ts"

/** A file to download. */
export interface Download {
  readonly fileName: string
  readonly json: string
}

/**
 * The result of a page: a view, a file or a redirect (303 by default), and changes to cookies. `context` is the context in
 * which to render the view, if it is not the context of the request.
 */
export type PageResult = (
  | { readonly view: View }
  | { readonly download: Download }
  | { readonly redirect: string; readonly status?: 302 }
) &
  CookieChanges & { readonly context?: PageContext }

/** A page of hosted login. */
export interface HostedPage<R extends HostedRequest, Failure> {
  /** Handles GET. Must not change anything, because mail scanners and other programs also follow links. */
  readonly show: (request: R) => Effect.Effect<PageResult, Failure, CurrentRealm>
  /** Handles POST, which submits a form of the page. */
  readonly submit: (request: R, form: FormValues) => Effect.Effect<PageResult, Failure, CurrentRealm>
}

/** A page on the host of an app. */
export type AppPage = HostedPage<AppRequest, AppPageFailure>

/**
 * A page that is opened by a link in an email. The URL contains a token. The page is on the host of an app or, for a realm
 * without an app, under the realm's path.
 */
export type LinkPage = HostedPage<HostedRequest, PageFailure>

/** Returns a result that shows a view. */
export const showView = (view: View): PageResult => ({ view })

/** Returns a redirect to another page, with the flow parameters. */
export const redirectTo = (
  { context }: HostedRequest,
  page: AppPageName,
  more: Readonly<Record<string, string>> = {}
): PageResult => ({ redirect: pageUrl(page, context.flow, more) })

/** The query of a request. */
export const queryOf = ({ http }: HostedRequest): FormValues => queryValues(http)

/** The URL of the page with a form. It includes the token of the page's link but not the values typed into the form. */
const formUrl = (request: HostedRequest, page: AppPageName, form: FormValues): string => {
  const [token, way] = [form("token"), form("way")]
  const link = token === "" ? {} : { token, ...(way === "" ? {} : { way }) }
  return pageUrl(page, request.context.flow, link)
}

/** Returns the notice that a rate limit was exceeded, with a link back to the form. */
export const rateLimitedResult = (
  request: HostedRequest,
  page: AppPageName,
  form: FormValues,
  { retryAfterSeconds }: RateLimited
): PageResult => showView(rateLimitedView(request.context.texts, retryAfterSeconds, formUrl(request, page, form)))

/** Defines how requests for one kind of page are checked and prepared before `show` or `submit` is called. */
export interface Dispatch<R extends HostedRequest, Failure> {
  readonly methods: ReadonlyArray<string>
  /** Checks a POST before its form is read. */
  readonly beforeForm: (request: R) => Effect.Effect<void, Failure, CurrentRealm>
  /** Adds the flow parameters in the query or form to the request. */
  readonly withFlow: (request: R, values: FormValues) => Effect.Effect<R, Failure, CurrentRealm>
}

/** Calls `show` or `submit` of a page, depending on the request's method. */
export const dispatch = Effect.fnUntraced(function* <R extends HostedRequest, Failure, Refusal>(
  page: HostedPage<R, Failure>,
  request: R,
  { methods, beforeForm, withFlow }: Dispatch<R, Refusal>
) {
  const { http } = request
  if (!methods.includes(http.method)) return yield* new MethodNotAllowed()
  if (isRead(http)) return yield* page.show(yield* withFlow(request, queryValues(http)))
  yield* beforeForm(request)
  const form = yield* readForm(http)
  return yield* page.submit(yield* withFlow(request, form), form)
})
