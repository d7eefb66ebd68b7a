import { Effect, Layer } from "effect"
import { HttpApiBuilder, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import { Api } from "#api/Api"
import type { RealmsV1 } from "#api/realms/Endpoints"
import { KeyRing } from "#core/keys/KeyRing"
import { Realms } from "#core/realms/Realms"
import type { Caller } from "#domain/Caller"
import { CurrentRealm, defaultSettings, type Realm } from "#domain/Realm"
import { clearedByDefault, resettable } from "#domain/RealmReset"
import { problem } from "#domain/Rejected"
import { invalid, words } from "../Errors.ts"
import { expands, pageAsked } from "../WireMapping.ts"
import { readV1, readV2, realmItem } from "./Bodies.ts"
import { settingsOf } from "./Requests.ts"

/** What a request of either version says. */
type Asked<Operation extends string> = Omit<
  HttpApiEndpoint.Request<HttpApiEndpoint.WithIdentifier<HttpApiGroup.Endpoints<typeof RealmsV1>, Operation>>,
  "endpoint"
>

/** The operations on realms; `read` is how the version shows one. */
const operations = <Body>(version: "v1" | "v2", read: (realm: Realm) => Effect.Effect<Body, never, Caller | KeyRing>) =>
  Effect.gen(function* () {
    const realms = yield* Realms
    const keys = yield* KeyRing
    const shown = (realm: Realm) => Effect.provideService(read(realm), KeyRing, keys)
    const { LimitsRaised, Rejected, RealmNotFound, TooManyRealms, ClearingAtWork } = words
    return {
      list: ({ query }: Asked<"list">) =>
        realms.list({ reference: query.reference, state: query.state }, pageAsked(query, "name")).pipe(
          Effect.map(({ items, more }) => ({
            collection: items.map((realm) => realmItem(realm, expands(query, "custom"))),
            more_results: more
          })),
          Effect.catchTags({ RealmNotFound })
        ),
      create: ({ payload }: Asked<"create">) =>
        Effect.gen(function* () {
          const { name, ...settings } = yield* settingsOf(payload.realm, version)
          if (name === undefined) return yield* invalid([problem("name", "blank")])
          const { defaultLocale } = settings
          const locales = defaultLocale === undefined ? {} : { availableLocales: [defaultLocale] }
          return yield* shown(yield* realms.create({ ...defaultSettings(version), ...locales, ...settings, name }))
        }).pipe(Effect.catchTags({ Rejected, RealmNotFound, TooManyRealms })),
      get: () => Effect.flatMap(CurrentRealm, shown),
      update: ({ payload }: Asked<"update">) =>
        Effect.gen(function* () {
          return yield* shown(yield* realms.update(yield* settingsOf(payload.realm, version)))
        }).pipe(Effect.catchTags({ LimitsRaised, Rejected, RealmNotFound })),
      delete: () => realms.delete.pipe(Effect.catchTags({ RealmNotFound })),
      reset: ({ payload }: Asked<"reset">) =>
        Effect.gen(function* () {
          const resources = resettable.filter((resource) => payload[resource] ?? clearedByDefault[resource])
          return yield* shown(yield* realms.reset(resources))
        }).pipe(Effect.catchTags({ RealmNotFound, ClearingAtWork }))
    }
  })

/** `/v1/realms`, `/v2/realms`. */
export const RealmsHandlers = Layer.mergeAll(
  HttpApiBuilder.group(Api, "v1.realms", (handlers) =>
    Effect.map(operations("v1", readV1), (all) => handlers.handleAll(all))
  ),
  HttpApiBuilder.group(Api, "v2.realms", (handlers) =>
    Effect.map(operations("v2", readV2), (all) => handlers.handleAll(all))
  )
)
