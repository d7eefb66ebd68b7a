import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { anyCharacter } from "../support/arbitraries.ts"
import { type Operation, operations, operationsOnResource, pathOf } from "../support/operations.ts"
import { bodyOf, filterOf, resourceFor } from "../support/resources.ts"
import { service, wireService } from "../support/sallyport.ts"

/** URLs are fuzzed over HTTP, because the HTTP server parses them first. */
const realmOverHttp = async () => (await wireService()).given.realm()

/** Texts with a special meaning in databases, shells, templates, paths, headers or regular expressions. */
const texts: ReadonlyArray<string> = [
  "' or 1=1--",
  "'; drop table users;--",
  '"',
  "\\",
  "%",
  "_",
  "$1",
  "?",
  "{}",
  "*",
  "null",
  "undefined",
  "-1",
  "{{7*7}}",
  "${7*7}",
  "`id`",
  "$(id)",
  "../../etc/passwd",
  "a\r\nx-evil: 1",
  "<script>alert(1)</script>",
  "\u0000",
  "a\u0000b",
  "\u202e",
  "\ufeff",
  "\u{1f469}\u200d\u{1f680}",
  "ﷺ",
  "İ",
  "\u2028",
  "1e309",
  "NaN",
  "0x10",
  "9007199254740993",
  "99999999999999999999999999",
  "-0",
  "1.0000000000000000001",
  "__proto__",
  "constructor",
  `${"a".repeat(3_000)}!`,
  `${"a@".repeat(1_500)}`,
  `${" ".repeat(3_000)}x`,
  ...fc.sample(fc.string({ unit: anyCharacter, maxLength: 40 }), { seed: 20_260_101, numRuns: 6 })
]

/** The texts above and other JSON values. */
const values: ReadonlyArray<unknown> = [
  ...texts,
  "\ud800",
  "a\udc00",
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 53,
  true,
  false,
  null,
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: {} },
  ["\u0000"],
  ["\ud800"],
  { "": 1 },
  { "\u0000": 1 },
  { a: "\u0000" },
  { toString: "x" },
  { length: -1 },
  "a".repeat(50_000),
  Array.from({ length: 5_000 }, (_, n) => n),
  { a: ["\ud800"] }
]

/** Every seventh value of a list, starting at a different value for each member. */
const partOf = <A>(all: ReadonlyArray<A>, member: number) => all.filter((_, n) => (n + member) % 7 === 0)

/** Returns the inputs of the calls that return a 5xx or a nonstandard error. */
const serverErrors = async (calls: Iterable<readonly [what: unknown, ask: () => Promise<Reply>]>) => {
  const found: Array<unknown> = []
  for (const [what, ask] of calls) {
    const reply = await ask()
    // A path with `..` may reach hosted login, which has its own error format.
    const marker = reply.member("request_id") ?? reply.member("error")
    const isStandard = reply.status < 400 || (Array.isArray(reply.errors) && marker !== undefined)
    if (reply.status >= 500 || !isStandard) found.push([what, reply.status, reply.text])
  }
  return found
}

/** Encodes a text for a URL. Lone surrogates are replaced, because UTF-8 can't encode them. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const queryCalls = function* (realm: GivenRealm, operation: Operation, path: string, body: unknown) {
  const ask = (url: string) => [url, () => realm.call(operation.method, url, { body })] as const
  for (const [n, name] of [...operation.query, "x"].entries()) {
    for (const form of [name, `${name}[]`, `${name}[x]`]) {
      for (const text of form === name ? partOf(texts, n) : ["\u0000"]) {
        yield ask(`${path}${path.includes("?") ? "&" : "?"}${encodeURIComponent(form)}=${encoded(text)}`)
      }
    }
  }
  for (const raw of [
    "?",
    "?&&=&",
    "?=",
    "?%",
    "?after=%ff",
    "?after=%ED%A0%80",
    "?sort=%00",
    "?__proto__=1&__proto__=2"
  ]) {
    yield ask(path.split("?")[0] + raw)
  }
}

describe("no query parameter causes a server error (SEC-75, SEC-77, SEC-79)", () => {
  test.each(
    operations.filter(({ method, query }) => method === "GET" || query.length > 0)
  )("$name", async (operation) => {
    const realm = await realmOverHttp()
    const id = operation.params.length === 0 ? "" : await resourceFor(operation, realm)
    const body = await bodyOf(operation, realm, id === "" ? undefined : id)
    const filter = operation.params.length === 0 ? await filterOf(operation, realm) : ""
    const path = pathOf(operation, () => id) + (filter === "" ? "" : `?${filter.slice(0, -1)}`)
    expect(await serverErrors(queryCalls(realm, operation, path, body))).toEqual([])
  })
})

describe("no path parameter causes a server error (SEC-75, SEC-77, SEC-78: CVE-2026-33494)", () => {
  test.each(operationsOnResource.map((operation, n) => ({ ...operation, ids: partOf(texts, n) })))("$name", async ({
    ids,
    ...operation
  }) => {
    const realm = await realmOverHttp()
    const body = await bodyOf(operation, realm, await resourceFor(operation, realm))
    const steps = [...ids.map(encoded), "%ff", "%00", "%", "%zz", "%ED%A0%80", "%2e%2e", ";x=1", "a;b", "%2f", "//"]
    const calls = steps.map((step) => {
      const path = pathOf(operation, () => step)
      return [path, () => realm.call(operation.method, path, { body })] as const
    })
    expect(await serverErrors(calls)).toEqual([])
  })
})

const bodyCalls = function* (realm: GivenRealm, operation: Operation, path: string, body: unknown) {
  const { method, wrapper = "", members } = operation
  const sample = wrapper === "" ? Object(body) : (Object(body)[wrapper] ?? {})
  const wrapped = (attributes: object) => (wrapper === "" ? attributes : { ...Object(body), [wrapper]: attributes })
  const send = (content: unknown) => () =>
    realm.call(method, path, { body: content === undefined ? "" : JSON.stringify(content) })
  for (const value of partOf(values, members.length)) {
    yield [{ [wrapper]: value }, send({ [wrapper]: value })] as const
    yield [{ request: value }, send({ ...Object(body), request: value })] as const
    yield [{ request: { ip: value } }, send({ ...Object(body), request: { ip: value, client: value } })] as const
  }
  for (const [n, member] of members.entries()) {
    for (const value of partOf(values, n)) {
      yield [{ [member]: value }, send(wrapped({ ...sample, [member]: value }))] as const
    }
  }
  for (const deep of ["[".repeat(50_000), `{"${wrapper}":${"[".repeat(50_000)}${"]".repeat(50_000)}}`]) {
    yield ["deep", () => realm.call(method, path, { body: deep })] as const
  }
  const form = { "content-type": "application/x-www-form-urlencoded" }
  for (const text of [
    "%",
    "%ff=%ff",
    "=",
    "&&&",
    `${wrapper}[`,
    `${wrapper}[]]=1`,
    `${wrapper}[a]b=%00`,
    "a[]=1&a=2&a[b]=3"
  ]) {
    yield [text, () => realm.call(method, path, { body: text, headers: form })] as const
  }
}

describe("no member of a body causes a server error (SEC-75, SEC-76, SEC-77)", () => {
  test.each(operations.filter(({ method }) => method === "POST" || method === "PUT"))("$name", async (operation) => {
    const realm = await (await service()).given.realm()
    const id = operation.params.length === 0 ? "" : await resourceFor(operation, realm)
    const body = await bodyOf(operation, realm, id === "" ? undefined : id)
    expect(
      await serverErrors(
        bodyCalls(
          realm,
          operation,
          pathOf(operation, () => id),
          body
        )
      )
    ).toEqual([])
  })
})

test("the service is still healthy after all fuzzed requests", async () => {
  const { given } = await wireService()
  const ready = await given.root.get("/readyz")
  expect([ready.status, ready.member("database")]).toEqual([200, "ok"])
  expect((await (await realmOverHttp()).user()).status).toBe(201)
  expect(Reflect.ownKeys(Object.prototype)).not.toContain("a")
})
