import { documentGroup, page } from "../GroupDocs.ts"
import { user } from "../memberships/Samples.ts"
import { AuthProvidersV1 } from "./V1.ts"
import { AuthProvidersV2 } from "./V2.ts"

const passwords = {
  id: "ap_01m7y8xydkw4q1c3v6z9p2t5hn",
  object: "auth_provider",
  provider_type: "password",
  state: "active",
  realm_id: user.realm_id,
  created_at: 1795238590.899,
  min_length: 8,
  preset: "none",
  required_chars: []
} as const

const newAuthProvider = {
  provider_type: "oauth2",
  name: "Acme SSO",
  client_id: "sallyport",
  scopes: ["openid", "email"],
  authorization_url: "https://sso.example.com/authorize",
  token_url: "https://sso.example.com/token",
  profile_url: "https://sso.example.com/userinfo",
  id_field: "sub"
} as const

const authProvider = {
  ...newAuthProvider,
  callback_by_type: false,
  token_endpoint_auth_method: null,
  id: "ap_01m7y8xym1x2n8r5w0k7d3f6bj",
  object: "auth_provider",
  state: "active",
  realm_id: user.realm_id,
  created_at: 1795238591.25,
  email_field: "email",
  email_verified_field: null,
  first_name_field: null,
  last_name_field: null,
  name_field: null
} as const

const about = "The methods that users of a realm can log in with: passwords, codes and external providers."

const endpoints = {
  list: {
    summary: "List auth providers",
    description:
      "Every realm has `password`, `totp` and `email_code` providers. `email_code` is inactive at first. Client secrets are never shown.",
    response: page(passwords)
  },
  get: { summary: "Get an auth provider", response: authProvider },
  create: {
    summary: "Create an auth provider",
    description:
      "`client_id` and `client_secret` are required. For `oauth2`, `authorization_url`, `token_url` and `profile_url` are also required; for `oidc`, `issuer`; for `apple`, `team_id` and `key_id`. A realm can have one provider of each type, and any number of the types `oauth2` and `oidc`. Event: `auth_provider.created`.",
    request: { auth_provider: { ...newAuthProvider, client_secret: "kept-between-the-two-of-us" } },
    response: authProvider
  },
  update: {
    summary: "Update an auth provider",
    description:
      "Changes only the members you send. The type can't be changed. `min_length`, `preset` and `required_chars` are settings of `password`, and `second_factor` is a setting of `email_code`. Event: `auth_provider.updated`.",
    request: { auth_provider: { scopes: "openid email profile" } },
    response: authProvider
  },
  delete: {
    summary: "Delete an auth provider",
    description:
      "`password`, `totp` and `email_code` can't be deleted. Set them to inactive instead. Event: `auth_provider.deleted`."
  }
} as const

export const authProvidersV1 = documentGroup(AuthProvidersV1, about, endpoints)

export const authProvidersV2 = documentGroup(AuthProvidersV2, about, {
  ...endpoints,
  test: {
    summary: "Test an auth provider",
    description:
      "Tests the settings against the provider's endpoints, without logging in a user. It checks whether the endpoints respond and, with a made-up code, whether the client ID and the client secret are accepted. For `oidc`, it first reads the discovery document. For `oauth2` and `oidc`, both methods of sending the secret are tried, and the response contains `token_endpoint_auth_method` if the setting should be changed. `password`, `totp`, `passkey` and `email_code` make no external calls. Each realm can run 20 tests a minute. Records no event.",
    request: {},
    response: {
      object: "auth_provider_test",
      state: "failed",
      checks: [
        { name: "authorization_endpoint", state: "completed", detail: "The server responds with HTTP 302." },
        {
          name: "token_endpoint",
          state: "failed",
          detail: "The client ID or the client secret is not accepted: HTTP 401 invalid_client."
        },
        { name: "profile_endpoint", state: "completed", detail: "The server responds with HTTP 401." }
      ]
    }
  }
})
