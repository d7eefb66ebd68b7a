import { Context, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { AllProblems, RulesFirst } from "#api/Access"
import { Invalid } from "#api/Errors"
import { invalidMembers, requestProblems } from "#api/InvalidRequest"
import { KnownProblems, mergeProblems, ValidationOnly } from "#domain/KnownProblems"
import { type Problem, problem } from "#domain/Rejected"
import { NothingMayChange } from "#platform/Transaction"
import { invalid } from "./Errors.ts"
import { makeReadable } from "./ReadableBody.ts"
import { asJson } from "./RequestBody.ts"

/**
 * The maximum number of times a body is decoded. The first retry omits the invalid members, and later ones omit the objects
 * that can't exist without them.
 */
const MAX_ATTEMPTS = 8

const isUnreadableBody = (error: unknown): error is HttpApiError.HttpApiSchemaError =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind === "Payload"

/** Returns the problems of an error without their messages. Messages are added at the end, in the caller's language. */
const problemsOf = ({ error_details }: Invalid): ReadonlyArray<Problem> =>
  error_details.map(({ field, code, params }) => problem(field, code, params))

/**
 * Returns the response to a body that can't be decoded. It lists the invalid members and the rules that the rest of the body
 * breaks; a dry run of the operation checks the rules. Returns undefined if the dry run finds no further problems.
 */
const refusalOf = <E, R>(handler: Effect.Effect<unknown, E, R>, unreadable: HttpApiError.HttpApiSchemaError) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body: unknown = JSON.parse(yield* Effect.orDie(request.text))
    const known = requestProblems(unreadable.cause.issue, "body")
    const filled = new Set<string>()
    let issue = unreadable.cause.issue
    for (let reading = 1; reading <= MAX_ATTEMPTS; reading += 1) {
      const wrong = invalidMembers(issue)
      if (wrong === undefined || !makeReadable(body, wrong, filled)) return undefined
      const failure = yield* Effect.updateContext(Effect.flip(handler), (beneath: Context.Context<R>) =>
        beneath.pipe(
          Context.add(HttpServerRequest.HttpServerRequest, asJson(request, JSON.stringify(body))),
          Context.add(KnownProblems, known),
          Context.add(ValidationOnly, true)
        )
      ).pipe(
        Effect.catchDefect((defect) =>
          defect instanceof NothingMayChange ? Effect.succeed(undefined) : Effect.die(defect)
        ),
        Effect.catch(() => Effect.succeed(undefined))
      )
      if (failure instanceof Invalid) return invalid(mergeProblems(known, problemsOf(failure)))
      if (!isUnreadableBody(failure)) return undefined
      issue = failure.cause.issue
    }
    return undefined
  })

const withRules = <A, E, R>(handler: Effect.Effect<A, E, R>) =>
  Effect.catch(
    handler,
    (error): Effect.Effect<never, E | Invalid, R | HttpServerRequest.HttpServerRequest> =>
      isUnreadableBody(error)
        ? Effect.flatMap(refusalOf(handler, error), (refusal) => Effect.fail(refusal ?? error))
        : Effect.fail(error)
  )

/** The middleware that reports all problems of a body at once (C69). */
export const AllProblemsLayer = Layer.succeed(AllProblems, (handler, { endpoint }) =>
  Option.isNone(Context.getOption(endpoint.annotations, RulesFirst)) ? handler : withRules(handler)
)
