import { Effect } from "effect"
import { Api } from "#api/Api"
import type { RealmBody } from "#api/realms/V2"
import type { JwtField, Realm } from "#domain/Realm"
import { handlerGroup } from "../RequestServices.ts"
import { realmMembers } from "./Bodies.ts"
import { makeHandlers } from "./Handlers.ts"

const scopesOf = (fields: ReadonlyArray<JwtField>) => [
  ...(fields.includes("orgs") ? ["ar.orgs"] : []),
  ...(fields.includes("custom") ? ["ar.custom"] : [])
]

/** The content of tokens, which `/v2` names by scopes (C18). */
const fieldsOf = (scopes: ReadonlyArray<string>): ReadonlyArray<JwtField> => [
  ...(scopes.includes("ar.custom") ? (["custom"] as const) : []),
  ...(scopes.includes("ar.orgs") ? (["memberships", "orgs"] as const) : [])
]

const realmBody = (realm: Realm) =>
  Effect.map(realmMembers(realm), (members): typeof RealmBody.Type => ({
    ...members,
    jwt_scopes: scopesOf(realm.jwtFields)
  }))

const handlers = makeHandlers({
  version: "v2",
  body: realmBody,
  jwtFields: ({ jwt_scopes: scopes }) => (scopes === undefined ? undefined : fieldsOf(scopes))
})

/** `/v2/realms` */
export const RealmsHandlersV2 = handlerGroup(Api, "v2.realms", (group) =>
  Effect.map(handlers, (all) => group.handleAll(all))
)
