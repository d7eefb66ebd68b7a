import { Effect } from "effect"
import { HttpServerError, type HttpServerRequest } from "effect/http"
import { type FieldName, fields } from "#api/hosted/Api"
import { problem, Rejected } from "#domain/Rejected"
import { isStorable } from "#domain/Text"
import { Unreadable } from "../Errors.ts"

/** What a caller sends: the text of a field; undefined where it is not there. */
export type Input = (field: FieldName) => string | undefined

/** A member of a JSON body as text; a number may stand for its digits. */
const textOf = (value: unknown): string | undefined | null => {
  if (value === undefined || value === null) return undefined
  if (typeof value === "number") return String(value)
  return typeof value === "string" ? value : null
}

const isField = (name: string): name is FieldName => Object.hasOwn(fields, name)

/** The known fields of what was sent; each once, as text that can be stored. */
const inputOf = (members: Iterable<readonly [string, unknown]>): Effect.Effect<Input, Rejected> => {
  const given = new Map<FieldName, string>()
  const problems = []
  for (const [name, value] of members) {
    const text = textOf(value)
    if (!isField(name) || text === undefined) continue
    if (given.has(name)) problems.push(problem(name, "repeated"))
    else if (text === null) problems.push(problem(name, "not_text"))
    else if (!isStorable(text)) problems.push(problem(name, "invalid"))
    else given.set(name, text)
  }
  return problems.length > 0 ? Effect.fail(new Rejected({ problems })) : Effect.succeed((field) => given.get(field))
}

const queryOf = ({ url }: HttpServerRequest.HttpServerRequest) => new URLSearchParams(url.split("?").slice(1).join("?"))

/** What the address says. */
export const queryInput = (request: HttpServerRequest.HttpServerRequest) => inputOf(queryOf(request))

/** The function that a script is to call, if the address names one; several are none of them. */
export const callbackIn = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
  const named = queryOf(request).getAll("callback")
  return named.length === 0 ? undefined : named.join(",")
}

const objectIn = (text: string): Effect.Effect<object, Unreadable> =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: () => new Unreadable({ status: 400 }) }).pipe(
    Effect.flatMap((value) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Effect.succeed(value)
        : Effect.fail(new Unreadable({ status: 400 }))
    )
  )

/** What the body says: JSON or a form. */
export const bodyInput = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const text = yield* request.text.pipe(
    Effect.mapError(({ reason }) => {
      const isLarge = reason instanceof HttpServerError.RequestParseError && reason.reason === "BodyTooLarge"
      return new Unreadable({ status: isLarge ? 413 : 400 })
    })
  )
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type === "application/x-www-form-urlencoded") return yield* inputOf(new URLSearchParams(text))
  if (text.trim() === "") return yield* inputOf([])
  if (type !== "application/json") return yield* new Unreadable({ status: 415 })
  return yield* inputOf(Object.entries(yield* objectIn(text)))
})
