import { expect, test } from "vitest"
import { en } from "#api/messages/en"
import { checks } from "#api/messages/enChecks"
import { domainResults } from "#api/messages/enDomains"
import { eventName, eventTypes } from "#domain/Event"
import { inlined, isPart, type Part, parsedOpenApi, resolvedIn } from "../support/openApi.ts"

const document = parsedOpenApi()

const resolved = resolvedIn(document)

const partsOf = (part: unknown): ReadonlyArray<readonly [string, unknown]> => (isPart(part) ? Object.entries(part) : [])

const listOf = (part: unknown): ReadonlyArray<unknown> => (Array.isArray(part) ? part : [])

/** Returns whether a text consists of one or more sentences. */
const isSentence = (text: unknown): boolean => typeof text === "string" && /^[A-Z`].{6,}[.)]$/su.test(text)

/** Returns whether a part has a description, in itself or in the schema that it refers to. */
const isDescribed = (part: unknown): boolean => {
  if (!isPart(part)) return false
  const target = resolved(part)
  return isSentence(part["description"]) || (isPart(target) && isSentence(target["description"]))
}

/**
 * The schemas inside a schema, with their paths. References are not followed, as their targets are visited separately.
 */
const inner = (schema: Part, where: string): ReadonlyArray<readonly [string, unknown]> => [
  ...["anyOf", "oneOf", "allOf"].flatMap((key) => listOf(schema[key]).map((part) => [where, part] as const)),
  ...partsOf(schema["properties"]).map(([name, part]) => [`${where}.${name}`, part] as const),
  [`${where}[]`, schema["items"]],
  [`${where}{}`, schema["additionalProperties"]]
]

interface Found {
  readonly properties: Array<readonly [string, unknown]>
  readonly enumerations: Array<readonly [string, unknown]>
}

const visit = (where: string, schema: unknown, found: Found): void => {
  if (!isPart(schema)) return
  found.properties.push(...partsOf(schema["properties"]).map(([name, part]) => [`${where}.${name}`, part] as const))
  for (const [place, part] of inner(schema, where)) {
    // The values of an enumerated list are described by the list.
    const describedPart = place.endsWith("[]") ? schema : part
    if (isPart(part) && "enum" in part) found.enumerations.push([place, describedPart])
    visit(place, part, found)
  }
}

/** Every operation, including webhooks, with references to parameters, bodies and responses resolved. */
const operations = [
  ...partsOf(inlined(document, document["paths"])),
  ...partsOf(inlined(document, document["webhooks"]))
].flatMap(([path, item]) =>
  partsOf(item).map(([method, operation]) => [`${method} ${path}`, Object(operation)] as const)
)

const parametersOf = (operation: Part) => listOf(operation["parameters"]).filter(isPart)

const responsesOf = (operation: Part) =>
  partsOf(operation["responses"]).map(([status, response]) => [status, Object(response)] as const)

const contents = (where: string, holder: unknown) =>
  partsOf(isPart(holder) ? holder["content"] : undefined).map(([, media]) => [where, Object(media).schema] as const)

const found: Found = { properties: [], enumerations: [] }

for (const [name, schema] of partsOf(Object(document["components"]).schemas)) {
  if (isPart(schema) && "enum" in schema) found.enumerations.push([name, schema])
  visit(name, schema, found)
}
for (const [name, operation] of operations) {
  for (const [where, schema] of contents(name, operation["requestBody"])) visit(where, schema, found)
  for (const [status, response] of responsesOf(operation)) {
    for (const [where, schema] of contents(`${name} ${status}`, response)) visit(where, schema, found)
  }
}

const undescribed = (parts: ReadonlyArray<readonly [string, unknown]>) =>
  parts.filter(([, part]) => !isDescribed(part)).map(([where]) => where)

test("every member of every body is described by a sentence", () => {
  expect(found.properties.length).toBeGreaterThan(700)
  expect(undescribed(found.properties)).toEqual([])
})

test("every enumeration is described by a sentence, and enumerations of events and errors explain each value", () => {
  expect(found.enumerations.length).toBeGreaterThan(100)
  expect(undescribed(found.enumerations)).toEqual([])
  const { EventType, ErrorCode } = Object(document["components"]).schemas
  const names = eventTypes.flatMap((type) => [type, eventName(type, "v1")])
  expect(new Set(EventType.enum)).toEqual(new Set(names))
  const others = Object.keys(en.sentences).filter((code) => !ErrorCode.enum.includes(code))
  expect(others.filter((code) => !Object.hasOwn({ ...checks, ...domainResults }, code))).toEqual([
    "reset_mail_sent",
    "password_changed",
    "verification_mail_sent",
    "signup_mail_sent"
  ])
  for (const { enum: values, "x-enumDescriptions": texts } of [EventType, ErrorCode]) {
    expect(
      values.filter((value: string) => !isSentence(texts[value]) && !/^\{field\} .*\.$/.test(texts[value]))
    ).toEqual([])
  }
})

test("every parameter, response and header is described by a sentence", () => {
  const parameters = operations.flatMap(([name, operation]) =>
    parametersOf(operation).map((one) => [`${name} ${one["in"]} ${one["name"]}`, one] as const)
  )
  const responses = operations.flatMap(([name, operation]) =>
    responsesOf(operation).map(([status, response]) => [`${name} ${status}`, response] as const)
  )
  const headers = responses.flatMap(([where, response]) =>
    partsOf(Object(response).headers).map(([header, part]) => [`${where} ${header}`, part] as const)
  )
  expect([parameters.length > 700, responses.length > 1_000, headers.length > 1_000]).toEqual([true, true, true])
  expect(undescribed(parameters)).toEqual([])
  expect(undescribed(responses)).toEqual([])
  expect(undescribed(headers)).toEqual([])
})

test("no number is typed as a string, and every reference resolves", () => {
  const text = JSON.stringify(document)
  expect(text).not.toMatch(/NaN|Infinity|"additionalProperties":false|x-schema/)
  const refs = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref)
  expect(refs.filter((ref) => resolved({ $ref: ref }) === undefined)).toEqual([])
  expect(refs.length).toBeGreaterThan(1_000)
})

test("the description of 429 explains each limit, and blocking", () => {
  const { TooManyRequests } = Object(document["components"]).responses
  for (const kind of ["`too_often`", "`blocked`", "`reads`: 1,000 in 10 s", "`invitations`: 100 in 3,600 s"]) {
    expect(TooManyRequests.description).toContain(kind)
  }
  expect(Object.keys(TooManyRequests.headers)).toEqual(["X-Request-Id", "Retry-After", "RateLimit", "RateLimit-Policy"])
})
