import { documentGroup, page } from "../GroupDocs.ts"
import { loginV1 } from "../login/Docs.ts"
import { request, user } from "../memberships/Samples.ts"
import { readSession } from "../sessions/Docs.ts"
import { ExternalAuthenticationV1 } from "./V1.ts"
import { ExternalAuthenticationV2 } from "./V2.ts"

const inside =
  "Logs in the user with this profile or, if the provider has verified the profile's email, the user with that email. If there is none, a user is created. Events: `user.login.succeeded`, or `user.login.initiated` if a second factor is required; before that `user.created`, or `user.updated` if the user did not have the profile yet, and `session.deleted` for each session if the user's email had never been verified."

const nonce = "kept-in-the-session-of-the-browser"

const about = "Logins through external providers."

const endpoints = <const Url, const Login>(url: Url, login: Login) =>
  ({
    list_urls: {
      summary: "List authorization URLs",
      description: "Returns one URL for each active provider of the realm. Each is valid for 30 minutes and one login.",
      response: page(url)
    },
    get_url: {
      summary: "Get an authorization URL",
      description: "The URL is valid for 30 minutes and one login. Returns 422 if the provider is inactive.",
      response: url
    },
    authenticate: {
      summary: "Authenticate with an authorization code",
      description: `Accepts the parameters that the provider sent to \`redirect_uri\`: \`code\` or \`error\`, \`state\`, and \`iss\` and \`user\` if present. Apple sends them in a posted form. If the URL was requested with a \`nonce\`, it is required, too. A 422 can contain \`provider_id\`, \`retry_url\` (if the same state can be used for another attempt) and \`user_email\`. ${inside}`,
      request: {
        code: "4/0AdQt8qh7rUQf",
        state: "7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA",
        nonce,
        request
      },
      response: login
    },
    authenticate_token: {
      summary: "Authenticate with an access token",
      description: `Accepts an access token from the provider's own SDK. The token must have been issued to the provider's \`client_id\`, if the external service can confirm it. ${inside}`,
      request: { access_token: "ya29.a0AfB_byC3d", request },
      response: login
    }
  }) as const

const url = { id: "ap_01m7y8xym1x2n8r5w0k7d3f6bj", provider_type: "oauth2" }

const address =
  "https://sso.example.com/authorize?response_type=code&client_id=acme&redirect_uri=https%3A%2F%2Fapp.example.com%2Fback&state=7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

export const externalAuthenticationV1 = documentGroup(
  ExternalAuthenticationV1,
  about,
  endpoints({ ...url, url: address }, loginV1)
)

export const externalAuthenticationV2 = documentGroup(
  ExternalAuthenticationV2,
  about,
  endpoints({ ...url, auth_url: address, realm_id: user.realm_id }, readSession)
)
