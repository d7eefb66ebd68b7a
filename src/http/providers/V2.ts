import { Effect } from "effect"
import { Api } from "#api/Api"
import { formatMessage } from "#api/Messages"
import { ProviderTests } from "#core/external/ProviderTests"
import { CurrentRequestContext } from "#platform/RequestContext"
import { wireErrors } from "../Errors.ts"
import { catalogueOf } from "../MessageCatalogue.ts"
import { handlerGroup } from "../RequestServices.ts"
import { handlers } from "./Handlers.ts"

/** `/v2/auth_providers` */
export const AuthProvidersHandlersV2 = handlerGroup(
  Api,
  "v2.auth_providers",
  Effect.fn(function* (group) {
    const all = yield* handlers
    const tests = yield* ProviderTests
    const { AuthProviderNotFound, RateLimited } = wireErrors

    return group.handleAll({
      ...all,
      test: ({ params }) =>
        Effect.all([tests.test(params.auth_provider_id), CurrentRequestContext]).pipe(
          Effect.map(([checks, context]) => ({
            object: "auth_provider_test" as const,
            state: checks.some(({ state }) => state === "failed") ? ("failed" as const) : ("completed" as const),
            checks: checks.map(({ name, state, finding }) => ({
              name,
              state,
              detail: formatMessage(catalogueOf(context), finding)
            }))
          })),
          Effect.catchTags({ AuthProviderNotFound, RateLimited })
        )
    })
  })
)
