import { Context, Option } from "effect"
import { HttpApi } from "effect/http-api"
import { describe, expect, test } from "vitest"
import { RulesFirst } from "#api/Access"
import { Api } from "#api/Api"
import type { GivenRealm } from "#testing/Given"
import { operations, pathOf } from "../support/operations.ts"
import { bodyOf, resourceFor } from "../support/resources.ts"
import { service } from "../support/sallyport.ts"

let shared: Promise<GivenRealm> | undefined

const realmOf = () => (shared ??= service().then(({ given }) => given.realm()))

const marked = new Set<string>()
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ group, endpoint }) => {
    if (Option.isSome(Context.getOption(endpoint.annotations, RulesFirst)))
      marked.add(`${group.identifier} ${endpoint.identifier}`)
  }
})

const fields = (body: unknown): ReadonlyArray<string> =>
  Reflect.get(Object(body), "error_details").map(({ field }: { field: string }) => field)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Valid objects for the nested objects of a body. */
const validObjects: Readonly<Record<string, object>> = {
  org: { name: "Acme" },
  user: { user_type: "human", username: "somebody-new", email: "somebody-new@example.test", credentials: [] },
  response: { id: "AAAA", response: { clientDataJSON: "AAAA", attestationObject: "AAAA" } }
}

/** Replaces one member of a body by an object. */
const withWrong = (body: unknown, [step, ...rest]: ReadonlyArray<string>): unknown => {
  if (step === undefined) return { wrong: 1 }
  const members = isObject(body) ? body : {}
  return { ...members, [step]: withWrong(members[step] ?? (rest.length > 0 ? validObjects[step] : undefined), rest) }
}

const checking = operations.filter(({ name }) => marked.has(name))

describe("C69: a member of the wrong type in an otherwise valid body is the only reported error", () => {
  test("is tested for every create and update operation that has rules", () => {
    const unmarked = operations.filter(({ name, wrapper }) => wrapper !== undefined && !marked.has(name))
    expect(new Set(unmarked.map(({ name }) => name.replace(/^v\d\./, "")))).toEqual(
      new Set([
        "credentials verify",
        "jwt_keys create",
        "logins authenticate",
        "logins authenticate_code",
        "logins authenticate_passkey",
        "logins authenticate_token",
        "logins verify_email",
        "sessions create",
        "users accept_invitation"
      ])
    )
  })

  test.each(checking.map((operation) => [operation.name, operation] as const))("%s", async (_, operation) => {
    const realm = await realmOf()
    const thing = operation.params.length > 0 ? await resourceFor(operation, realm) : undefined
    const body = await bodyOf(operation, realm, thing)
    const path = pathOf(operation, () => thing ?? "")
    for (const way of operation.scalars.filter((steps) => !steps.includes("0"))) {
      const reply = await realm.call(operation.method, path, { body: withWrong(body, way) })
      expect([way, reply.status, fields(reply.body)]).toEqual([way, 422, [way.at(-1)]])
    }
  })
})
