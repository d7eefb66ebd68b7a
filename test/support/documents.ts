import { ask, VERIFIER } from "./authorize.ts"
import { documentOf, MCP, openRealm, type Published, publishing } from "./registration.ts"
import { visiting } from "./visitor.ts"

/** Where the client of a document gets its codes. */
export const CALLBACK = "https://agent.example.test/callback"

/** What it asks for. */
export const request = { redirect_uri: CALLBACK, scope: "openid notes:read offline_access", resource: MCP }

/** What it sends along with a code. */
export const verified = { redirect_uri: CALLBACK, code_verifier: VERIFIER }

let made = 0

/** Somebody at a browser, in a realm, with a client that publishes its document at a URL of its own. */
export const published = async (document: (url: string) => Published, settings: object = openRealm) => {
  const { given, documents } = await publishing()
  const realm = await given.realm({ ...settings })
  const url = `https://agent-${++made}.example.test/client.json`
  documents.set(url, document(url))
  return { ...(await visiting(realm)), realm, url, client: { id: url, secret: undefined, body: {} } }
}

/** A document with what each one needs. */
export const plainly = (url: string): Published => ({ body: documentOf(url) })

/** How often a URL was fetched. */
export const fetches = async (url: string) =>
  (await publishing()).fetched.filter((question) => question.url === url).length

/** What a browser is shown in place of a login: the status, and the sentence for developers. */
export const told = async (
  at: Awaited<ReturnType<typeof published>>,
  params: Readonly<Record<string, string>> = {}
) => {
  const reply = await ask(at, { ...request, ...params })
  return [
    reply.status,
    reply.headers.get("location"),
    /<p class="soft" lang="en">([^<]*)</.exec(reply.text)?.[1]?.replaceAll("&#39;", "'")
  ]
}
