import { expect, test } from "vitest"
import { isPart, type Part, parsedOpenApi, resolvedIn } from "../support/openApi.ts"
import { service } from "../support/sallyport.ts"

const document = parsedOpenApi()
const resolved = resolvedIn(document)

const listOf = (part: unknown): ReadonlyArray<unknown> => (Array.isArray(part) ? part : [])

const partOf = (part: unknown): Part => {
  const found = isPart(part) ? resolved(part) : undefined
  return isPart(found) ? found : {}
}

/** Every value of an enumeration, or the bounds of a number. */
const valuesOf = (schema: Part): ReadonlyArray<string> => {
  const { enum: values, items, minimum, maximum, type } = schema
  if (Array.isArray(values)) return values.map(String)
  if (isPart(items)) return valuesOf(partOf(items))
  if (type === "boolean") return ["true", "false"]
  return [minimum, maximum].filter((bound) => typeof bound === "number").map(String)
}

interface Query {
  readonly path: string
  readonly name: string
  readonly value: string
}

/** Every documented value of every query parameter of the management API's lists. */
const queries = Object.entries(partOf(document["paths"])).flatMap(([path, item]): ReadonlyArray<Query> => {
  const { get } = partOf(item)
  if (!/^\/v[12]\/(?!test)\w+$/.test(path) || !isPart(get)) return []
  return listOf(get["parameters"])
    .map(partOf)
    .filter((parameter) => parameter["in"] === "query")
    .flatMap(({ name, schema }) => valuesOf(partOf(schema)).map((value) => ({ path, name: String(name), value })))
})

test("lists accept every documented value of their query parameters", async () => {
  expect(queries.length).toBeGreaterThan(150)
  const realm = await (await service()).given.realm()
  const { id } = await realm.org()
  const rejected: Array<string> = []
  for (const { path, name, value } of queries) {
    // Lists of memberships need a filter.
    const filter = path.endsWith("/memberships") ? `&org_id=${id}` : ""
    const reply = await realm.get(`${path}?${name}=${encodeURIComponent(value)}${filter}`)
    if (reply.status !== 200) rejected.push(`${path}?${name}=${value}: ${reply.status} ${reply.text}`)
  }
  expect(rejected).toEqual([])
})
