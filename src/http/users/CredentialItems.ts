import type { CredentialItem } from "#api/memberships/Members"
import type { Credential } from "#domain/Credential"

/** The credentials of a user, without their secrets. */
export const credentialItems = (credentials: ReadonlyArray<Credential>): ReadonlyArray<typeof CredentialItem.Type> =>
  credentials.map(({ id, credentialType }) => ({ id, object: "credential" as const, credential_type: credentialType }))
