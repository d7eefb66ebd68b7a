import type { Sallyport } from "#client/Sallyport"

/** The number of matches that a picker shows. */
const MAX_MATCHES = 8

/** Finds users by email, name, reference or ID. */
export const findUsers = (sdk: Sallyport, text: string) => sdk.users.list({ search: text, max_results: MAX_MATCHES })

/** Finds orgs by name, reference or ID. */
export const findOrgs = (sdk: Sallyport, text: string) => sdk.orgs.list({ search: text, max_results: MAX_MATCHES })
