import { nowMillis } from "../../Now.ts"
import { authenticator, type Outcome, optionalSession, permit, type RequestParts } from "../Authenticate.ts"
import { type Refusal, refusals } from "../Refusal.ts"
import type { Session } from "../Session.ts"
import { hostedProvider } from "./HostedProvider.ts"
import { type LoginAnswer, page, redirect } from "./LoginAnswer.ts"
import { type LoginCookies, loginCookies, secondsUntil } from "./LoginCookies.ts"
import { cookieNameOf, LoginMisconfigured, type LoginOptions, refreshAfterOf } from "./LoginOptions.ts"
import type { Established, LoginProvider } from "./LoginProvider.ts"
import { isBearer, isNavigation, type LoginRequest, locationOf } from "./LoginRequest.ts"
import { type LoginRoutes, loginRoutes } from "./LoginRoutes.ts"
import { openIdProvider } from "./OpenIdProvider.ts"
import { refreshes } from "./Refreshes.ts"
import { returnPath } from "./ReturnPath.ts"

/** A session, with the cookies to set. */
export interface LoginSession {
  readonly session: Session | null
  /** The values of `Set-Cookie`. Responses that set them must not be cached. */
  readonly cookies: ReadonlyArray<string>
  readonly answer?: never
}

/** The decision about a request: the login's own response, or the session with which the app continues. */
export type LoginDecision = LoginSession | { readonly answer: LoginAnswer; readonly session?: never }

/** A login, independent of a framework. */
export interface LoginFlow {
  /** Resolves once the app's settings have been fetched from the service. Rejects if they are missing or wrong. */
  readonly ready: () => Promise<void>
  /** Decides about a request. Never rejects. */
  readonly handle: (request: LoginRequest) => Promise<LoginDecision>
  /** Reads the session of a request, whatever its path. `canStore`: whether the response can set cookies. Never rejects. */
  readonly read: (request: LoginRequest, canStore?: boolean) => Promise<LoginDecision>
  /** The decision about a request that requires a session: pages redirect to the login, other requests get 401. */
  readonly require: (
    session: Session | null | undefined,
    request: LoginRequest
  ) => Outcome | { readonly answer: LoginAnswer }
  /** Gets a new token immediately, such as after a change of the user's permissions. */
  readonly refresh: (request: LoginRequest) => Promise<LoginDecision>
}

const answerOf = ({ status, headers, body }: Refusal): LoginAnswer => ({
  status,
  headers,
  cookies: [],
  body: JSON.stringify(body)
})

/** The login once its settings are known. */
interface Loaded {
  readonly provider: LoginProvider
  readonly cookies: LoginCookies
  readonly routes: LoginRoutes
  readonly authenticate: (request: RequestParts) => Promise<Outcome>
}

const pageOption = (name: string, path: string): string => {
  if (returnPath(path, "http://app") === path) return path
  throw new LoginMisconfigured(`\`${name}\` must be a path of this app, such as /welcome.`)
}

/** Creates a login. Throws if an option is missing or invalid. */
export const loginFlow = (options: LoginOptions): LoginFlow => {
  const isOpenId = "issuer" in options
  const source = isOpenId ? openIdProvider(options) : hostedProvider(options)
  const cookieName = cookieNameOf(options.cookieName)
  const refreshAfter = refreshAfterOf(options.refreshAfter ?? (isOpenId ? 300 : 60))
  const { afterLogin = "/", afterSignup, afterLogout = "/", log = console.error } = options
  const pages = {
    afterLogin: pageOption("afterLogin", afterLogin),
    afterSignup: afterSignup === undefined ? undefined : pageOption("afterSignup", afterSignup),
    afterLogout: pageOption("afterLogout", afterLogout)
  }
  const time = () => nowMillis(options.now)

  let last: string | undefined
  /** Reports a problem, but not the same problem again for each request. */
  const report = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== last) log(`hostedLogin: ${message}`)
    last = message
  }
  const refreshed = refreshes<{ readonly fresh: Established | undefined }>(refreshAfter, report)

  const setUp = (provider: LoginProvider): Loaded => {
    const cookies = loginCookies(cookieName, provider.origin)
    const { orgHeader, orgParam } = options
    const org = { ...(orgHeader === undefined ? {} : { orgHeader }), ...(orgParam === undefined ? {} : { orgParam }) }
    return {
      provider,
      cookies,
      routes: loginRoutes({ provider, cookies, pages, time, report, forget: refreshed.forget }),
      authenticate: authenticator({ ...org, cookie: cookieName, decode: provider.read })
    }
  }

  let loading: Promise<Loaded> | undefined
  const loaded = (): Promise<Loaded> => {
    if (loading !== undefined) return loading
    const attempt = source.load().then(setUp)
    loading = attempt
    attempt.catch((error: unknown) => {
      report(error)
      // The next request tries again.
      loading = undefined
    })
    return attempt
  }
  // Report problems at the start, not at the first login.
  void loaded().catch(() => undefined)

  /** Replaces a token that is older than some seconds. Clears a cookie whose session has ended. */
  const current = async (
    { provider, cookies }: Loaded,
    header: string | undefined,
    seconds: number,
    canStore: boolean
  ): Promise<{ readonly value?: string; readonly set: ReadonlyArray<string> }> => {
    const value = cookies.session(header)
    if (value === undefined) return { set: [] }
    const session = await provider.read(value)
    if (session === null) return { set: cookies.clearSession(header) }
    if (time() / 1000 - session.created_at <= seconds) return { value, set: [] }
    const result =
      canStore || !provider.rotates
        ? await refreshed.get(value, time(), async () => ({ fresh: await provider.refresh(value) }))
        : await refreshed.recent(value, time())
    if (result === undefined) return { value, set: [] }
    const { fresh } = result
    if (fresh === undefined) return { set: cookies.clearSession(header) }
    const set = cookies.setSession(header, fresh.value, secondsUntil(fresh.expiresAt, time()))
    return set === undefined ? { value, set: [] } : { value: fresh.value, set }
  }

  /** Reads the session of a request. */
  const read = async (
    ready: Loaded,
    request: LoginRequest,
    seconds = refreshAfter,
    canStore = true
  ): Promise<LoginDecision> => {
    const header = request.header("cookie")
    const { value, set } = isBearer(request) ? { set: [] } : await current(ready, header, seconds, canStore)
    const cookie = value === undefined ? undefined : `${cookieName}=${value}`
    const outcome = await ready.authenticate({
      ...request,
      header: (name) => (name === "cookie" ? cookie : request.header(name))
    })
    const { session, refusal } = optionalSession(outcome)
    return refusal === undefined ? { session, cookies: set } : { answer: answerOf(refusal) }
  }

  const unavailable = (error: unknown): LoginDecision => {
    const isWrong = error instanceof LoginMisconfigured
    const sentence = isWrong
      ? "The login of this app is not set up correctly. Its log says why."
      : "The login service can't be reached at the moment. Try again in a moment."
    const action = { label: "Back", href: "/" }
    return {
      answer: page(isWrong ? 500 : 503, "Not available", sentence, action, isWrong ? {} : { "retry-after": "5" })
    }
  }

  /** Decides without the settings: pages for visitors still work, but nobody can log in. */
  const withoutSettings = (request: LoginRequest, error: unknown): LoginDecision => {
    if (Object.values(source.paths).includes(locationOf(request).path)) return unavailable(error)
    // The origin is unknown, and with it the prefix of the cookie.
    const hasCookie = ["http:", "https:"].some(
      (origin) => loginCookies(cookieName, origin).session(request.header("cookie")) !== undefined
    )
    const isVisitor = !hasCookie && !isBearer(request)
    return isVisitor ? { session: null, cookies: [] } : { answer: answerOf(refusals.keys_unavailable) }
  }

  /** Runs a decision. A failure while it runs is an outage of the service. */
  const deciding = async (request: LoginRequest, decide: (ready: Loaded) => Promise<LoginDecision>) => {
    try {
      return await decide(await loaded())
    } catch (error) {
      report(error)
      return withoutSettings(request, error)
    }
  }

  return {
    ready: async () => void (await loaded()),
    handle: (request) =>
      deciding(request, async (ready) => {
        const { path, query } = locationOf(request)
        const answer = await ready.routes(path, query, request)
        if (answer !== undefined) return { answer }
        return read(ready, request)
      }),
    read: (request, canStore = true) => deciding(request, (ready) => read(ready, request, refreshAfter, canStore)),
    require: (session, request) => {
      const outcome = permit(session, request, [])
      if (outcome.refusal !== refusals.session_missing || !isNavigation(request)) return outcome
      return { answer: redirect(`${source.paths.login}?return_to=${encodeURIComponent(request.url)}`) }
    },
    refresh: (request) =>
      deciding(request, async (ready) => {
        refreshed.forget(ready.cookies.session(request.header("cookie")) ?? "")
        return read(ready, request, -Infinity)
      })
  }
}
