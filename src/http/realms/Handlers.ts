import { Effect } from "effect"
import type { RealmPayload } from "#api/realms/Fields"
import { KeyRing } from "#core/keys/KeyRing"
import { Realms } from "#core/realms/Realms"
import type { Caller } from "#domain/Caller"
import type { Version } from "#domain/Event"
import { withKnownProblems } from "#domain/KnownProblems"
import { CurrentRealm, defaultSettings, type JwtField, type Realm } from "#domain/Realm"
import { defaultResets, resettableResources } from "#domain/RealmReset"
import { type Problem, problem } from "#domain/Rejected"
import type { EndpointRequest } from "../EndpointRequest.ts"
import { wireErrors } from "../Errors.ts"
import { expands, linkedBody, requestedPage } from "../WireMapping.ts"
import { realmItem } from "./Bodies.ts"
import { settingsOf } from "./Requests.ts"

type Request<Operation extends string> = EndpointRequest<"v2.realms", Operation>

/**
 * The parts of the realm operations that differ between the versions. `jwtFields` returns the token content that a request
 * asks for.
 */
interface VersionedRealms<Body> {
  readonly version: Version
  readonly body: (realm: Realm) => Effect.Effect<Body, never, Caller | KeyRing>
  readonly jwtFields: (sent: RealmPayload) => ReadonlyArray<JwtField> | undefined
}

/** The operations on realms. `VersionedRealms` adds the parts that differ between the versions. */
export const makeHandlers = <Body>({ version, body, jwtFields }: VersionedRealms<Body>) =>
  Effect.gen(function* () {
    const realms = yield* Realms
    const keys = yield* KeyRing
    const bodyOf = (realm: Realm) => Effect.provideService(body(realm), KeyRing, keys)
    const { LimitsRaised, Rejected, RealmNotFound, TooManyRealms, ResetInProgress } = wireErrors
    return {
      list: ({ query }: Request<"list">) =>
        realms
          .list({ reference: query.reference, state: query.state }, requestedPage(query, "name"))
          .pipe(
            Effect.flatMap(linkedBody((realm) => realmItem(realm, expands(query, "custom")))),
            Effect.catchTags({ RealmNotFound })
          ),
      create: ({ payload }: Request<"create">) =>
        Effect.gen(function* () {
          const problems: Array<Problem> = []
          const { name = "", ...sent } = settingsOf(payload.realm, jwtFields(payload.realm), problems)
          if (name === "" && problems.every(({ field }) => field !== "name")) problems.push(problem("name", "blank"))
          const { defaultLocale } = sent
          const locales = defaultLocale === undefined ? {} : { availableLocales: [defaultLocale] }
          const settings = { ...defaultSettings(version), ...locales, ...sent, name }
          return yield* bodyOf(yield* withKnownProblems(problems, realms.create(settings)))
        }).pipe(Effect.catchTags({ Rejected, RealmNotFound, TooManyRealms })),
      get: () => Effect.flatMap(CurrentRealm, bodyOf),
      update: ({ payload }: Request<"update">) =>
        Effect.gen(function* () {
          const problems: Array<Problem> = []
          const changes = settingsOf(payload.realm, jwtFields(payload.realm), problems)
          return yield* bodyOf(yield* withKnownProblems(problems, realms.update(changes)))
        }).pipe(Effect.catchTags({ LimitsRaised, Rejected, RealmNotFound })),
      delete: () => realms.delete.pipe(Effect.catchTags({ RealmNotFound })),
      reset: ({ payload }: Request<"reset">) =>
        Effect.gen(function* () {
          const resources = resettableResources.filter((resource) => payload[resource] ?? defaultResets[resource])
          return yield* bodyOf(yield* realms.reset(resources))
        }).pipe(Effect.catchTags({ RealmNotFound, ResetInProgress }))
    }
  })
