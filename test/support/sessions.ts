/** What sessions and their tokens tell of how somebody logged in, where nobody has: a program with a key began them. */
export const BEGUN_BY_A_PROGRAM = { auth_time: null, amr: [], acr: null, last_seen_at: null }
