import { describe, expect, test } from "vitest"
import { Browser } from "../support/browser.ts"
import { quickUser } from "../support/passwordEntryPoints.ts"
import { wireService } from "../support/sallyport.ts"
import { onProfilePage } from "../support/visitor.ts"

const ACCEPT = { "accept-encoding": "gzip, br" }

const newRealm = async () => (await wireService()).given.realm()

describe("SEC-287: a page of hosted login", () => {
  test("is compressed for a visitor without a cookie, and for a logged-in user if it has no query", async () => {
    const realm = await newRealm()
    const { visitor } = await onProfilePage(realm)
    const encodingOf = async (browser: Browser, path: string) => {
      const reply = await browser.go(`${visitor.origin}${path}`, { headers: ACCEPT })
      return [path, reply.status, reply.headers.get("content-encoding")]
    }
    const stranger = new Browser(realm.transport)
    expect(await encodingOf(stranger, "/login?state=x")).toEqual(["/login?state=x", 200, "br"])
    expect(await encodingOf(visitor.browser, "/profile")).toEqual(["/profile", 200, "br"])
    expect(await encodingOf(visitor.browser, "/profile?state=x")).toEqual(["/profile?state=x", 200, null])
  })
})

describe("SEC-287: a response of the API", () => {
  test("is compressed only if it is a long list without secrets", async () => {
    const realm = await newRealm()
    const encodingOf = async (path: string, accept = ACCEPT) => {
      const { status, headers, text } = await realm.call("GET", path, { headers: accept })
      return [
        status,
        headers.get("content-encoding"),
        headers.get("vary")?.includes("accept-encoding"),
        text.length > 1_400
      ]
    }
    expect(await encodingOf("/v2/users")).toEqual([200, null, undefined, false])
    for (let count = 0; count < 8; count += 1) await quickUser(realm)
    expect(await encodingOf("/v2/users")).toEqual([200, "br", true, true])
    expect(await encodingOf("/v1/users?max_results=8", { "accept-encoding": "gzip" })).toEqual([
      200,
      "gzip",
      true,
      true
    ])
    expect(await encodingOf("/v2/users", { "accept-encoding": "identity" })).toEqual([200, null, true, true])
    expect(await encodingOf("/v2/events")).toEqual([200, null, undefined, true])
  })
})
