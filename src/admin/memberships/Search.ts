import type { Sallyport } from "#client/Sallyport"

/** How many matches a picker offers. */
const OFFERED = 8

/** Users by what is typed of their e-mail, name, reference or ID. */
export const findUsers = (sdk: Sallyport, text: string) => sdk.users.list({ search: text, max_results: OFFERED })

/** Orgs by what is typed of their name, reference or ID. */
export const findOrgs = (sdk: Sallyport, text: string) => sdk.orgs.list({ search: text, max_results: OFFERED })
