import { requestAuthorization, VERIFIER } from "./authorize.ts"
import { documentOf, MCP, openRealm, type Published, publishing } from "./registration.ts"
import { visitorAtApp } from "./visitor.ts"

/** The redirect URI of a document's client. */
export const CALLBACK = "https://agent.example.test/callback"

/** The client's authorization request. */
export const request = { redirect_uri: CALLBACK, scope: "openid notes:read offline_access", resource: MCP }

/** The parameters that the client sends with a code. */
export const verified = { redirect_uri: CALLBACK, code_verifier: VERIFIER }

let made = 0

/** A browser user in a realm, and a client that publishes its metadata document at a new URL. */
export const published = async (document: (url: string) => Published, settings: object = openRealm) => {
  const { given, documents } = await publishing()
  const realm = await given.realm({ ...settings })
  const url = `https://agent-${++made}.example.test/client.json`
  documents.set(url, document(url))
  return { ...(await visitorAtApp(realm)), realm, url, client: { id: url, secret: undefined, body: {} } }
}

/** A minimal valid document. */
export const minimalDocument = (url: string): Published => ({ body: documentOf(url) })

/** The number of times a URL was fetched. */
export const fetchCount = async (url: string) =>
  (await publishing()).fetched.filter((question) => question.url === url).length

/** The response that a browser gets instead of a login: the status, and the message for developers. */
export const statusAndMessage = async (
  at: Awaited<ReturnType<typeof published>>,
  params: Readonly<Record<string, string>> = {}
) => {
  const reply = await requestAuthorization(at, { ...request, ...params })
  return [
    reply.status,
    reply.headers.get("location"),
    /<p class="soft" lang="en">([^<]*)</.exec(reply.text)?.[1]?.replaceAll("&#39;", "'")
  ]
}
