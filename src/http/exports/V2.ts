import { Clock, Effect, Exit, Option, Stream } from "effect"
import { Api } from "#api/Api"
import type { ExportEnd, ExportStart } from "#api/imports/ExportMarks"
import { Exports } from "#core/imports/Exports"
import { Caller } from "#domain/Caller"
import type { UserId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { CurrentRequestContext } from "#platform/RequestContext"
import { callerAnnotation } from "../CallerAnnotation.ts"
import { wireErrors } from "../Errors.ts"
import { RepeatedAuthentication } from "../RepeatedAuthentication.ts"
import { handlerGroup } from "../RequestServices.ts"
import { ndjsonResponse, StreamedCalls } from "../StreamedCalls.ts"
import { userRow } from "./Rows.ts"

/** `/v2/exports` */
export const ExportsHandlersV2 = handlerGroup(
  Api,
  "v2.exports",
  Effect.fn(function* (handlers) {
    const exports = yield* Exports
    const calls = yield* StreamedCalls
    const { RateLimited, RealmNotFound } = wireErrors

    return handlers.handleRaw("export", () =>
      Effect.gen(function* () {
        yield* calls.enter
        const run = yield* exports.begin
        const reauthenticate = yield* RepeatedAuthentication
        const began = yield* Clock.currentTimeMillis
        const [{ requestId }, { by }, realm] = [yield* CurrentRequestContext, yield* Caller, yield* CurrentRealm]
        let exported = 0
        const pages = Stream.paginate(Option.none<UserId>(), (after) =>
          Effect.map(Effect.andThen(reauthenticate, run.page(Option.getOrUndefined(after))), ({ users, next }) => [
            users,
            next === undefined ? Option.none() : Option.some(Option.some(next))
          ])
        )
        const logEnd = Effect.fnUntraced(function* (exit: Exit.Exit<unknown, unknown>) {
          yield* Effect.logInfo("An export has ended.").pipe(
            Effect.annotateLogs({
              request_id: requestId,
              ...callerAnnotation(by),
              realm: realm.id,
              complete: Exit.isSuccess(exit),
              users: exported,
              ms: (yield* Clock.currentTimeMillis) - began
            })
          )
        })
        const rows = Stream.map(pages, (user) => {
          exported += 1
          return userRow(user, run.providerNames)
        })
        const start: typeof ExportStart.Type = { object: "export", secrets: run.secrets }
        const end = Stream.sync((): typeof ExportEnd.Type => ({ object: "export_end", users: exported }))
        const lines = Stream.make(start).pipe(Stream.concat(rows), Stream.concat(end), Stream.onExit(logEnd))
        return ndjsonResponse(Stream.provideContext(lines, yield* Effect.context<CurrentRealm>()))
      }).pipe(Effect.catchTags({ RateLimited, RealmNotFound }))
    )
  })
)
