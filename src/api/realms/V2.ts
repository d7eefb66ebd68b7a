import { Schema } from "effect"
import { realmBodyFields, realms } from "./Endpoints.ts"

/** A realm as single reads of `/v2` show it. */
export const RealmBody = Schema.Struct({ ...realmBodyFields, jwt_scopes: Schema.Array(Schema.String) }).annotate({
  identifier: "Realm"
})

/** Realms of `/v2`. */
export class RealmsV2 extends realms("v2", RealmBody) {}
