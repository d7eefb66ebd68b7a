import { expect, test } from "vitest"
import { commandVariables, variables } from "#server/Variables"
import { Api } from "#testing/Api"
import { guides } from "../guides/Page.ts"
import { wireService } from "../support/sallyport.ts"

const nobody = async () => new Api((await wireService()).url, undefined)

const linksIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/ href="([^"]+)"/g)].map(([, link = ""]) => link)

test("/docs/guides lists every guide and requires no key", async () => {
  const page = await (await nobody()).get("/docs/guides")
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
  expect(page.text).toContain("<title>Guides · Sallyport</title>")
  const listed = linksIn(page.text).flatMap((link) => /^\/docs\/guides\/([\w-]+)$/.exec(link)?.[1] ?? [])
  expect([...new Set(listed)].sort()).toEqual([...guides, "logs", "metrics", "settings"].sort())
})

test("/docs/guides/settings lists every setting, and /docs/guides/logs every log message", async () => {
  const service = await nobody()
  const settings = await service.get("/docs/guides/settings")
  const documentedNames = [...settings.text.matchAll(/<td><code>([A-Z_]+)<\/code><\/td>/g)].map(([, name]) => name)
  expect(documentedNames.sort()).toEqual([...variables, ...commandVariables].map(({ name }) => name).sort())
  expect(linksIn(settings.text).filter((link) => link.includes("PORT"))).toEqual([])
  expect((await service.get("/docs/guides/logs")).text).toContain("The database can be reached again.")
})

test.each([...guides, "logs", "settings"])("/docs/guides/%s is a page without broken links", async (guide) => {
  const service = await nobody()
  const page = await service.get(`/docs/guides/${guide}`)
  expect([page.status, page.headers.get("content-language")]).toEqual([200, "en"])
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; /)
  expect(page.text).not.toMatch(/<!-- run|<script>/)
  const ids = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const link of new Set(linksIn(page.text).filter((link) => !/^(https?|data):/.test(link)))) {
    const [path = "", fragment] = link.split("#", 2)
    if (path === "") expect(ids).toContain(fragment)
    // `/` is a page only for browsers.
    else if (path !== "/") expect([link, (await service.get(path)).status]).toEqual([link, 200])
  }
})

test("guides show the service's own URLs", async () => {
  const service = await nobody()
  const text = async (guide: string) =>
    (await service.get(`/docs/guides/${guide}`)).text.replaceAll(/<\/?span[^>]*>/g, "")
  expect(await text("first-steps")).toContain("export URL=https://id.example.test\n")
  expect(await text("verify-tokens")).toContain("https://id.example.test/realms/rl_")
  expect(await text("hosted-login")).toContain("export PAGES=https://notebook.local.localhost<")
  for (const guide of guides) expect([guide, (await text(guide)).includes("localhost:3000")]).toEqual([guide, false])
})

test("an unknown guide or a file outside the guides directory returns 404", async () => {
  const service = await nobody()
  for (const path of ["/docs/guides/nothing", "/docs/guides/README", "/docs/guides/..%2ftesting", "/docs/guides/a/b"]) {
    const { status, body } = await service.get(path)
    expect([path, status, Object(body).error_details]).toEqual([
      path,
      404,
      [{ code: "no_such_address", field: null, message: "There is nothing at this address." }]
    ])
  }
})

test("guides are compressed and can be cached by browsers", async () => {
  const service = await nobody()
  const first = await service.call("GET", "/docs/guides/webhooks", { headers: { "accept-encoding": "br" } })
  expect([first.headers.get("cache-control"), first.headers.get("vary")]).toEqual([
    "public, max-age=300",
    "accept-encoding"
  ])
  const etag = first.headers.get("etag") ?? ""
  const headers = { "accept-encoding": "br", "if-none-match": etag }
  expect((await service.call("GET", "/docs/guides/webhooks", { headers })).status).toBe(304)
})
