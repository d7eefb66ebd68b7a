import { Effect } from "effect"
import { Api } from "#api/Api"
import type { StatisticsBody } from "#api/realms/Statistics"
import type { RealmBody } from "#api/realms/V2"
import { RealmStatistics } from "#core/events/RealmStatistics"
import type { JwtField, Realm } from "#domain/Realm"
import type { Statistics } from "#domain/Statistics"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { timeT, utcFromTimeT } from "../WireMapping.ts"
import { realmMembers } from "./Bodies.ts"
import { makeHandlers } from "./Handlers.ts"

const scopesOf = (fields: ReadonlyArray<JwtField>) => [
  ...(fields.includes("orgs") ? ["ar.orgs"] : []),
  ...(fields.includes("custom") ? ["ar.custom"] : [])
]

/** The token content, which `/v2` names by scopes (C18). */
const fieldsOf = (scopes: ReadonlyArray<string>): ReadonlyArray<JwtField> => [
  ...(scopes.includes("ar.custom") ? (["custom"] as const) : []),
  ...(scopes.includes("ar.orgs") ? (["memberships", "orgs"] as const) : [])
]

const realmBody = (realm: Realm) =>
  Effect.map(realmMembers(realm), (members): typeof RealmBody.Type => ({
    ...members,
    jwt_scopes: scopesOf(realm.jwtFields)
  }))

const statisticsBody = ({ failingHooks, from, to, intervals, ...others }: Statistics): typeof StatisticsBody.Type => ({
  object: "statistics",
  ...others,
  from: timeT(from),
  to: timeT(to),
  intervals: intervals.map(({ from, ...counts }) => ({ from: timeT(from), ...counts })),
  failing_hooks: failingHooks.map(({ hookId, hookType, lastDestination, lastResult, ...counts }) => ({
    hook_id: hookId,
    hook_type: hookType,
    ...counts,
    last_destination: lastDestination,
    last_result: lastResult
  }))
})

const handlers = makeHandlers({
  version: "v2",
  body: realmBody,
  jwtFields: ({ jwt_scopes: scopes }) => (scopes === undefined ? undefined : fieldsOf(scopes))
})

/** `/v2/realms` */
export const RealmsHandlersV2 = handlerGroup(
  Api,
  "v2.realms",
  Effect.fn(function* (group) {
    const realmStatistics = yield* RealmStatistics
    const { Rejected } = wireErrors
    return group.handleAll({
      ...(yield* handlers),
      statistics: ({ query }) =>
        realmStatistics
          .read({
            interval: query.interval ?? "day",
            from: query.from === undefined ? undefined : utcFromTimeT(query.from),
            to: query.to === undefined ? undefined : utcFromTimeT(query.to)
          })
          .pipe(Effect.map(statisticsBody), Effect.catchTags({ Rejected }))
    })
  })
)
