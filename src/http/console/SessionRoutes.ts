import { DateTime, Duration, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorBody, Unauthorized } from "#api/Errors"
import type { UnknownKey } from "#core/access/ApiKeys"
import {
  type ConsoleKeysOff,
  ConsoleSessions,
  type CreatedConsoleSession,
  type LoginLinkOver
} from "#core/access/ConsoleSessions"
import { RateLimits } from "#core/limits/RateLimits"
import { consoleApp } from "#core/realms/SystemRealm"
import { BrowserSessions } from "#core/sessions/BrowserSessions"
import { OwnSessions } from "#core/sessions/OwnSessions"
import type { ConsoleSession } from "#domain/ConsoleSession"
import { hostCookieName, SESSION_COOKIE } from "#domain/HostCookieName"
import { SYSTEM } from "#domain/Ids"
import { CurrentRealm, systemRealm } from "#domain/Realm"
import { problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import type { Client } from "#platform/ClientAddress"
import { CONSOLE_SUBDOMAIN, LoginDomains } from "#platform/LoginDomains"
import { unauthorized, wireErrors } from "../Errors.ts"
import { readBody } from "../RequestBody.ts"
import { browserOrigins } from "./BrowserOrigin.ts"
import { consoleCookie } from "./ConsoleCookie.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import { consoleShell } from "./ConsoleShell.ts"
import { sessionBodies } from "./SessionBody.ts"

const ADDRESS = "/console/session"

const LOGIN_ADDRESS = "/console/login"

const sessionOver = () => unauthorized("console_session_over")

/** The body of a login request: an API key, the token of a login link, or an operator's login in this browser. */
type LoginRequest = { readonly key: string } | { readonly linkToken: string } | { readonly operator: true }

/**
 * `/console/session`: exchanges an API key, a login link or an operator's login for a cookie, describes the session, and ends it
 * (C200, C308). `/console/login`: how people can log in, for the login page.
 */
export const SessionRoutes = (options: ConsoleOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const sessions = yield* ConsoleSessions
      const rateLimits = yield* RateLimits
      const { clientOf, withOrigin } = yield* browserOrigins
      const browsers = yield* BrowserSessions
      const ownSessions = yield* OwnSessions
      const domains = yield* LoginDomains
      const bodyOf = sessionBodies(options, domains)
      const shell = yield* consoleShell(options)
      const cookie = consoleCookie(options.publicUrl)

      const loginIn = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const { operator, link_token: linkToken, api_key: key } = (yield* readBody(request))?.members ?? {}
        if (operator === true) return { operator } satisfies LoginRequest
        if (typeof linkToken === "string") return { linkToken } satisfies LoginRequest
        const text = typeof key === "string" ? nonBlank(key.trim()) : null
        if (text === null) return yield* new Unauthorized(errorBody([problem("api_key", "blank")]))
        return { key: text } satisfies LoginRequest
      })

      /** The secret of the login on the pages for operators. */
      const loginSecretIn = ({ cookies }: HttpServerRequest.HttpServerRequest) =>
        cookies[hostCookieName(domains.origin(CONSOLE_SUBDOMAIN), SESSION_COOKIE)]

      /** Exchanges an API key or a link. Wrong keys and links count against the limit of the address. */
      const signInWithKey = Effect.fnUntraced(function* (
        login: { readonly key: string } | { readonly linkToken: string },
        previous: string | undefined,
        client: Client
      ) {
        const refund = yield* Effect.mapError(
          rateLimits.reserve("console_sign_ins", client.key),
          wireErrors.RateLimited
        )
        const signedIn: Effect.Effect<CreatedConsoleSession, UnknownKey | LoginLinkOver | ConsoleKeysOff> =
          "key" in login ? sessions.signIn(login.key, previous) : sessions.signInWithLink(login.linkToken, previous)
        const created = yield* Effect.catchTags(signedIn, {
          UnknownKey: () => Effect.fail(unauthorized("key_unknown")),
          LoginLinkOver: () => Effect.fail(unauthorized("login_link_over")),
          ConsoleKeysOff: () => Effect.fail(unauthorized("console_key_refused"))
        })
        yield* refund
        return created
      })

      const signIn = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const login = yield* loginIn(request)
        const previous = cookie.read(request)
        const signedIn =
          "operator" in login
            ? Effect.mapError(sessions.signInOperator(loginSecretIn(request), previous), sessionOver)
            : signInWithKey(login, previous, clientOf(request))
        const { session, secret } = yield* signedIn
        const seconds = Math.floor(Duration.toSeconds(DateTime.distance(session.createdAt, session.expiresAt)))
        return HttpServerResponse.jsonUnsafe(bodyOf(session), { status: 201 }).pipe(cookie.write(secret, seconds))
      })

      const showLogin = Effect.gen(function* () {
        const [allowsKeys, hasOperators] = yield* Effect.all([sessions.allowsKeys, sessions.hasOperators])
        return HttpServerResponse.jsonUnsafe({ object: "console_login", api_keys: allowsKeys, operators: hasOperators })
      })

      const show = Effect.gen(function* () {
        const secret = cookie.read(yield* HttpServerRequest.HttpServerRequest)
        return HttpServerResponse.jsonUnsafe(bodyOf(yield* Effect.mapError(sessions.find(secret), sessionOver)))
      })

      /** Ends the operator's login in this browser, or else all of the operator's other logins. */
      const endLogin = Effect.fnUntraced(function* (
        { caller: { by }, loginSessionId }: ConsoleSession,
        secret: string | undefined,
        others: boolean
      ) {
        if (by.type !== "operator" || loginSessionId === null) return
        const ended = others
          ? ownSessions.endOthers({ realmId: SYSTEM, id: by.id }, loginSessionId)
          : browsers.end(consoleApp, secret)
        yield* Effect.orDie(Effect.provideService(ended, CurrentRealm, systemRealm))
      })

      const signOut = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const secret = cookie.read(request)
        const { others } = yield* HttpServerRequest.ParsedSearchParams
        if (others === "true") {
          const session = yield* Effect.mapError(sessions.find(secret), sessionOver)
          yield* Effect.mapError(sessions.endOthers(secret), sessionOver)
          yield* endLogin(session, undefined, true)
          return HttpServerResponse.empty({ status: 204 })
        }
        const session = yield* Effect.option(sessions.find(secret))
        yield* sessions.end(secret)
        if (Option.isSome(session)) yield* endLogin(session.value, loginSecretIn(request), false)
        return cookie.clear(HttpServerResponse.empty({ status: 204 }))
      })

      yield* router.add("GET", LOGIN_ADDRESS, shell.at(LOGIN_ADDRESS, showLogin))
      yield* router.add("GET", ADDRESS, shell.at(ADDRESS, show))
      yield* router.add("POST", ADDRESS, shell.at(ADDRESS, Effect.andThen(shell.requireOwnPage, withOrigin(signIn))))
      yield* router.add("DELETE", ADDRESS, shell.at(ADDRESS, Effect.andThen(shell.requireOwnPage, withOrigin(signOut))))
    })
  )
