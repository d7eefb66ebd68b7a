/** What each operation on auth providers does. */
export const authProviderOperations = {
  "auth_providers.list": {
    summary: "List auth providers",
    description: "Every realm has `password` and `totp`. Client secrets are never shown."
  },
  "auth_providers.get": { summary: "Get an auth provider" },
  "auth_providers.create": {
    summary: "Create an auth provider",
    description:
      "`client_id` and `client_secret` are required; for `oauth2`, `authorization_url`, `token_url` and `profile_url` too. A realm can have one provider of each type, and any number of type `oauth2`. Event: `auth_provider.created`."
  },
  "auth_providers.update": {
    summary: "Update an auth provider",
    description:
      "Changes only the members sent; the type can't be changed. `min_length`, `preset` and `required_chars` belong to `password`. Event: `auth_provider.updated`."
  },
  "auth_providers.delete": {
    summary: "Delete an auth provider",
    description: "`password` and `totp` can't be deleted: set them to inactive instead. Event: `auth_provider.deleted`."
  }
} as const
