import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { describe, expect, test } from "vitest"
import { ExportRun } from "#client/ExportRun"
import type { FetchInit } from "#client/Fetch"
import { Sallyport } from "#client/Sallyport"
import { texts } from "../../generate/Document.ts"
import { operations } from "../../generate/Operations.ts"
import { writeGenerated } from "../../generate/Write.ts"
import { browserBundle } from "../support/browserBundle.ts"
import { isPart, openApi, type Part, resolvedIn } from "../support/openApi.ts"

const client = join(import.meta.dirname, "../../src/client")

const generated = join(client, "generated")

/** The contents of a folder's files, by relative path. */
const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, "utf8")])
  )

test("the generated SDK files match the API's description (npm run generate)", () => {
  const folder = mkdtempSync(join(tmpdir(), "sallyport-sdk-"))
  try {
    writeGenerated(folder)
    expect(filesOf(generated)).toEqual(filesOf(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** The operation IDs and routes in the OpenAPI document. */
const described: ReadonlyArray<readonly [string, string]> = Object.entries(openApi.paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, operation]) =>
    isPart(operation) ? [[String(operation["operationId"]), `${method.toUpperCase()} ${path}`] as const] : []
  )
)

const camelCase = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/**
 * The place of an operation in the SDK: `auth_providers.list_urls` is `authProviders.listUrls`, and version 1 is under
 * `v1`.
 */
const placeOf = (id: string): ReadonlyArray<string> =>
  id
    .split(".")
    .filter((part) => part !== "v2")
    .map(camelCase)

interface Sent extends FetchInit {
  readonly url: string
}

/** A client that records its requests and returns a response of an unexpected form. */
const recording = () => {
  const sent: Array<Sent> = []
  const client = new Sallyport({
    url: "https://id.example.com",
    key: "sk_1",
    retries: 0,
    fetch: async (url, init) => {
      sent.push({ url, ...init })
      return new Response("{}", { status: 500 })
    }
  })
  return { sent, client }
}

/** Awaits the result of an SDK function: a promise, a list, an import or an export. */
const settle = async (made: unknown): Promise<void> => {
  try {
    if (made instanceof ExportRun) await made.lines().next()
    else await made
  } catch {
    // The result doesn't matter here.
  }
}

const resolved = (schema: unknown): Part => Object(resolvedIn(openApi)(schema))

/** The members of an object, described inline or by a reference. */
const membersOf = (schema: unknown): Part => Object(resolved(schema)["properties"])

const valuesOf = (names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, `a ${name}`]))

/** Calls an SDK function with these arguments. */
const called = (client: Sallyport, id: string, given: ReadonlyArray<unknown>): unknown => {
  const place = placeOf(id)
  const resource = place.slice(0, -1).reduce<unknown>((at, name) => Object(at)[name], client)
  const call: unknown = Object(resource)[place.at(-1) ?? ""]
  return typeof call === "function" ? Reflect.apply(call, resource, given) : undefined
}

describe("the SDK function for an operation of the OpenAPI document", () => {
  test("is named after its operationId, and uses its method and path", async () => {
    const { sent, client } = recording()
    const reached: Array<readonly [string, string]> = []
    for (const [id, route] of described) {
      const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => `a ${name}/é`)
      sent.length = 0
      await settle(called(client, id, [...names, ...(id.endsWith(".import") ? [[]] : [])]))
      const [request, ...more] = sent
      expect(more, id).toEqual([])
      const path = new URL(request?.url ?? "https://none").pathname
      const withNames = path.replace(/a%20(\w+)%2F%C3%A9/g, "{$1}")
      reached.push([id, `${request?.method} ${withNames}`])
    }
    expect(reached).toEqual(described)
    expect(reached.length).toBe(operations.length)
  })

  test("sends each parameter in the query or in the right place of the body", async () => {
    const { sent, client } = recording()
    for (const { id, path, query, body, isStreamed } of operations) {
      const members = isStreamed ? {} : membersOf(body)
      const wrapper = texts(Object(body), "required").find((name) => "properties" in resolved(members[name]))
      const inner = Object.keys(membersOf(members[wrapper ?? ""]))
      const within = wrapper === undefined ? Object.keys(members) : inner
      const inQuery = query.map(({ name }) => name).filter((name) => !inner.includes(name))
      const names = [...new Set([...inQuery, ...within, ...("request" in members ? ["request"] : [])])]
      sent.length = 0
      const rows = isStreamed && body !== undefined ? [[]] : []
      await settle(called(client, id, [...path.map(() => "x"), ...rows, valuesOf(names)]))
      const [request] = sent
      // An operation whose only parameter is a realm takes it from its options.
      const asked = names.join() === "realm_id" && !/list|import|export/.test(id) ? [] : inQuery
      expect([id, [...new URL(request?.url ?? "https://none").searchParams.keys()]]).toEqual([id, asked])
      if (isStreamed || body === undefined) continue
      const held = valuesOf(within.filter((name) => !inQuery.includes(name)))
      const expected = wrapper === undefined ? held : { [wrapper]: held, request: "a request" }
      expect([id, JSON.parse(String(request?.body))]).toEqual([id, expected])
    }
  })

  test("exists only for operations of the document", () => {
    const { client } = recording()
    const functionsOf = (resources: object) =>
      Object.entries(resources).flatMap(([resource, members]) =>
        Object.keys(members).flatMap((name) =>
          typeof Object(members)[name] === "function" ? [`${resource}.${name}`] : []
        )
      )
    const { v1, ...v2 } = client
    const found = [...functionsOf(v2), ...functionsOf(v1).map((name) => `v1.${name}`)]
    expect(found.sort()).toEqual(described.map(([id]) => placeOf(id).join(".")).sort())
  })

  test("sends an API key unless the operation requires no key", async () => {
    const { sent, client } = recording()
    await settle(client.publicKeys.jwks("rl_1"))
    await settle(client.v1.hosted.login({ password: "x" }))
    await settle(client.users.get("usr_1"))
    expect(sent.map(({ headers }) => headers["authorization"])).toEqual([undefined, undefined, "Bearer sk_1"])
  })
})

/** The inputs of a client entry when bundled for browsers. */
const bundled = async (entry: string) => {
  const { files, compressed } = await browserBundle(entry)
  const packages = files.map((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? path.split("/")[1])
  return { packages: [...new Set(packages)].sort(), compressed }
}

describe("the bundle of the promise client", () => {
  test("contains only its own files, without code for Node, and jose for the decoder", async () => {
    expect((await bundled("Client.ts")).packages).toEqual(["client", "jose"])
  })

  test("needs less than 8 KB compressed for all operations of both versions", async () => {
    const { packages, compressed } = await bundled("Sallyport.ts")
    expect(packages).toEqual(["client"])
    expect(compressed).toBeLessThan(8 * 1024)
  })
})
