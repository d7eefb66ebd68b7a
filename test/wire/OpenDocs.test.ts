import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { atHost } from "../support/apps.ts"
import { userAwaitingVerification, withMailbox } from "../support/mailbox.ts"
import { wireService } from "../support/sallyport.ts"

interface Documented {
  readonly parameters: ReadonlyArray<{ readonly name?: string }>
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<
          Record<string, { readonly examples: { readonly default: { readonly value: object } } }>
        >
      }
    >
  >
}

const documented = async (path: string, method = "get"): Promise<Documented> => {
  const { paths } = JSON.parse((await new Api((await wireService()).url, undefined).get("/openapi.json")).text)
  return paths[path][method]
}

/** The example of an operation's successful response. */
const exampleOf = ({ responses }: Documented): object =>
  responses["200"]?.content?.["application/json"]?.examples.default.value ?? {}

/** The names of all members of a value, or of the first item of a list. */
const outline = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(outline)
  if (typeof value !== "object" || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, outline(inner)]))
}

test.each([
  "jwks",
  ".well-known/openid-configuration"
])("GET /realms/{realm_id}/%s returns the documented example without a key", async (last) => {
  const { url, given } = await wireService()
  const realm = await given.realm({ jwt_algo: "rs256" })
  const app = await realm.connectedApp()
  const shown = outline(exampleOf(await documented(`/realms/{realm_id}/${last}`)))
  const reply = await new Api(url, undefined).get(`/realms/${realm.id}/${last}`)
  expect([reply.status, outline(reply.body)]).toEqual([200, shown])
  expect(reply.headers.get("cache-control")).toBe("public, max-age=60")
  const path = last === "jwks" ? "/connect/jwks" : `/${last}`
  const { status, body } = await atHost(app.string("domains", 0), path)
  expect([status, outline(body)]).toEqual([200, shown])
  expect(outline(exampleOf(await documented(path)))).toEqual(shown)
})

test("GET /v2/test/messages accepts the documented parameters and returns the documented examples", () =>
  withMailbox(async ({ given, here, advance }) => {
    const realm = await given.realm()
    const email = await userAwaitingVerification(realm)
    await advance("1 minute")
    const list = await documented("/v2/test/messages")
    const names = list.parameters.flatMap(({ name }) => (name === undefined ? [] : [name]))
    expect(names).toEqual(["to", "realm_id", "after", "max_results", "created_at_after", "newer_than", "wait"])
    const query = `to=${email}&realm_id=${realm.id}&max_results=1&created_at_after=0&newer_than=&wait=0`
    const reply = await here.get(`/v2/test/messages?${query}`)
    const [item] = reply.items
    const members = (value: unknown) => Object.keys(Object(value)).sort()
    expect(members(item)).toEqual(members(Object(exampleOf(list)).collection[0]))
    const read = await here.get(`/v2/test/messages/${String(item?.["id"])}`)
    expect(members(read.body)).toEqual(members(exampleOf(await documented("/v2/test/messages/{message_id}"))))
    expect((await here.delete(`/v2/test/messages?realm_id=${realm.id}`)).status).toBe(204)
    expect(Object.keys((await documented("/v2/test/messages", "delete")).responses)).toContain("204")
  }))
