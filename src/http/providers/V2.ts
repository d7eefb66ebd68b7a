import { Effect } from "effect"
import { Api } from "#api/Api"
import { ProviderTests } from "#core/external/ProviderTests"
import { wireErrors } from "../Errors.ts"
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
        tests.test(params.auth_provider_id).pipe(
          Effect.map((checks) => ({
            object: "auth_provider_test" as const,
            state: checks.some(({ state }) => state === "failed") ? ("failed" as const) : ("completed" as const),
            checks
          })),
          Effect.catchTags({ AuthProviderNotFound, RateLimited })
        )
    })
  })
)
