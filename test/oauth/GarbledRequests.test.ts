import { expect, test } from "vitest"
import { OAuthRequests } from "../../resilience/fuzz/OAuthRequests.ts"
import { SeededRandom } from "../harness/SeededRandom.ts"
import { oauthClient } from "../support/oauth.ts"
import { service } from "../support/sallyport.ts"

const COUNT = Number(process.env.GARBLED ?? 1_000)

test("SEC-183: garbled, repeated or oversized parameters never cause a server error or an open redirect", async () => {
  const { given, transport } = await service()
  const realm = await given.realm()
  await realm.connectedApp()
  const redirectUri = "https://app.example.test/callback"
  const client = await oauthClient(realm, { redirect_uris: [redirectUri], post_logout_redirect_uris: [redirectUri] })
  const { secret = "" } = client
  const world = { realm: realm.id, client: client.id, secret, redirectUri, tokens: ["oac_x", "ort_x", "e30.e30.e30"] }
  const requests = new OAuthRequests(new SeededRandom(20_260_101), world)
  const counts = new Map<number, number>()
  const wrong: Array<string> = []
  for (let n = 0; n < COUNT; n += 1) {
    const request = requests.next()
    const { status, headers, text } = await transport.send({
      ...request,
      headers: { host: "id.example.test", ...request.headers }
    })
    counts.set(status, (counts.get(status) ?? 0) + 1)
    const location = headers.get("location")
    const leads = location === null ? undefined : new URL(location, "https://id.example.test")
    const astray =
      leads !== undefined && !(leads.host.endsWith(".local.localhost") || location?.startsWith(redirectUri))
    if (status >= 500 || astray) {
      wrong.push(
        `${status} ${location} ${request.method} ${request.path.slice(0, 500)} ${request.body?.slice(0, 500)} -> ${text.slice(0, 300)}`
      )
    }
  }
  expect(wrong).toEqual([])
  // Some requests were valid enough to be processed.
  expect([...counts.keys()]).toEqual(expect.arrayContaining([303, 400, 401]))
}, 120_000)
