import { Schema } from "effect"
import { MembershipBody } from "../nested/V2.ts"
import { Text } from "../Wire.ts"
import { memberships } from "./Endpoints.ts"
import { membershipFields } from "./Fields.ts"

/** Memberships of `/v2`: each is of a user in an org. */
export class MembershipsV2 extends memberships("v2", {
  body: MembershipBody,
  creation: Schema.Struct({ org_id: Text(), user_id: Text(), ...membershipFields }),
  change: Schema.Struct(membershipFields)
}) {}
