import { user } from "./Samples.ts"

const inside =
  "The profile is the user's who has it, or who has its e-mail, where the provider has verified that; else a user is made. Events: `user.login.succeeded`, or `user.login.initiated` where a second factor is due; before it `user.created`, or `user.updated` where the user did not have the profile, and `session.deleted` each where nobody had proved the user's e-mail before."

/** What each operation of external authentication does. */
export const externalOperations = {
  "external_authentication.list_urls": {
    summary: "List authorization URLs",
    description: "One for each active provider of the realm, good for 30 minutes and one login."
  },
  "external_authentication.get_url": {
    summary: "Get an authorization URL",
    description: "Good for 30 minutes and one login. 422 where the provider is inactive."
  },
  "external_authentication.authenticate": {
    summary: "Authenticate with an authorization code",
    description: `With what the provider has sent to \`redirect_uri\`: \`code\` or \`error\`, \`state\`, and \`iss\` where there is one; \`nonce\` where the URL was asked for with one. 422 may hold \`provider_id\`, \`retry_url\` (the same state is good for another try) and \`user_email\`. ${inside}`
  },
  "external_authentication.authenticate_token": {
    summary: "Authenticate with an access token",
    description: `With what a provider's own SDK has got. It has to be given out to the provider's \`client_id\`, where the provider can tell. ${inside}`
  }
} as const

export const externalParameters = {
  redirect_uri: {
    description: "Where the provider sends people back to, with a code: an http or https URL of your app."
  },
  nonce: { description: "A random value kept in the person's session with your app, to be sent again with the code." }
} as const

const request = { ip: "203.0.113.7", client: "curl" }

const nonce = "kept-in-the-session-of-the-browser"

/** What callers send. */
export const externalRequests = {
  "external_authentication.authenticate": {
    code: "4/0AdQt8qh7rUQf",
    state: "7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA",
    nonce,
    request
  },
  "external_authentication.authenticate_token": { access_token: "ya29.a0AfB_byC3d", request }
}

const url = {
  id: "ap_01m7y8xym1x2n8r5w0k7d3f6bj",
  provider_type: "oauth2"
}

const address =
  "https://sso.example.com/authorize?response_type=code&client_id=acme&redirect_uri=https%3A%2F%2Fapp.example.com%2Fback&state=7Ck0fJvT2mXqRz4LbYp9NwHs6Ga8Du1EiKo3VtBxQyA&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

/** What is answered, besides logins. */
export const externalUrls: Readonly<Record<string, object>> = {
  v1: { ...url, url: address },
  v2: { ...url, auth_url: address, realm_id: user.realm_id }
}
