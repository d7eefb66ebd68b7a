/** The types of the auth providers that each new realm has, in their order. */
export const ownProviders: ReadonlyArray<string> = ["password", "totp", "passkey", "email_code"]

/** The types of the events that tell of a new realm. */
export const eventsOfCreation: ReadonlyArray<string> = [
  "realm.created",
  ...ownProviders.map(() => "auth_provider.created")
]
