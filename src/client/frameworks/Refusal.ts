/** The reason why a request is rejected, for programs. */
export type RefusalCode =
  | "session_missing"
  | "session_invalid"
  | "cross_site"
  | "orgs_missing"
  | "org_required"
  | "org_refused"
  | "permission_missing"
  | "keys_unavailable"

/** A response that rejects a request. Its body has a code (`error`) and a message (`message`). */
export interface Refusal {
  readonly status: 401 | 403 | 503
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: RefusalCode; readonly message: string }
}

const answer = (
  status: Refusal["status"],
  error: RefusalCode,
  message: string,
  more: Readonly<Record<string, string>> = {}
): Refusal => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8", "cache-control": "no-store", ...more },
  body: { error, message }
})

/** The responses to rejected requests, with the challenges of RFC 6750 §3. */
export const refusals = {
  session_missing: answer(401, "session_missing", "You need to log in: the request has no login token.", {
    "www-authenticate": "Bearer"
  }),
  session_invalid: answer(401, "session_invalid", "The login token is invalid or has expired. Log in again.", {
    "www-authenticate": 'Bearer error="invalid_token", error_description="The token is invalid or has expired."'
  }),
  cross_site: answer(403, "cross_site", "This request came from another site."),
  orgs_missing: answer(
    403,
    "orgs_missing",
    "This token lists no orgs. Set the realm's jwt_scopes to ar.orgs and get a new token."
  ),
  org_required: answer(403, "org_required", "You belong to several orgs. Choose one for this request."),
  org_refused: answer(403, "org_refused", "You're not a member of this org, or you logged in for another one."),
  keys_unavailable: answer(503, "keys_unavailable", "We can't check logins right now. Try again in a moment.", {
    "retry-after": "5"
  })
} satisfies Partial<Record<RefusalCode, Refusal>>

/** The response to a user who lacks a permission. */
export const permissionMissing = (permission: string): Refusal =>
  answer(403, "permission_missing", `You need the permission ${permission}.`, {
    "www-authenticate": `Bearer error="insufficient_scope", scope="${permission.replaceAll(/[^\w:.;*-]/g, "")}"`
  })

/** The response for runtimes with `fetch`. */
export const refusalResponse = ({ status, headers, body }: Refusal): Response =>
  new Response(JSON.stringify(body), { status, headers: { ...headers } })
