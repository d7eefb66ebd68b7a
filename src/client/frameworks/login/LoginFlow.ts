import type { Decoded } from "../../Decoded.ts"
import { nowMillis } from "../../Now.ts"
import { authenticator, type Outcome, optionalSession, permit } from "../Authenticate.ts"
import { type Refusal, refusals } from "../Refusal.ts"
import type { Session } from "../Session.ts"
import { hostedProvider } from "./HostedProvider.ts"
import { type LoginAnswer, page, redirect } from "./LoginAnswer.ts"
import { type LoginCookies, loginCookies, secondsUntil } from "./LoginCookies.ts"
import { cookieNameOf, LoginMisconfigured, type LoginOptions, refreshAfterOf } from "./LoginOptions.ts"
import type { Established, LoginProvider } from "./LoginProvider.ts"
import { isBearer, isNavigation, type LoginRequest, locationOf } from "./LoginRequest.ts"
import { type LoginRoutes, loginRoutes, tooLarge } from "./LoginRoutes.ts"
import { openIdProvider } from "./OpenIdProvider.ts"
import { refreshes } from "./Refreshes.ts"
import { reports } from "./Reports.ts"
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
  /** Whether the login itself serves a request. */
  readonly serves: (request: LoginRequest) => boolean
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
}

/** The session in a request's cookie. */
interface Current {
  /** Null if there is none. */
  readonly session: Decoded | null
  /** The cookies to set. */
  readonly set: ReadonlyArray<string>
  /** Whether the session must be refreshed before it can be used, but the service can't be reached. */
  readonly isUnavailable?: true
}

const pageOption = (name: string, path: string): string => {
  if (returnPath(path, "http://app") === path) return path
  throw new LoginMisconfigured(`\`${name}\` must be a path of this app, such as /welcome.`)
}

/** Creates a login. Throws if an option is missing or invalid. */
export const loginFlow = (options: LoginOptions): LoginFlow => {
  const isOpenId = "issuer" in options
  const acceptsBearer = !isOpenId && options.bearer === true
  const source = isOpenId ? openIdProvider(options) : hostedProvider(options)
  const cookieName = cookieNameOf(options.cookieName)
  const refreshAfter = refreshAfterOf(options.refreshAfter ?? (isOpenId ? 300 : 60))
  const { afterLogin = "/", afterSignup, afterLogout = "/", log = console.error } = options
  const pages = {
    afterLogin: pageOption("afterLogin", afterLogin),
    afterSignup: afterSignup === undefined ? undefined : pageOption("afterSignup", afterSignup),
    afterLogout: pageOption("afterLogout", afterLogout)
  }
  const { orgHeader, orgParam } = options
  const org = { ...(orgHeader === undefined ? {} : { orgHeader }), ...(orgParam === undefined ? {} : { orgParam }) }
  const time = () => nowMillis(options.now)

  const report = reports(log, time)
  const refreshed = refreshes<{ readonly fresh: Established | undefined }>(refreshAfter, report)

  const setUp = (provider: LoginProvider): Loaded => {
    const cookies = loginCookies(cookieName, provider.origin)
    const routes = loginRoutes({ provider, cookies, pages, time, report, forget: refreshed.forget })
    return { provider, cookies, routes }
  }

  let loading: Promise<Loaded> | undefined
  const loaded = (): Promise<Loaded> => {
    if (loading !== undefined) return loading
    const attempt = source.load(report).then(setUp)
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

  /** The session in the cookie. Replaces a token that is older than some seconds, and one that can't be used yet. */
  const current = async (
    { provider, cookies }: Loaded,
    header: string | undefined,
    seconds: number,
    canStore: boolean
  ): Promise<Current> => {
    const value = cookies.session(header)
    if (value === undefined) return { session: null, set: [] }
    const loggedOut = (): Current => ({ session: null, set: cookies.clearSession(header) })
    const stored = await provider.read(value)
    if (stored === null) return loggedOut()
    const { session, isUsable } = stored
    if (isUsable && time() / 1000 - session.created_at <= seconds) return { session, set: [] }
    const result =
      canStore || !provider.rotates
        ? await refreshed.get(value, time(), async () => ({ fresh: await provider.refresh(value) }))
        : await refreshed.recent(value, time())
    if (result === undefined) {
      if (isUsable) return { session, set: [] }
      return canStore || !provider.rotates
        ? { session: null, set: [], isUnavailable: true }
        : { session: null, set: [] }
    }
    const { fresh } = result
    if (fresh === undefined) return loggedOut()
    const set = cookies.setSession(header, fresh.value, secondsUntil(fresh.expiresAt, time()))
    if (set !== undefined) return { session: fresh.session, set }
    report(tooLarge(provider))
    // The old cookie can't be refreshed again if the refresh has invalidated it.
    return provider.rotates ? loggedOut() : { session, set: [] }
  }

  /** Reads the session of a request. */
  const read = async (
    ready: Loaded,
    request: LoginRequest,
    seconds = refreshAfter,
    canStore = true
  ): Promise<LoginDecision> => {
    const { readBearer } = ready.provider
    const bearer = isBearer(request) ? readBearer : undefined
    const none: Current = { session: null, set: [] }
    const inCookie = bearer === undefined ? await current(ready, request.header("cookie"), seconds, canStore) : none
    if (inCookie.isUnavailable) return { answer: answerOf(refusals.keys_unavailable) }
    const authenticate = authenticator({
      ...org,
      cookie: cookieName,
      origin: ready.provider.origin,
      decode: bearer ?? (async () => inCookie.session)
    })
    const headers: Readonly<Record<string, string | undefined>> = {
      cookie: inCookie.session === null ? undefined : `${cookieName}=1`,
      ...(bearer === undefined ? { authorization: undefined } : {})
    }
    const header = (name: string) => (Object.hasOwn(headers, name) ? headers[name] : request.header(name))
    const { session, refusal } = optionalSession(await authenticate({ ...request, header }))
    return refusal === undefined ? { session, cookies: inCookie.set } : { answer: answerOf(refusal) }
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

  const serves = (request: LoginRequest): boolean => Object.values(source.paths).includes(locationOf(request).path)

  /** Decides without the settings: pages for visitors still work, but nobody can log in. */
  const withoutSettings = (request: LoginRequest, error: unknown): LoginDecision => {
    if (serves(request)) return unavailable(error)
    // The origin is unknown, and with it the prefix of the cookie.
    const hasCookie = ["http:", "https:"].some(
      (origin) => loginCookies(cookieName, origin).session(request.header("cookie")) !== undefined
    )
    const isVisitor = !hasCookie && !(acceptsBearer && isBearer(request))
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
    serves,
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
