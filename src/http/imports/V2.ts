import { Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Api } from "#api/Api"
import { NDJSON } from "#api/imports/V2"
import { Imports } from "#core/imports/Imports"
import { Health } from "#core/nodes/Health"
import { Caller } from "#domain/Caller"
import { allows } from "#domain/Level"
import type { CurrentRealm } from "#domain/Realm"
import { unsupportedMediaType, wireErrors } from "../Errors.ts"
import { RepeatedAuthentication } from "../RepeatedAuthentication.ts"
import { handlerGroup } from "../RequestServices.ts"
import { ndjsonResponse, StreamedCalls } from "../StreamedCalls.ts"
import { importResponse } from "./ImportResponse.ts"

/** The media types accepted for rows. */
const mediaTypes = [NDJSON, "application/ndjson", "application/jsonl", "application/x-jsonlines"]

const isReadable = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? ""
  return mediaTypes.includes(type)
}

/** `/v2/imports` */
export const ImportsHandlersV2 = handlerGroup(
  Api,
  "v2.imports",
  Effect.fn(function* (handlers) {
    const imports = yield* Imports
    const calls = yield* StreamedCalls
    const { stopping } = yield* Health
    const { RateLimited } = wireErrors

    return handlers.handleRaw("import", ({ query, request }) =>
      Effect.gen(function* () {
        if (!isReadable(request)) return yield* unsupportedMediaType("unsupported_rows")
        yield* calls.enter
        const { dry_run: dryRun = false, events = false } = query
        const { by, level } = yield* Caller
        const run = yield* imports.begin({ dryRun, events, keepsIds: allows(level, "admin_all_realms") })
        const answer = importResponse(request.stream, {
          run,
          dryRun,
          by,
          stopping,
          reauthenticate: yield* RepeatedAuthentication
        })
        return ndjsonResponse(Stream.provideContext(answer, yield* Effect.context<CurrentRealm>()))
      }).pipe(Effect.catchTags({ RateLimited }))
    )
  })
)
