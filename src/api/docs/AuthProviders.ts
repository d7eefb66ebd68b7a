/** What each operation on auth providers does. */
export const authProviderOperations = {
  "auth_providers.list": {
    summary: "List auth providers",
    description: "Every realm has `password` and `totp`. Of no provider the client secret is shown."
  },
  "auth_providers.get": { summary: "Get an auth provider" },
  "auth_providers.create": {
    summary: "Create an auth provider",
    description:
      "`client_id` and `client_secret` are needed; for `oauth2` also `authorization_url`, `token_url` and `profile_url`. One of each type in a realm, except `oauth2`. Event: `auth_provider.created`."
  },
  "auth_providers.update": {
    summary: "Update an auth provider",
    description:
      "Only what is given changes; the type stays. `min_length`, `preset` and `required_chars` are those of `password`. Event: `auth_provider.updated`."
  },
  "auth_providers.delete": {
    summary: "Delete an auth provider",
    description: "`password` and `totp` stay: turn them inactive instead. Event: `auth_provider.deleted`."
  }
} as const
