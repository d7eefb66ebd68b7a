import { expands } from "../WireMapping.ts"

interface Expanding {
  readonly expand?: string | ReadonlyArray<string>
}

/** Returns whether a `/v1` login includes the user's memberships. `expand=memberships` can be in the query or in the body. */
export const scopeOf = (query: Expanding, payload: Expanding) => ({
  memberships: expands(query, "memberships") || expands(payload, "memberships"),
  orgId: undefined
})
