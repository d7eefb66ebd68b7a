import { Schema } from "effect"
import { MaybeText } from "../Wire.ts"
import { realmBodyFields, realms } from "./Endpoints.ts"

/** A realm as `/v1` reads it. The hs256 `jwt_key` from level `admin_realm` only (decision 6). */
export const RealmBody = Schema.Struct({
  ...realmBodyFields,
  jwt_fields: Schema.Array(Schema.String),
  jwt_secret: MaybeText
}).annotate({ identifier: "RealmV1" })

/** Realms of `/v1`. */
export class RealmsV1 extends realms("v1", RealmBody) {}
