/** The address of a page of a realm, below `/console`: `pathIn(realmId, "users", userId)`. */
export const pathIn = (realmId: string, ...parts: ReadonlyArray<string>): string =>
  ["", "realms", realmId, ...parts].map(encodeURIComponent).join("/")
