import { expands } from "../WireMapping.ts"

interface Expanding {
  readonly expand?: string | ReadonlyArray<string>
}

/** Whether a login in `/v1` returns the user's memberships: `expand=memberships` can be in the query or in the body. */
export const scopeOf = (query: Expanding, payload: Expanding) => ({
  memberships: expands(query, "memberships") || expands(payload, "memberships"),
  orgId: undefined
})
