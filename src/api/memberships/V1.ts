import { Schema } from "effect"
import { MembershipBody } from "../nested/V1.ts"
import { Custom, maybe, Text } from "../Wire.ts"
import { memberships } from "./Endpoints.ts"
import { membershipFields } from "./Fields.ts"

const fields = { ...membershipFields, custom: maybe(Custom) }

/** What a caller may change of a membership: under `/v1` also its `custom` attributes (api-v1 section 2). */
export const MembershipChange = Schema.Struct(fields)

/** Memberships of `/v1`. Without `org_id` a membership belongs to the user alone (api-v1 section 2). */
export class MembershipsV1 extends memberships("v1", {
  body: MembershipBody,
  creation: Schema.Struct({ user_id: Text(), org_id: maybe(Text()), ...fields }),
  change: MembershipChange
}) {}
