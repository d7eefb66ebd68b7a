import { readFileSync } from "node:fs"
import { Validator } from "@seriousme/openapi-schema-validator"
import { HttpApi } from "effect/http-api"
import { expect, test } from "vitest"
import { DocumentedApi, groups } from "#api/docs/Groups"
import { parameters } from "#api/docs/Parameters"
import { hostedOperations } from "#api/hosted/V1"
import { openApi as document, inlined, isPart, type Part, parsedOpenApi } from "../support/openApi.ts"

interface Examples {
  readonly default?: { readonly value: unknown }
  readonly refused?: { readonly value: unknown }
}

interface Described {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<unknown>
  readonly servers?: ReadonlyArray<{ readonly url: string; readonly variables: object }>
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema?: { readonly maximum?: number }
  }>
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly content?: Readonly<Record<string, { readonly examples?: Examples }>>
      }
    >
  >
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> }
}

const { paths }: { readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>> } = JSON.parse(
  JSON.stringify(inlined(parsedOpenApi()))
)

const all: ReadonlyArray<readonly [string, Described]> = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]): readonly [string, Described] => [`${method} ${path}`, operation])
)

const hasTag =
  (tag: string) =>
  ([, { tags }]: (typeof all)[number]) =>
    tags.includes(tag)

/** The operations of hosted login, the public ones, and those that require an API key. */
const hosted = all.filter(hasTag("hosted login"))
const open = all.filter(hasTag("public keys"))
const managing = all.filter((one) => !hosted.includes(one) && !open.includes(one))

/** Every choice of schemas in a part of the document. */
const choicesIn = (part: unknown): ReadonlyArray<Part> => {
  if (Array.isArray(part)) return part.flatMap(choicesIn)
  if (!isPart(part)) return []
  return [...(Array.isArray(part["anyOf"]) ? [part] : []), ...Object.values(part).flatMap(choicesIn)]
}

test("the OpenAPI document lists a nullable object's types next to the choice, for the reader at /docs", () => {
  const nullable = choicesIn(parsedOpenApi()).filter(({ anyOf }) => JSON.stringify(anyOf).endsWith(',{"type":"null"}]'))
  const objects = nullable.filter(({ anyOf }) => JSON.stringify(anyOf).includes("$ref"))
  expect(objects.length).toBeGreaterThan(0)
  expect(objects.filter(({ type }) => JSON.stringify(type) !== '["object","null"]')).toEqual([])
})

test("the OpenAPI document is valid OpenAPI 3.1", async () => {
  const validated = await new Validator().validate(parsedOpenApi())
  expect(validated.errors ?? []).toEqual([])
  expect(validated.valid).toBe(true)
  expect(document.openapi).toBe("3.1.0")
})

test("the OpenAPI document contains every endpoint of both versions and of hosted login", () => {
  const endpoints: Array<string> = []
  HttpApi.reflect(DocumentedApi, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group }) => endpoints.push(`${group.identifier}.${endpoint.identifier}`)
  })
  expect(managing.map(([, { operationId }]) => operationId).sort()).toEqual(endpoints.sort())
  const paths = Object.values(hostedOperations).flatMap(({ path }) => [`get ${path}`, `post ${path}`])
  expect(hosted.map(([name]) => name).sort()).toEqual([...paths, "get /auth/{provider}"].sort())
  expect(new Set(all.map(([, { operationId }]) => operationId)).size).toBe(all.length)
})

test("the OpenAPI document lists version 2 first and version 1 last", () => {
  const names: ReadonlyArray<string> = Object(document).tags.map(({ name }: { name: string }) => name)
  const grouped: ReadonlyArray<string> = Object(document)["x-tagGroups"].flatMap(({ tags }: { tags: unknown }) => tags)
  expect(grouped).toEqual(names)
  const versions = names.map((name) => /^v\d/.exec(name)?.[0] ?? "none")
  expect(versions.filter((version, index) => version !== versions[index - 1])).toEqual(["v2", "none", "v2", "v1"])
})

test("every management operation has a summary, its level, and an example for every error", () => {
  for (const [name, operation] of managing) {
    expect(operation.summary, name).not.toBe(operation.operationId)
    expect(operation.description, name).toMatch(
      /(?:^|\n\n)Requires an API key of level `\w+`(?:, except from the service's own machine)?\.$/
    )
    for (const parameter of operation.parameters)
      expect(parameter.description, `${name} ${parameter.name}`).toBeTruthy()
    const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    expect(errors.map(([status]) => Number(status))).toEqual([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503])
    for (const [status, response] of errors) {
      expect(response.content?.["application/json"]?.examples?.default?.value, `${name} ${status}`).toMatchObject({
        errors: [expect.stringMatching(/\.$/)]
      })
    }
  }
})

test("every hosted login operation needs no API key and always returns 200", () => {
  for (const [name, { security, servers, summary, description, parameters: given, responses }] of hosted) {
    expect([security, servers?.map(({ url }) => url)]).toEqual([[], ["https://{subdomain}.eu.id.example.com"]])
    expect(
      servers?.map(({ variables }) => Object.keys(variables)),
      name
    ).toEqual([["subdomain"]])
    expect([summary, description], name).toEqual([expect.stringMatching(/./), expect.stringMatching(/\.$/)])
    for (const parameter of given) expect(parameter.description, `${name} ${parameter.name}`).toBeTruthy()
    const statuses = name.includes("/auth/") ? ["302", "404", "422", "429"] : ["200", "404"]
    expect(Object.keys(responses), name).toEqual(statuses)
  }
  for (const [name, { responses, parameters: given }] of hosted.filter(([one]) => one.includes("/v1/"))) {
    const isGet = name.startsWith("get ")
    expect(
      given
        .filter((one) => one.in === "query")
        .map((one) => one.name)
        .includes("callback"),
      name
    ).toBe(isGet)
    const types = ["application/json", ...(isGet ? ["application/javascript"] : [])]
    expect(Object.keys(responses["200"]?.content ?? {}), name).toEqual(types)
    const refusals = [
      responses["200"]?.content?.["application/json"]?.examples?.refused,
      responses["404"]?.content?.["application/json"]?.examples?.default
    ]
    const failure = { error: expect.stringMatching(/\.$/), errors: [expect.stringMatching(/\.$/)] }
    const expected = name.endsWith("/check_session") ? { valid: false, ...failure } : failure
    expect(refusals, name).toEqual([{ value: expected }, { value: expected }])
  }
})

test("public keys and discovery need no API key, for a realm and on apps' hosts", () => {
  const requirements = open.map(([name, { security, servers }]) => [name, security, servers?.length ?? 0])
  expect(requirements).toEqual([
    ["get /realms/{realm_id}/jwks", [], 0],
    ["get /realms/{realm_id}/.well-known/openid-configuration", [], 0],
    ["get /.well-known/oauth-authorization-server/realms/{realm_id}", [], 0],
    ["get /.well-known/openid-configuration/realms/{realm_id}", [], 0],
    ["get /connect/jwks", [], 1],
    ["get /.well-known/openid-configuration", [], 1]
  ])
})

test("every request and response body has an example", () => {
  for (const [name, { requestBody, responses }] of all) {
    for (const { example } of Object.values(requestBody?.content ?? {})) expect(example, name).toBeTruthy()
    for (const [status, { content }] of Object.entries(responses)) {
      for (const [type, { examples }] of Object.entries(content ?? {})) {
        // Pages are for people, and a successful logout has no body.
        if (type === "text/html") continue
        expect((examples?.default ?? examples?.refused)?.value, `${name} ${status}`).toBeTruthy()
      }
    }
  }
})

test("max_results documents the maximum page size where the maximum isn't 1,000", () => {
  const most = all.flatMap(([, { operationId, parameters: given }]) =>
    given.filter(({ name }) => name === "max_results").map(({ schema }) => [operationId, schema?.maximum])
  )
  const short = most.filter(([, maximum]) => maximum !== 1_000)
  const lists = ["v2.jwt_keys", "v2.client_apps", "v1.jwt_keys", "v1.login_policies", "v2.test_messages"]
  expect(short).toEqual(lists.map((list) => [`${list}.list`, 100]))
})

test("every text in the documentation belongs to an existing operation or parameter", () => {
  const ids = new Set(all.map(([, { operationId }]) => operationId))
  const documented = Object.values(groups).flatMap(({ group, endpoints }) =>
    Object.keys(endpoints).map((endpoint) => `${group}.${endpoint}`)
  )
  expect(documented.filter((id) => !ids.has(id))).toEqual([])
  const named = new Set(
    all.flatMap(([, { operationId, parameters: given }]) =>
      given.flatMap(({ name }) => [name, `${operationId.split(".").slice(0, 2).join(".")}.${name}`])
    )
  )
  const own = Object.values(groups).flatMap(({ group, parameters: told }) =>
    Object.keys(told).map((name) => `${group}.${name}`)
  )
  expect([...Object.keys(parameters), ...own].filter((name) => !named.has(name))).toEqual([])
  expect(groups["v2.users"].endpoints["get"]?.response).toMatchObject({ object: "user" })
})

test("the documents name the release in package.json", () => {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  )
  expect(readFileSync(new URL("../../src/http/docs/Release.ts", import.meta.url), "utf8")).toContain(
    `const RELEASE = "${version}"`
  )
})
