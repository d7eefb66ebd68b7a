import { Schema } from "effect"
import { clientFilter, grantClient, grantFields, grants, grantsQuery } from "./Endpoints.ts"

/** A grant of `/v1`, where connected apps are login policies. */
export const GrantBody = Schema.Struct({ ...grantFields, login_policy_id: grantClient }).annotate({
  identifier: "GrantV1"
})

/** Grants of `/v1`: what users let OAuth clients do. */
export class GrantsV1 extends grants("v1", {
  body: GrantBody,
  query: { ...grantsQuery, login_policy_id: clientFilter }
}) {}
