import type { Preset } from "./Preset.ts"
import { memberAt } from "./ProviderClaims.ts"
import { basic } from "./TokenIntrospection.ts"

/** The primary email in GitHub's list of emails. */
const primary = (emails: unknown): unknown =>
  Array.isArray(emails) ? emails.find((email) => memberAt(email, "primary") === true) : undefined

/** GitHub, as an OAuth app. The public email in a profile counts as unverified. */
export const Github: Preset = {
  endpoints: {
    authorization: "https://github.com/login/oauth/authorize",
    token: "https://github.com/login/oauth/access_token",
    profile: "https://api.github.com/user",
    emails: "https://api.github.com/user/emails",
    inspection: "https://api.github.com/applications/{client_id}/token"
  },
  scopes: ["read:user", "user:email"],
  supportsPkce: true,
  clientSecret: "post",
  retryParameters: { prompt: "select_account" },
  claimsOf: (profile, emails) => {
    const email = primary(emails)
    return {
      id: memberAt(profile, "id"),
      email: memberAt(email, "email") ?? memberAt(profile, "email"),
      emailVerified: memberAt(email, "verified"),
      name: memberAt(profile, "name")
    }
  },
  inspection: {
    request: (client, endpoint, accessToken) => ({
      method: "POST",
      url: endpoint.replace("{client_id}", encodeURIComponent(client.provider.clientId)),
      headers: { accept: "application/json", "content-type": "application/json", authorization: basic(client) },
      body: JSON.stringify({ access_token: accessToken })
    }),
    isOurs: (answer, clientId) => memberAt(answer, "app.client_id") === clientId
  }
}
