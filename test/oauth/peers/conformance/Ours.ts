import { vi } from "vitest"
import { uniqueText } from "#testing/Given"
import { oauthClient } from "../../../support/oauth.ts"
import { quickUser } from "../../../support/passwordEntryPoints.ts"
import type { OwnService } from "../../../support/sallyport.ts"
import { Person } from "../Person.ts"
import {
  BACKCHANNEL_URI,
  metadataOf,
  POST_LOGOUT_REDIRECT_URI,
  REDIRECT_URI,
  type Side,
  type SideClient
} from "./Side.ts"

/** The public URL of the service in tests. */
const PUBLIC_URL = "https://id.example.test"

/** A realm as a provider for comparison. From here on, this process runs on the service's clock. */
export const startOurs = async ({ given, transport, advance, clock, receiver }: OwnService): Promise<Side> => {
  const syncClock = () => vi.setSystemTime(clock.currentTimeMillisUnsafe())
  syncClock()
  const realm = await given.realm()
  await realm.connectedApp({ name: "Acme" })
  const email = `${uniqueText("jo")}@example.test`
  await quickUser(realm, { email, first_name: "Jo", last_name: "Peer" })
  const client = async (method: string): Promise<SideClient> => {
    const { id, secret = "" } = await oauthClient(realm, {
      token_endpoint_auth_method: method,
      redirect_uris: [REDIRECT_URI],
      post_logout_redirect_uris: [POST_LOGOUT_REDIRECT_URI],
      backchannel_logout_uri: BACKCHANNEL_URI,
      grant_types: ["authorization_code", "refresh_token"],
      allowed_scopes: ["openid", "profile", "email", "offline_access"],
      require_pkce: false,
      consent: "ask"
    })
    return { id, secret, redirectUri: REDIRECT_URI, postLogoutRedirectUri: POST_LOGOUT_REDIRECT_URI }
  }
  const clients = {
    basic: await client("client_secret_basic"),
    post: await client("client_secret_post"),
    other: await client("client_secret_basic")
  }
  const issuer = `${PUBLIC_URL}/realms/${realm.id}`
  let seen = receiver.posts.length
  return {
    issuer,
    transport,
    metadata: await metadataOf(issuer, transport),
    clients,
    always: {},
    person: () => new Person(transport, { name: email, presses: ["Log out"] }),
    wait: async (seconds) => {
      await advance(`${seconds} seconds`)
      syncClock()
    },
    logoutTokens: async () => {
      await advance("1 second")
      syncClock()
      const posts = receiver.posts.slice(seen).filter(({ url }) => url === BACKCHANNEL_URI)
      seen = receiver.posts.length
      return posts.map(({ body }) => new URLSearchParams(String(body)).get("logout_token") ?? "")
    }
  }
}
