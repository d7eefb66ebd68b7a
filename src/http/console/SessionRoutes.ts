import { DateTime, Duration, Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { errorBody, Unauthorized } from "#api/Errors"
import { ConsoleSessions } from "#core/access/ConsoleSessions"
import { RateLimits } from "#core/limits/RateLimits"
import { RequestOrigin, userAgentOf } from "#domain/Event"
import { problem } from "#domain/Rejected"
import { nonBlank } from "#domain/Text"
import { ClientAddress } from "#platform/ClientAddress"
import { LoginDomains } from "#platform/LoginDomains"
import { unauthorized, wireErrors } from "../Errors.ts"
import { readBody } from "../RequestBody.ts"
import { consoleCookie } from "./ConsoleCookie.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"
import { consoleShell } from "./ConsoleShell.ts"
import { sessionBodies } from "./SessionBody.ts"

const ADDRESS = "/console/session"

const sessionOver = () => unauthorized("console_session_over")

/** `/console/session`: exchanges an API key for a cookie, describes the session, and ends it (C200). */
export const SessionRoutes = (options: ConsoleOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const sessions = yield* ConsoleSessions
      const rateLimits = yield* RateLimits
      const addresses = yield* ClientAddress
      const bodyOf = sessionBodies(options, yield* LoginDomains)
      const shell = yield* consoleShell(options)
      const cookie = consoleCookie(options.publicUrl)

      /** Returns the API key in the body of a login request. */
      const keyIn = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const key = (yield* readBody(request))?.members["api_key"]
        const text = typeof key === "string" ? nonBlank(key.trim()) : null
        return text ?? (yield* new Unauthorized(errorBody([problem("api_key", "blank")])))
      })

      const signIn = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const key = yield* keyIn(request)
        const peer = Option.getOrUndefined(request.peerAddress)
        const client = addresses.of({ peer, forwardedFor: request.headers["x-forwarded-for"] })
        const refund = yield* Effect.mapError(
          rateLimits.reserve("console_sign_ins", client.key),
          wireErrors.RateLimited
        )
        const { session, secret } = yield* sessions.signIn(key, cookie.read(request)).pipe(
          Effect.mapError(() => unauthorized("key_unknown")),
          Effect.provideService(RequestOrigin, { ip: client.ip, client: userAgentOf(request.headers["user-agent"]) })
        )
        yield* refund
        const seconds = Math.floor(Duration.toSeconds(DateTime.distance(session.createdAt, session.expiresAt)))
        return HttpServerResponse.jsonUnsafe(bodyOf(session), { status: 201 }).pipe(cookie.write(secret, seconds))
      })

      const show = Effect.gen(function* () {
        const secret = cookie.read(yield* HttpServerRequest.HttpServerRequest)
        return HttpServerResponse.jsonUnsafe(bodyOf(yield* Effect.mapError(sessions.find(secret), sessionOver)))
      })

      const signOut = Effect.gen(function* () {
        const secret = cookie.read(yield* HttpServerRequest.HttpServerRequest)
        const { others } = yield* HttpServerRequest.ParsedSearchParams
        if (others === "true") {
          yield* Effect.mapError(sessions.endOthers(secret), sessionOver)
          return HttpServerResponse.empty({ status: 204 })
        }
        yield* sessions.end(secret)
        return cookie.clear(HttpServerResponse.empty({ status: 204 }))
      })

      yield* router.add("GET", ADDRESS, shell.at(ADDRESS, show))
      yield* router.add("POST", ADDRESS, shell.at(ADDRESS, Effect.andThen(shell.requireOwnPage, signIn)))
      yield* router.add("DELETE", ADDRESS, shell.at(ADDRESS, Effect.andThen(shell.requireOwnPage, signOut)))
    })
  )
