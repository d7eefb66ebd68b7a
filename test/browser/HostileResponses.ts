import type { Page, Route } from "playwright-core"
import { attacks } from "../core/MarkupCorpus.ts"
import { isPart, type Part, parsedOpenApi, resolvedIn } from "../support/openApi.ts"

const payloads: ReadonlyArray<string> = Object.values(attacks).flat()

/** The number of attacks combined in one text. */
const ATTACKS_PER_TEXT = 8

/** All attacks, combined into texts. */
export const attackTexts: ReadonlyArray<string> = Array.from(
  { length: Math.ceil(payloads.length / ATTACKS_PER_TEXT) },
  (_, index) => payloads.slice(index * ATTACKS_PER_TEXT, (index + 1) * ATTACKS_PER_TEXT).join(" ")
)

const resolved = resolvedIn(parsedOpenApi())

/** An attack followed by the name of its field. */
export const withFieldName = (payload: string, field: string): string => `${payload} [${field}]`

/** All attacks in one text. */
export const allAttacks = payloads.join(" ")

/** Members that look like IDs but are chosen by people or other services. The service generates all other IDs. */
const chosenIds = new Set(["client_id", "key_id", "team_id", "provider_user_id", "passkey_rp_id"])

const typesOf = ({ type }: Part): ReadonlyArray<unknown> => (Array.isArray(type) ? type : [type])

const isText = (schema: Part): boolean =>
  typesOf(schema).includes("string") && schema["enum"] === undefined && schema["const"] === undefined

/** The variant of a schema that matches a value: the one whose enums include the value's members. */
const variantOf = (schema: Part, value: unknown): Part => {
  const variants = schema["anyOf"] ?? schema["oneOf"]
  if (!Array.isArray(variants)) return schema
  const isMatch = (variant: Part): boolean => {
    if (value === null || typeof value === "string") return isText(variant)
    if (Array.isArray(value)) return typesOf(variant).includes("array")
    if (!isPart(value) || !isPart(variant["properties"])) return false
    return Object.entries(variant["properties"]).every(([name, member]) => {
      const operationsBySpecificity = isPart(member) ? member["enum"] : undefined
      return (
        !Array.isArray(operationsBySpecificity) ||
        value[name] === undefined ||
        operationsBySpecificity.includes(value[name])
      )
    })
  }
  const parts = variants.map(resolved).filter(isPart)
  return parts.find(isMatch) ?? parts[0] ?? schema
}

/** The position of a value in a response: its schema and member, and its row in a list. */
interface Place {
  readonly field: string
  readonly row: number | undefined
}

/** Replaces every free text of a response with an attack. */
const withAttacks = (schema: unknown, value: unknown, { field, row }: Place): unknown => {
  const name = isPart(schema) && typeof schema["$ref"] === "string" ? schema["$ref"].split("/").at(-1) : undefined
  const found = resolved(schema)
  if (!isPart(found)) return value
  const part = variantOf(found, value)
  const here = name ?? field
  const member = field.split(".").at(-1) ?? ""
  if (Array.isArray(value)) {
    const items = part["items"]
    const of = resolved(items)
    const some = value.length === 0 && isPart(of) && isText(of) ? [""] : value
    if (row !== undefined || some.length === 0) return some.map((one) => withAttacks(items, one, { field, row }))
    // Use two existing rows, since rows of different types have pages of their own.
    return attackTexts.flatMap((_, index) =>
      some.slice(-2).map((kind, turn) => {
        const one = withAttacks(items, kind, { field, row: index })
        return isPart(one) && typeof one["id"] === "string" ? { ...one, id: `${one["id"]}~${index * 2 + turn}` } : one
      })
    )
  }
  if (isPart(value)) {
    const members = part["properties"]
    if (isPart(members))
      return Object.fromEntries(
        Object.entries(value).map(([key, one]) => [
          key,
          withAttacks(members[key], one, { field: `${here}.${key}`, row })
        ])
      )
    const text = row === undefined ? allAttacks : (attackTexts[row] ?? "")
    // The console looks these names up by ID.
    if (member === "display_names")
      return Object.fromEntries(Object.keys(value).map((id) => [id, withFieldName(text, here)]))
    const names = Object.keys(value).length === 0 ? ["note"] : Object.keys(value)
    return Object.fromEntries(
      names.map((key) => [withFieldName(`${key} ${text}`, `${here} name`), withFieldName(text, here)])
    )
  }
  if (!isText(part) || (value !== null && typeof value !== "string")) return value
  if ((member === "id" || member.endsWith("_id")) && !chosenIds.has(member)) return value
  return withFieldName(row === undefined ? allAttacks : (attackTexts[row] ?? ""), here)
}

interface Operation {
  readonly path: RegExp
  readonly schema: unknown
  readonly example: unknown
}

const operations = (): ReadonlyArray<Operation> => {
  const { paths } = parsedOpenApi()
  if (!isPart(paths)) throw new Error("The document has no paths.")
  return Object.entries(paths).flatMap(([template, methods]) => {
    const get = isPart(methods) ? methods["get"] : undefined
    let answer: unknown = get
    for (const step of ["responses", "200", "content", "application/json"])
      answer = isPart(answer) ? resolved(answer[step]) : undefined
    if (!isPart(answer)) return []
    const examples = isPart(answer["examples"]) ? Object.values(answer["examples"]).map(resolved) : []
    const [example] = examples.filter(isPart)
    const path = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
    // The most specific path first, since a path with a parameter also matches those without.
    return [{ path, schema: answer["schema"], example: example?.["value"] }]
  })
}

const operationsBySpecificity = operations().toSorted(
  (one, other) => String(one.path).split("[^/]+").length - String(other.path).split("[^/]+").length
)

/** The replaced responses of a page, with the number still pending. */
export interface ReplacedResponses {
  readonly waiting: () => number
}

/**
 * Replaces the service's responses with ones in which every text is an attack, even where the service would reject it.
 * A list gets one row per attack text, a single object all attacks in each text. Empty responses are filled with the
 * examples from the API description.
 */
export const replaceResponses = async (page: Page, publicUrl: string): Promise<ReplacedResponses> => {
  const read = new Map<string, Promise<unknown>>()
  let waiting = 0

  const answerTo = async (route: Route, url: string, example: unknown): Promise<unknown> => {
    const response = await route.fetch({ url })
    const body: unknown = response.ok() ? await response.json() : example
    const isEmpty = isPart(body) && Array.isArray(body["collection"]) && body["collection"].length === 0
    return isEmpty ? example : body
  }

  const answer = async (route: Route): Promise<void> => {
    const url = new URL(route.request().url())
    if (route.request().method() !== "GET") return route.fallback()
    const row = /~(\d+)$/.exec(url.pathname)?.[1]
    url.pathname = url.pathname.replace(/~\d+(?=$|\/)/, "")
    const path = url.pathname.replace("/console/api", "")
    const operation = operationsBySpecificity.find((one) => one.path.test(path))
    if (operation === undefined) return route.fallback()
    const { schema, example } = operation
    // Page cursors and searches contain row numbers. All rows are on the first page.
    const asked = url.href.replaceAll(/~\d+/g, "")
    const body = await (read.get(asked) ?? read.set(asked, answerTo(route, asked, example)).get(asked))
    await route.fulfill({
      json: withAttacks(schema, body, { field: "", row: row === undefined ? undefined : Math.floor(Number(row) / 2) })
    })
  }

  const counted = async (route: Route) => {
    waiting++
    try {
      await answer(route)
    } finally {
      waiting--
    }
  }

  await page.route(`${publicUrl}/console/api/v2/**`, counted)
  await page.route(`${publicUrl}/console/session`, async (route) => {
    if (route.request().method() !== "GET") return route.fallback()
    const session: unknown = await (await route.fetch()).json()
    if (!isPart(session)) return route.fallback()
    const api_key = { id: "key_1", name: withFieldName(allAttacks, "ConsoleSession.api_key.name") }
    await route.fulfill({ json: { ...session, api_key } })
  })
  return { waiting: () => waiting }
}
