import { Effect } from "effect"
import { Api } from "#api/Api"
import type { RealmBody } from "#api/realms/V1"
import type { Realm } from "#domain/Realm"
import { handlerGroup } from "../RequestServices.ts"
import { realmMembers } from "./Bodies.ts"
import { makeHandlers } from "./Handlers.ts"

const realmBody = (realm: Realm) =>
  Effect.map(realmMembers(realm), (members): typeof RealmBody.Type => ({
    ...members,
    jwt_fields: realm.jwtFields,
    jwt_secret: members.jwt_key
  }))

const handlers = makeHandlers({ version: "v1", body: realmBody, jwtFields: (sent) => sent.jwt_fields })

/** `/v1/realms` */
export const RealmsHandlersV1 = handlerGroup(Api, "v1.realms", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)
