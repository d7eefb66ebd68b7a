/** The login details of sessions, and of their tokens, that were started with an API key and no login. */
export const STARTED_VIA_API = { auth_time: null, amr: [], acr: null, last_seen_at: null }
