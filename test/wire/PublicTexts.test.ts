import { describe, expect, test } from "vitest"
import { Api, type Reply } from "#testing/Api"
import { wireService } from "../support/sallyport.ts"

const nobody = async () => new Api((await wireService()).url, undefined)

const paths = ["/openapi.json", "/docs", "/docs/docs.js", "/docs/reference/v2.users", "/docs/guides/webhooks"]

const get = async (path: string, headers: Readonly<Record<string, string>>): Promise<Reply> =>
  (await nobody()).call("GET", path, { headers })

/** The status of a response and how it is encoded. */
const encodingOf = ({ status, headers }: Reply) => [
  status,
  headers.get("content-encoding"),
  headers.get("vary"),
  Number(headers.get("content-length"))
]

describe.each(paths)("SEC-99: %s", (path) => {
  test("is served compressed or uncompressed, depending on Accept-Encoding", async () => {
    const plain = await get(path, { "accept-encoding": "identity" })
    const size = Buffer.byteLength(plain.text)
    expect(encodingOf(plain)).toEqual([200, null, "accept-encoding", size])
    for (const [header, coding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
      ["br;q=0.2, gzip;q=0.8", "gzip"],
      ["*", "br"],
      ["br;q=0, *;q=0.5", "gzip"]
    ] as const) {
      const packed = await get(path, { "accept-encoding": header })
      const [status, encoding, vary, length] = encodingOf(packed)
      expect([header, status, encoding, vary]).toEqual([header, 200, coding, "accept-encoding"])
      expect(Number(length)).toBeLessThan(size)
      expect(packed.text === plain.text).toBe(true)
      expect(packed.headers.get("etag")).not.toBe(plain.headers.get("etag"))
    }
    for (const header of ["", "deflate", "br;q=0, gzip;q=0", "br;q=nonsense"]) {
      expect([header, ...encodingOf(await get(path, { "accept-encoding": header }))]).toEqual([
        header,
        ...encodingOf(plain)
      ])
    }
  })

  test("returns 304 to a client that already has the document in the same encoding", async () => {
    for (const encoding of ["identity", "gzip", "br"]) {
      const first = await get(path, { "accept-encoding": encoding })
      const tag = first.headers.get("etag") ?? ""
      expect(tag).toMatch(/^"[\w-]{22}(-gzip|-br)?"$/)
      expect(first.headers.get("cache-control")).toMatch(/^public, max-age=(300|31536000, immutable)$/)
      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
        const again = await get(path, { "accept-encoding": encoding, "if-none-match": known })
        expect([known, again.status, again.text.length]).toEqual([known, 304, 0])
        for (const name of ["etag", "cache-control", "vary"]) {
          expect(again.headers.get(name)).toBe(first.headers.get(name))
        }
      }
      const other = await get(path, { "accept-encoding": encoding, "if-none-match": `"other", ${tag.slice(1)}` })
      expect(other.status).toBe(200)
    }
  })
})

test("SEC-99: the API reference is small and allows only scripts of this service", async () => {
  const page = await get("/docs", { "accept-encoding": "br" })
  expect(Number(page.headers.get("content-length"))).toBeLessThan(40_000)
  const [, version] = /src="\/docs\/docs\.js\?v=([\w-]{22})"/.exec(page.text) ?? []
  const script = await get(`/docs/docs.js?v=${version}`, { "accept-encoding": "identity" })
  expect(script.headers.get("etag")).toBe(`"${version}"`)
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self';")
  expect(page.headers.get("content-security-policy")).not.toContain("unsafe")
})

test("SEC-99: no other response is compressed, because its length would reveal its content (BREACH)", async () => {
  const { given, url } = await wireService()
  const realm = await given.realm()
  const headers = { "accept-encoding": "br, gzip" }
  const replies = await Promise.all([
    realm.call("GET", "/v2/events", { headers }),
    realm.call("GET", `/realms/${realm.id}/verify?token=x`, { headers }),
    realm.call("GET", `/realms/${realm.id}/jwks`, { headers }),
    new Api(url, undefined).call("GET", "/metrics", { headers })
  ])
  for (const reply of replies) expect(reply.headers.get("content-encoding")).toBe(null)
})
