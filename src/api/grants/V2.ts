import { Schema } from "effect"
import { clientFilter, grantClient, grantFields, grants, grantsQuery } from "./Endpoints.ts"

/** A grant of `/v2`. */
export const GrantBody = Schema.Struct({ ...grantFields, client_app_id: grantClient }).annotate({ identifier: "Grant" })

/** Grants of `/v2`: what users let OAuth clients do. */
export class GrantsV2 extends grants("v2", {
  body: GrantBody,
  query: { ...grantsQuery, client_app_id: clientFilter }
}) {}
