import { Schema } from "effect"
import { describe } from "../Description.ts"
import { MaybeText } from "../Wire.ts"
import { realmBodyFields, realms } from "./Endpoints.ts"
import { texts } from "./Texts.ts"

/** A complete realm in `/v1`. For callers below level `admin_realm`, the `jwt_key` of hs256 is null (C6). */
export const RealmBody = Schema.Struct({
  ...realmBodyFields,
  jwt_fields: describe(Schema.Array(Schema.String), texts.jwt_fields),
  jwt_secret: describe(MaybeText, "The same as `jwt_key`. Deprecated: use `jwt_key` instead.")
}).annotate({ identifier: "RealmV1" })

/** Realms of `/v1`. */
export class RealmsV1 extends realms("v1", RealmBody, {}) {}
