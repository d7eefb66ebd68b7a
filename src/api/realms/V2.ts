import { Schema } from "effect"
import { describe } from "../Description.ts"
import { expandQuery } from "../Wire.ts"
import { realmBodyFields, realms } from "./Endpoints.ts"
import { statistics } from "./Statistics.ts"
import { texts } from "./Texts.ts"

/** A complete realm in `/v2`. */
export const RealmBody = Schema.Struct({
  ...realmBodyFields,
  jwt_scopes: describe(Schema.Array(Schema.String), texts.jwt_scopes)
}).annotate({ identifier: "Realm" })

/** Realms of `/v2`. */
export class RealmsV2 extends realms("v2", RealmBody, expandQuery("custom")).add(statistics) {}
