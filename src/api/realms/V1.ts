import { Schema } from "effect"
import { MaybeText } from "../Wire.ts"
import { realmBodyFields, realms } from "./Endpoints.ts"

/** A realm as single reads of `/v1` show it. The `jwt_key` of hs256 is null below level `admin_realm` (C6). */
export const RealmBody = Schema.Struct({
  ...realmBodyFields,
  jwt_fields: Schema.Array(Schema.String),
  jwt_secret: MaybeText
}).annotate({ identifier: "RealmV1" })

/** Realms of `/v1`. */
export class RealmsV1 extends realms("v1", RealmBody) {}
