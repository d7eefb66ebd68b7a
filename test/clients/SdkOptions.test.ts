import { describe, expect, test } from "vitest"
import type { FetchInit } from "#client/Fetch"
import type { SallyportOptions } from "#client/Options"
import { Sallyport } from "#client/Sallyport"

const made = (options: object) => () =>
  new Sallyport(Object.assign({ url: "https://id.example.com", key: "sk_1" }, options))

/** A TypeError whose message contains this text. */
const wrong = (reason: string) =>
  expect.objectContaining({ name: "TypeError", message: expect.stringContaining(reason) })

/** The URL and headers of the request that a call sends with these options. */
const requestOf = async (options: Partial<SallyportOptions>, call: (sallyport: Sallyport) => PromiseLike<unknown>) => {
  const sent: Array<{ readonly url: string } & FetchInit> = []
  const sallyport = new Sallyport({
    url: "https://id.example.com",
    key: "sk_1",
    ...options,
    fetch: async (url, init) => {
      sent.push({ url, ...init })
      return new Response("{}", { headers: { "content-type": "application/json" } })
    }
  })
  await call(sallyport)
  const [request] = sent
  if (request === undefined) throw new Error("Nothing was sent.")
  return request
}

describe("a URL", () => {
  test.each([
    ["", "is invalid"],
    ["id.example.com", "is invalid"],
    ["localhost:3000", "doesn't start with https:// or http://"],
    ["ftp://id.example.com", "doesn't start with https:// or http://"],
    ["https://user:word@id.example.com", "Pass an API key as `key` instead"],
    ["https://id.example.com/?a=b", "has a query or a fragment"],
    ["https://id.example.com/v2", "ends with a version"],
    ["https://id.example.com/v1/", "ends with a version"],
    [undefined, "The url is missing"]
  ])("%j is rejected: it %s", (url, reason) => {
    expect(made({ url })).toThrow(wrong(reason))
  })

  test.each([
    ["https://id.example.com", "https://id.example.com/v2/users/usr_1"],
    ["https://id.example.com/", "https://id.example.com/v2/users/usr_1"],
    ["https://example.com/identity//", "https://example.com/identity/v2/users/usr_1"],
    [new URL("http://localhost:3000"), "http://localhost:3000/v2/users/usr_1"]
  ])("%s is accepted", async (url, expected) => {
    expect((await requestOf({ url }, (sallyport) => sallyport.users.get("usr_1"))).url).toBe(expected)
  })
})

describe("a key", () => {
  test.each([
    ["", "The key is empty"],
    ["sk_1\n", "ends with a space or line break"],
    ["sk 1", "contains a space"],
    ["sk_é", "another invalid character"],
    [7, "The key is not a string"]
  ])("%j is rejected without being shown: %s", async (key, reason) => {
    const refusal = wrong(reason)
    if (typeof key === "string") expect(made({ key })).toThrow(refusal)
    const asked = made({ key: () => key, fetch: () => Promise.reject(new Error("Nothing is sent.")) })()
    await expect(asked.users.get("usr_1")).rejects.toThrow(refusal)
    await expect(asked.users.get("usr_1")).rejects.not.toThrow(/sk/)
  })

  test("may be a function, which is called for each request", async () => {
    let asked = 0
    const key = async () => `sk_${(asked += 1)}`
    const { headers } = await requestOf({ key }, async (sallyport) => {
      await sallyport.users.get("usr_1")
      await sallyport.users.get("usr_1")
    })
    expect([headers["authorization"], asked]).toEqual(["Bearer sk_1", 2])
  })

  test("is sent only in the Authorization header", async () => {
    const { url, body } = await requestOf({}, (sallyport) => sallyport.users.create({ email: "ada@example.com" }))
    expect(url + body).not.toContain("sk_1")
  })
})

describe("limits", () => {
  test.each([
    [{ timeout: 0 }, "`timeout` must be a whole number of at least 1."],
    [{ timeout: 1.5 }, "`timeout` must be a whole number of at least 1."],
    [{ retries: -1 }, "`retries` must be a whole number of at least 0."]
  ])("%j are rejected", async (options, reason) => {
    expect(made(options)).toThrow(new TypeError(reason))
    await expect(made({})().users.get("usr_1", {}, options)).rejects.toThrow(new TypeError(reason))
  })
})

describe("a request", () => {
  test.each([undefined, "", ".", "..", null])("with the ID %j is rejected before sending", async (id) => {
    const sallyport = made({ fetch: () => Promise.reject(new Error("Nothing is sent.")) })()
    await expect(Reflect.apply(sallyport.users.get, sallyport.users, [id])).rejects.toThrow(
      "GET /v2/users/{user_id}: `user_id` must be an ID or name"
    )
  })

  test("encodes its path and query", async () => {
    const { url } = await requestOf({}, (sallyport) => sallyport.users.get("a/b?c@example.com", { expand: ["custom"] }))
    expect(url).toBe("https://id.example.com/v2/users/a%2Fb%3Fc%40example.com?expand=custom")
    const list = await requestOf({}, (sallyport) => sallyport.users.list({ email: "a&b@example.com" }).catch(() => 0))
    expect(list.url).toBe("https://id.example.com/v2/users?email=a%26b%40example.com")
  })

  test("omits undefined values, but sends null in a body", async () => {
    const { body } = await requestOf({}, (sallyport) =>
      sallyport.users.update("usr_1", { first_name: undefined, last_name: null })
    )
    expect(body).toBe('{"user":{"last_name":null}}')
  })

  test("has the headers of the client and of the call, which override the client's", async () => {
    const { headers } = await requestOf({ headers: { "Accept-Language": "es", "x-team": "one" } }, (sallyport) =>
      sallyport.users.get("usr_1", {}, { headers: { "X-Team": "two" } })
    )
    expect(headers).toEqual({
      accept: "application/json",
      "accept-language": "es",
      prefer: "handling=strict",
      "x-team": "two",
      authorization: "Bearer sk_1"
    })
  })
})
