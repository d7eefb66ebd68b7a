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

/** A file that a page gives out. */
export interface Download {
  readonly fileName: string
  readonly json: string
}

/**
 * What a page answers: something to look at, a file, or a redirect, which is 303 unless it says otherwise; and cookies. `context`:
 * what a view is rendered for, if not for what the request alone tells.
 */
export type PageResult = (
  | { readonly view: View }
  | { readonly download: Download }
  | { readonly redirect: string; readonly status?: 302 }
) &
  CookieChanges & { readonly context?: PageContext }

/** A page of hosted login. */
export interface HostedPage<R extends HostedRequest, Failure> {
  /** Answers GET. Mail scanners and other programs follow links too, so that showing a page changes nothing. */
  readonly show: (request: R) => Effect.Effect<PageResult, Failure, CurrentRealm>
  /** Answers POST: does what a form of the page asks for. */
  readonly submit: (request: R, form: FormValues) => Effect.Effect<PageResult, Failure, CurrentRealm>
}

/** A page on the host of an app. */
export type AppPage = HostedPage<AppRequest, AppPageFailure>

/** A page that the links in mails lead to: on the host of an app, or in a realm that has none. The link has a token. */
export type LinkPage = HostedPage<HostedRequest, PageFailure>

/** A page as a result. */
export const showView = (view: View): PageResult => ({ view })

/** A redirect to another page, with the parameters of the flow. */
export const redirectTo = (
  { context }: HostedRequest,
  page: AppPageName,
  more: Readonly<Record<string, string>> = {}
): PageResult => ({ redirect: pageUrl(page, context.flow, more) })

/** The query of a request. */
export const queryOf = ({ http }: HostedRequest): FormValues => queryValues(http)

/** Where the form of a page was, with what its link has. What was typed does not go into an address. */
const formUrl = (request: HostedRequest, page: AppPageName, form: FormValues): string => {
  const [token, way] = [form("token"), form("way")]
  const link = token === "" ? {} : { token, ...(way === "" ? {} : { way }) }
  return pageUrl(page, request.context.flow, link)
}

/** Tells of a rate limit, and leads back to the form that met it. */
export const rateLimitedResult = (
  request: HostedRequest,
  page: AppPageName,
  form: FormValues,
  { retryAfterSeconds }: RateLimited
): PageResult => showView(rateLimitedView(request.context.texts, retryAfterSeconds, formUrl(request, page, form)))

/** How the requests for a kind of pages become calls of `show` and `submit`. */
export interface Dispatch<R extends HostedRequest, Failure> {
  readonly methods: ReadonlyArray<string>
  /** What a POST has to pass before its form is read. */
  readonly beforeForm: (request: R) => Effect.Effect<void, Failure, CurrentRealm>
  /** The request with what its query or its form tells of the flow. */
  readonly withFlow: (request: R, values: FormValues) => Effect.Effect<R, Failure, CurrentRealm>
}

/** Has a page answer a request by its method. */
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
