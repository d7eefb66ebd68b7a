/** The path of a realm's page below `/console`: `pathIn(realmId, "users", userId)`. */
export const pathIn = (realmId: string, ...parts: ReadonlyArray<string>): string =>
  ["", "realms", realmId, ...parts].map(encodeURIComponent).join("/")

/** The path of an API key: its row on the list page of its realm, or of all realms. */
export const pathOfKey = ({ id, realm_id }: { readonly id: string; readonly realm_id: string | null }): string =>
  `${realm_id === null ? "/api-keys" : pathIn(realm_id, "api-keys")}?id=${encodeURIComponent(id)}`
