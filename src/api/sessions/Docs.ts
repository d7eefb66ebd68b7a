import { documentGroup, page } from "../GroupDocs.ts"
import { request, user, userV1 } from "../memberships/Samples.ts"
import { SessionsV1 } from "./V1.ts"
import { SessionsV2 } from "./V2.ts"

const session = {
  id: "kss_01m7y8xym4fzt8kz1tw7y2m8j8",
  object: "session",
  client_app_id: null,
  created_at: 1795238591.3,
  expires_at: 1795260191.3,
  auth_time: 1795238591,
  amr: ["pwd", "otp", "mfa"],
  acr: "aal2",
  last_seen_at: 1795239000.5,
  user_id: user.id,
  request
} as const

const sessionV1 = {
  id: session.id,
  object: "session",
  user_id: user.id,
  created_at: session.created_at,
  expires_at: session.expires_at,
  auth_time: session.auth_time,
  amr: session.amr,
  acr: session.acr,
  last_seen_at: session.last_seen_at,
  request: session.request
} as const

const readSessionV1 = { ...sessionV1, user: { ...userV1, custom: {} } } as const

/** A complete sample session in `/v2`. */
export const readSession = { ...session, token: "eyJhbGciOiJIUzI1NiIs…", user: { ...user, custom: {} } } as const

/** Members that are empty in a session created without a login. */
const withoutLogin = { auth_time: null, amr: [], acr: null, last_seen_at: null } as const

const about = "The logged-in sessions of users, each with a signed token."

export const sessionsV1 = documentGroup(SessionsV1, about, {
  list: {
    summary: "List sessions",
    description: "Lists the active sessions of a user or of the entire realm.",
    response: page(sessionV1)
  },
  get: {
    summary: "Get a session",
    description:
      "`expand` accepts `memberships`, and `token` for a fresh token, **even with a key of level `read`: anyone with the token can act as the user.** If the realm's `session_tokens` is `write`, only keys of level `write` and above get the token; for other keys, `token` is null. If the user has chosen an org on the hosted login pages, a fresh token contains only that org, as long as the user belongs to it. A session can be found by its token as long as the token is valid.",
    response: readSessionV1
  },
  create: {
    summary: "Create a session",
    description:
      "Does not authenticate the user. Use it for human users who are new or were authenticated in another way. Records no event.",
    request: { session: { user_id: user.id }, request },
    response: { ...readSessionV1, ...withoutLogin, token: readSession.token }
  },
  delete: {
    summary: "Delete a session",
    description:
      "Returns 204 even if the session no longer exists or the token does not belong to the realm. Its event is not shown in `/v1`."
  }
})

export const sessionsV2 = documentGroup(SessionsV2, about, {
  list: {
    summary: "List sessions",
    description: "Lists the active sessions of a user or of the entire realm.",
    response: page(session)
  },
  get: {
    summary: "Get a session",
    description:
      "**Includes a fresh token, even for a key of level `read`: anyone with the token can act as the user.** If the realm's `session_tokens` is `write`, only keys of level `write` and above get the token; for other keys, `token` is null. With `org_id`, the token and the expansion contain only that org. Without `org_id`, if the user has chosen an org on the hosted login pages, the token contains only that org, as long as the user belongs to it.",
    response: readSession
  },
  create: {
    summary: "Create a session",
    description:
      "Does not authenticate the user. Use it for human users who are new or were authenticated in another way. Records no event.",
    request: { session: { user_id: user.id }, request },
    response: { ...readSession, ...withoutLogin }
  },
  delete: {
    summary: "Delete a session",
    description: "Returns 204 even if the session no longer exists. Event, if it existed: `session.deleted`."
  }
})
