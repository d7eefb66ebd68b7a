import { Effect } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { type HostedOperationName, hostedOperations } from "#api/hosted/Api"
import { sentence } from "#api/Messages"
import { problem } from "#domain/Rejected"
import { unavailabilityIn } from "#platform/Transaction"
import { forgettingSession, keepingSession } from "../cookies/SessionCookie.ts"
import { Foreign } from "../Errors.ts"
import { readerOf } from "../PageContext.ts"
import { type AppCall, appCalls } from "../RequestShell.ts"
import { corsHeaders, isForeignTo, preflightHeaders } from "./Cors.ts"
import { type HostedWord, JsonpRefused, type Said, saidOf } from "./Errors.ts"
import { bodyInput, callbackIn, queryInput } from "./Input.ts"
import { isCallback, jsonp, jsonpHeaders } from "./Jsonp.ts"
import { type Answer, operations } from "./Operations.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What looks at no secret that could be guessed, and is not counted (decision 45). */
const uncounted: ReadonlySet<HostedOperationName> = new Set<HostedOperationName>(["checkSession", "logout"])

/** What a browser's session begins or ends with. */
const takingCookies: ReadonlySet<HostedOperationName> = new Set<HostedOperationName>([
  "login",
  "verifyLogin",
  "signup",
  "logout"
])

const names = Object.keys(hostedOperations).filter((name): name is HostedOperationName =>
  Object.hasOwn(hostedOperations, name)
)

const isRead = ({ method }: Request): boolean => method === "GET" || method === "HEAD"

/** The function that an answer may call. Only GET is answered by a script. */
const callbackOf = ({ request, app }: AppCall): Effect.Effect<string | undefined, JsonpRefused> => {
  const callback = isRead(request) ? callbackIn(request) : undefined
  if (callback === undefined) return Effect.succeed(undefined)
  if (!app.allowJsonp) return Effect.fail(new JsonpRefused({ why: "jsonp_off" }))
  return isCallback(callback) ? Effect.succeed(callback) : Effect.fail(new JsonpRefused({ why: "callback_form" }))
}

/** What went wrong, as callers get it: all sentences in one, and each (api-v1 section 4, "Hosted login API"). */
const failureBody = (name: HostedOperationName, catalogue: AppCall["visit"]["catalogue"], { problems }: Said) => {
  const errors = problems.map((one) => sentence(catalogue, one))
  return { ...(name === "checkSession" ? { valid: false } : {}), error: errors.join(" "), errors }
}

/** Hosted login for untrusted clients, on the hosts of connected apps (api-v1 section 4, decisions 9, 40 to 42). */
export const HostedApiRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { entered, within, counted } = yield* appCalls
    const all = yield* operations

    const done = Effect.fnUntraced(function* (name: HostedOperationName, call: AppCall, isForeign: boolean) {
      const { request } = call
      if (isForeign) return yield* new Foreign()
      const posted = !isRead(request)
      if (!uncounted.has(name)) yield* counted(call)
      const input = yield* posted ? bodyInput(request) : queryInput(request)
      return yield* all[name]({ call, input, posted })
    })

    const cookies =
      (call: AppCall, { keeps }: Answer) =>
      (response: HttpServerResponse.HttpServerResponse) => {
        if (keeps === undefined) return response
        return (keeps === "none" ? forgettingSession(call.origin) : keepingSession(call.origin, keeps))(response)
      }

    const answered = (
      callback: string | undefined,
      body: object | undefined,
      headers: Readonly<Record<string, string>>
    ): HttpServerResponse.HttpServerResponse => {
      if (callback !== undefined) {
        return HttpServerResponse.text(jsonp(callback, body ?? {}), { headers: { ...headers, ...jsonpHeaders } })
      }
      return body === undefined
        ? HttpServerResponse.empty({ status: 200, headers })
        : HttpServerResponse.jsonUnsafe(body, { headers })
    }

    const operated = Effect.fnUntraced(function* (name: HostedOperationName, call: AppCall) {
      const { request, app, visit } = call
      const origin = request.headers["origin"]
      const { referer, "sec-fetch-site": site } = request.headers
      const isForeign = isForeignTo(app, call.origin, { origin, referer, site, reads: isRead(request) })
      const cors = {
        ...corsHeaders(isForeign ? undefined : origin, takingCookies.has(name)),
        "content-language": visit.catalogue.language
      }
      if (request.method === "OPTIONS") {
        return HttpServerResponse.empty({ status: 204, headers: { ...cors, ...(isForeign ? {} : preflightHeaders) } })
      }
      if (!isRead(request) && request.method !== "POST") {
        const failure = failureBody(name, visit.catalogue, {
          problems: [problem(null, "method_not_allowed", { method: request.method })]
        })
        return HttpServerResponse.jsonUnsafe(failure, {
          status: 405,
          headers: { ...cors, allow: "GET, HEAD, POST, OPTIONS" }
        })
      }
      const failed = (said: Said, callback?: string) => {
        const retry = said.retryAfterSeconds === undefined ? {} : { "retry-after": String(said.retryAfterSeconds) }
        return answered(callback, failureBody(name, visit.catalogue, said), { ...cors, ...retry })
      }
      return yield* callbackOf(call).pipe(
        Effect.flatMap((callback) =>
          within(call, done(name, call, isForeign)).pipe(
            Effect.map((answer) => cookies(call, answer)(answered(callback, answer.body, cors))),
            Effect.catch((word: HostedWord) => Effect.succeed(failed(saidOf(word), callback))),
            Effect.catchCause((cause) => {
              const found = unavailabilityIn(cause)
              return found === undefined
                ? Effect.failCause(cause)
                : Effect.succeed(failed({ ...found, problems: [problem(null, found.code)] }, callback))
            })
          )
        ),
        Effect.catchTag("JsonpRefused", (word) => Effect.succeed(failed(saidOf(word))))
      )
    })

    const asked = (name: HostedOperationName) => (request: Request) =>
      // No answer that a script of any site may get depends on a cookie (decision 42).
      Effect.map(entered(request), (call) => (isRead(request) ? { ...call, known: [] } : call)).pipe(
        Effect.flatMap((call) => operated(name, call)),
        Effect.catch(() => {
          const { catalogue } = readerOf(request.headers["accept-language"], undefined)
          const failure = failureBody(name, catalogue, { problems: [problem(null, "no_such_address")] })
          return Effect.succeed(HttpServerResponse.jsonUnsafe(failure, { status: 404 }))
        })
      )

    for (const name of names) yield* router.add("*", hostedOperations[name].path, asked(name))
  })
)
