import { Effect } from "effect"
import { NamedRealm } from "#api/Access"
import { Api } from "#api/Api"
import type { ConsoleBody, OperatorBody } from "#api/operators/V2"
import { ConsoleSettings } from "#core/operators/ConsoleSettings"
import { type InvitedOperator, Operators } from "#core/operators/Operators"
import type { Operator } from "#domain/Operator"
import { apiKeyBody } from "../access/Handlers.ts"
import { wireErrors } from "../Errors.ts"
import { handlerGroup } from "../RequestServices.ts"
import { linkedBody, requestedPage, timeT, timeTOrNull } from "../WireMapping.ts"

const operatorBody = (operator: Operator): typeof OperatorBody.Type => ({
  id: operator.id,
  object: "operator",
  email: operator.email,
  name: operator.name,
  role: operator.role,
  realm_id: operator.lockedTo,
  state: operator.acceptedAt === null ? "invited" : "active",
  created_at: timeT(operator.createdAt),
  last_login_at: timeTOrNull(operator.lastLoginAt)
})

const invitedBody = ({ operator, url }: InvitedOperator): typeof OperatorBody.Type => ({
  ...operatorBody(operator),
  url
})

/** `/v2/operators` */
export const OperatorsHandlersV2 = handlerGroup(
  Api,
  "v2.operators",
  Effect.fn(function* (handlers) {
    const operators = yield* Operators
    const { ApiKeyNotFound, OperatorNotFound, Rejected } = wireErrors
    return handlers.handleAll({
      list: ({ query }) =>
        operators
          .list(requestedPage(query, "id"))
          .pipe(Effect.flatMap(linkedBody(operatorBody)), Effect.catchTags({ OperatorNotFound })),
      get: ({ params }) =>
        operators.get(params.operator_id).pipe(Effect.map(operatorBody), Effect.catchTags({ OperatorNotFound })),
      create: ({ payload: { operator: sent } }) =>
        Effect.flatMap(NamedRealm, (realm) =>
          operators.invite({
            email: sent.email,
            role: sent.role,
            realmId: realm?.id ?? null,
            locale: sent.locale ?? null,
            sendsEmail: sent.send_email ?? true
          })
        ).pipe(Effect.map(invitedBody), Effect.catchTags({ Rejected })),
      update: ({ params, payload }) =>
        operators
          .setRole(params.operator_id, payload.operator.role)
          .pipe(Effect.map(operatorBody), Effect.catchTags({ OperatorNotFound, Rejected })),
      invite: ({ params, payload }) =>
        operators
          .inviteAgain(params.operator_id, payload.send_email ?? true)
          .pipe(Effect.map(invitedBody), Effect.catchTags({ OperatorNotFound, Rejected })),
      list_created_keys: ({ params, query }) =>
        operators
          .listApiKeys(params.operator_id, requestedPage(query, "id"))
          .pipe(Effect.flatMap(linkedBody(apiKeyBody)), Effect.catchTags({ ApiKeyNotFound, OperatorNotFound })),
      delete: ({ params, query }) =>
        operators
          .remove(params.operator_id, query.delete_api_keys === true)
          .pipe(Effect.catchTags({ OperatorNotFound, Rejected }))
    })
  })
)

const consoleBody = (allowsKeys: boolean): typeof ConsoleBody.Type => ({ object: "console", api_keys: allowsKeys })

/** `/v2/console` */
export const ConsoleHandlersV2 = handlerGroup(
  Api,
  "v2.console",
  Effect.fn(function* (handlers) {
    const settings = yield* ConsoleSettings
    const { Rejected } = wireErrors
    return handlers.handleAll({
      get: () => Effect.map(settings.allowsKeys, consoleBody),
      update: ({ payload }) =>
        settings.setAllowsKeys(payload.console.api_keys).pipe(Effect.map(consoleBody), Effect.catchTags({ Rejected }))
    })
  })
)
