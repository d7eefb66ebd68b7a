import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type FieldName, fields } from "#api/hosted/V1"
import { parseWithDigits } from "#domain/ExactJson"
import { isObject } from "#domain/JsonObject"
import { problem, Rejected } from "#domain/Rejected"
import { isStorable } from "#domain/Text"
import { readText, UnreadableForm } from "../Form.ts"

/** Returns a field of a request as text, or undefined if the field was not sent. */
export type Input = (field: FieldName) => string | undefined

/** Returns a member of a JSON body as text, with numbers as digits, or null if it can't be text. */
const textOf = (value: unknown): string | undefined | null => {
  if (value === undefined || value === null) return undefined
  if (typeof value === "number") return String(value)
  return typeof value === "string" ? value : null
}

const isField = (name: string): name is FieldName => Object.hasOwn(fields, name)

/** Reads the known fields. Each may be sent only once, as a text that the database can store. */
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

/** The fields of a query. */
export const queryInput = (request: HttpServerRequest.HttpServerRequest) => inputOf(queryOf(request))

/**
 * Returns the `callback` in a query. If it is repeated, the values are joined with a comma, which is rejected because the
 * result is not a valid function name.
 */
export const callbackIn = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
  const names = queryOf(request).getAll("callback")
  return names.length === 0 ? undefined : names.join(",")
}

const objectIn = (text: string): Effect.Effect<object, UnreadableForm> =>
  Effect.try({ try: () => parseWithDigits(text), catch: () => new UnreadableForm({ status: 400 }) }).pipe(
    Effect.flatMap((value) =>
      isObject(value) ? Effect.succeed(value) : Effect.fail(new UnreadableForm({ status: 400 }))
    )
  )

/** Reads the fields of a JSON or form body. */
export const bodyInput = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const text = yield* readText(request)
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type === "application/x-www-form-urlencoded") return yield* inputOf(new URLSearchParams(text))
  if (text.trim() === "") return yield* inputOf([])
  if (type !== "application/json") return yield* new UnreadableForm({ status: 415 })
  return yield* inputOf(Object.entries(yield* objectIn(text)))
})
