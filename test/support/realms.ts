/** The types of a new realm's auth providers, in their order. */
export const ownProviders: ReadonlyArray<string> = ["password", "totp", "passkey", "email_code"]

/** The types of a new realm's events. */
export const eventsOfCreation: ReadonlyArray<string> = [
  "realm.created",
  ...ownProviders.map(() => "auth_provider.created")
]
