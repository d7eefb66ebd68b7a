import type { Preset } from "./Preset.ts"
import { memberAt } from "./ProviderClaims.ts"
import { getRequest } from "./TokenIntrospection.ts"

const graph = "https://graph.facebook.com/v23.0"

/** Facebook Login. Its profiles don't show whether an email was verified. */
export const Facebook: Preset = {
  endpoints: {
    authorization: "https://www.facebook.com/v23.0/dialog/oauth",
    token: `${graph}/oauth/access_token`,
    profile: `${graph}/me?fields=id,email,first_name,last_name,name`,
    inspection: `${graph}/debug_token`
  },
  scopes: ["public_profile", "email"],
  supportsPkce: true,
  clientSecret: "post",
  // Asks for the email again if the person declined to share it.
  retryParameters: { auth_type: "rerequest" },
  claimsOf: (profile) => ({
    id: memberAt(profile, "id"),
    email: memberAt(profile, "email"),
    firstName: memberAt(profile, "first_name"),
    lastName: memberAt(profile, "last_name"),
    name: memberAt(profile, "name")
  }),
  inspection: {
    request: ({ provider, secret }, endpoint, accessToken) =>
      getRequest(endpoint, { input_token: accessToken, access_token: `${provider.clientId}|${secret}` }),
    isOurs: (answer, clientId) =>
      memberAt(answer, "data.is_valid") === true && String(memberAt(answer, "data.app_id")) === clientId
  }
}
