import { expect, test } from "vitest"
import { Api } from "#testing/Api"
import { wireService } from "../support/sallyport.ts"

const nobody = async () => new Api((await wireService()).url, undefined)

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, value = ""]) => value)

test("the API reference has a page for each group, and describes every endpoint on one of them", async () => {
  const service = await nobody()
  const { paths, tags } = JSON.parse((await service.get("/openapi.json")).text)
  const groups = [...new Set(found((await service.get("/docs")).text, /href="(\/docs\/reference\/[^"#]+)"/g))]
  expect(groups).toHaveLength(tags.length)
  const described: Array<string> = []
  for (const group of groups) {
    const page = await service.get(group)
    expect([group, page.status, page.headers.get("content-language")]).toEqual([group, 200, "en"])
    const ids = found(page.text, / id="([^"]+)"/g)
    expect([group, ids.length]).toEqual([group, new Set(ids).size])
    const missing = found(page.text, / href="#([^"]+)"/g).filter((id) => !ids.includes(id))
    expect([group, missing]).toEqual([group, []])
    expect([group, /undefined|\[object|NaN/.exec(page.text)?.[0]]).toEqual([group, undefined])
    described.push(...found(page.text, /<h2 id="([^"]+)"/g))
  }
  const operations = Object.values(paths).flatMap((path) => Object.values(Object(path)))
  expect(operations.map((operation) => Object(operation).operationId).filter((id) => !described.includes(id))).toEqual(
    []
  )
})

test("an unknown group of the API reference returns 404", async () => {
  const service = await nobody()
  for (const path of ["/docs/reference/v2.nothing", "/docs/reference/..%2fusers", "/docs/reference"]) {
    expect([path, (await service.get(path)).status]).toEqual([path, 404])
  }
})

test("the search finds endpoints and sections of guides, and escapes the query", async () => {
  const service = await nobody()
  const results = async (query: string) =>
    found((await service.get(`/docs/search?${new URLSearchParams({ q: query })}`)).text, /<li><a href="([^"]+)"><b>/g)
  expect((await results("create user"))[0]).toBe("/docs/reference/v2.users#v2.users.create")
  expect(await results("rotate the secret")).toContain("/docs/guides/webhooks#rotate-the-secret")
  expect(await results("/v1/users")).toContain("/docs/reference/v1.users#v1.users.list")
  for (const query of ["", " ", "nosuchword", "a ".repeat(5_000)]) {
    const page = await service.get(`/docs/search?${new URLSearchParams({ q: query })}`)
    expect([query.length, page.status]).toEqual([query.length, query.length > 1_000 ? page.status : 200])
  }
  const hostile = await service.get(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(hostile.text).not.toContain("<script>alert")
})
