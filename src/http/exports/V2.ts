import { Effect, Option, Stream } from "effect"
import { Api } from "#api/Api"
import { Exports } from "#core/imports/Exports"
import type { UserId } from "#domain/Ids"
import type { CurrentRealm } from "#domain/Realm"
import { wireErrors } from "../Errors.ts"
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
        const pages = Stream.paginate(Option.none<UserId>(), (after) =>
          Effect.map(run.page(Option.getOrUndefined(after)), ({ users, next }) => [
            users,
            next === undefined ? Option.none() : Option.some(Option.some(next))
          ])
        )
        const rows = Stream.map(pages, (user) => userRow(user, run.providerNames))
        return ndjsonResponse(Stream.provideContext(rows, yield* Effect.context<CurrentRealm>()))
      }).pipe(Effect.catchTags({ RateLimited, RealmNotFound }))
    )
  })
)
