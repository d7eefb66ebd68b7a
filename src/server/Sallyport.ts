import { Layer } from "effect"
import type { Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import { ApiKeys } from "#core/access/ApiKeys"
import { ApiKeysRepo } from "#core/access/ApiKeysRepo"
import { Entropy } from "#core/Entropy"
import { EventsRepo } from "#core/events/EventsRepo"
import { Journal } from "#core/events/Journal"
import { FreshIds } from "#core/FreshIds"
import { Health } from "#core/Health"
import { HealthRepo } from "#core/HealthRepo"
import { IdempotentRequests } from "#core/idempotency/IdempotentRequests"
import { IdempotentRequestsRepo } from "#core/idempotency/IdempotentRequestsRepo"
import { JwtKeysRepo } from "#core/keys/JwtKeysRepo"
import { KeyRing } from "#core/keys/KeyRing"
import { TokenVerifier } from "#core/keys/TokenVerifier"
import { Joining } from "#core/memberships/Joining"
import { Memberships } from "#core/memberships/Memberships"
import { MembershipsRepo } from "#core/memberships/MembershipsRepo"
import { NewOrgs } from "#core/orgs/NewOrgs"
import { Orgs } from "#core/orgs/Orgs"
import { OrgsRepo } from "#core/orgs/OrgsRepo"
import { Passwords } from "#core/Passwords"
import { AuthProvidersRepo } from "#core/realms/AuthProvidersRepo"
import { Realms } from "#core/realms/Realms"
import { RealmsRepo } from "#core/realms/RealmsRepo"
import { Secrets } from "#core/Secrets"
import { Issuer } from "#core/sessions/Issuer"
import { Sessions } from "#core/sessions/Sessions"
import { SessionsRepo } from "#core/sessions/SessionsRepo"
import { Signer } from "#core/Signer"
import { SlowSql, Transaction } from "#core/Transaction"
import { CredentialsRepo } from "#core/users/CredentialsRepo"
import { NewUsers } from "#core/users/NewUsers"
import { Users } from "#core/users/Users"
import { UsersRepo } from "#core/users/UsersRepo"
import { HeaderNames } from "#http/Access"
import { Routes } from "#http/Routes"
import { Connections } from "#sql/Database"

/** What a Sallyport is set up with. The outside world (database, clock, randomness) is open at the bottom. */
export interface Options {
  readonly publicUrl: string
  readonly issuer: string | undefined
  readonly headerPrefix: string
  readonly maxRealms: number
  /** The keys that encrypt secrets at rest, the first for new ones. */
  readonly secrets: ReadonlyArray<Redacted.Redacted>
}

/** The two clients of the database, under the names that the core asks for. */
const Clients = Layer.unwrap(
  Effect.map(Connections, ({ fast, slow }) =>
    Layer.mergeAll(Layer.succeed(SqlClient, fast), Layer.succeed(SlowSql, slow))
  )
)

const Repositories = Layer.mergeAll(
  ApiKeysRepo.layer,
  AuthProvidersRepo.layer,
  CredentialsRepo.layer,
  EventsRepo.layer,
  HealthRepo.layer,
  IdempotentRequestsRepo.layer,
  JwtKeysRepo.layer,
  MembershipsRepo.layer,
  OrgsRepo.layer,
  RealmsRepo.layer,
  SessionsRepo.layer,
  UsersRepo.layer
)

/** What operations are made of: repositories, and services that no surface talks to. */
const beneath = (options: Options) =>
  Layer.mergeAll(NewUsers.layer, NewOrgs.layer, Joining.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(KeyRing.layer, Journal.layer)),
    Layer.provideMerge(Repositories),
    Layer.provideMerge(Layer.mergeAll(Transaction.layer, Signer.layer, Secrets.layer(options.secrets))),
    Layer.provideMerge(Clients)
  )

/** Everything the service does, without HTTP: the operations alone, so that a request carries few services with it. */
export const core = (options: Options) =>
  Layer.mergeAll(
    ApiKeys.layer,
    Health.layer,
    IdempotentRequests.layer,
    Journal.layer,
    KeyRing.layer,
    Orgs.layer,
    Realms.layer(options),
    Sessions.layer,
    TokenVerifier.layer,
    Users.layer
  ).pipe(
    Layer.provideMerge(Memberships.layer),
    Layer.provide(beneath(options)),
    Layer.provideMerge(
      Layer.mergeAll(
        FreshIds.layer,
        Passwords.layer(),
        Issuer.layer({ publicUrl: options.publicUrl, configured: options.issuer })
      )
    ),
    Layer.provide(Entropy.layer)
  )

/** The doors to the core. */
export const routes = (options: Options) => Routes.pipe(Layer.provide(HeaderNames.layer(options.headerPrefix)))

/** The whole service as routes, and the core beneath them for whoever sets it up. */
export const sallyport = (options: Options) => routes(options).pipe(Layer.provideMerge(core(options)))
