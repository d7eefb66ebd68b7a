import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import {
  DatabaseCheck,
  HealthSql,
  LeaveStandby,
  ReplicaSql,
  SlowSql,
  TransactionConcurrency
} from "#platform/Transaction"
import { Connections } from "#sql/Database"
import { AccountsRepo } from "#store/AccountsRepo"
import { ApiKeyPeppersRepo } from "#store/ApiKeyPeppersRepo"
import { ApiKeysRepo } from "#store/ApiKeysRepo"
import { AppHooksRepo } from "#store/AppHooksRepo"
import { AppLogosRepo } from "#store/AppLogosRepo"
import { AppsWithAccessRepo } from "#store/AppsWithAccessRepo"
import { AuthProvidersRepo } from "#store/AuthProvidersRepo"
import { BrowserSessionsRepo } from "#store/BrowserSessionsRepo"
import { ClientAppsRepo } from "#store/ClientAppsRepo"
import { ConnectedAppsRepo } from "#store/ConnectedAppsRepo"
import { ConsoleSessionsRepo } from "#store/ConsoleSessionsRepo"
import { CredentialsRepo } from "#store/CredentialsRepo"
import { DeliveriesRepo } from "#store/DeliveriesRepo"
import { DeliveryBacklogRepo } from "#store/DeliveryBacklogRepo"
import { EncryptedColumnsRepo } from "#store/EncryptedColumnsRepo"
import { EventsRepo } from "#store/EventsRepo"
import { ExpiredRowsRepo } from "#store/ExpiredRowsRepo"
import { ExportsRepo } from "#store/ExportsRepo"
import { HealthRepo } from "#store/HealthRepo"
import { IdempotentRequestsRepo } from "#store/IdempotentRequestsRepo"
import { IdentitiesRepo } from "#store/IdentitiesRepo"
import { ImportedRows } from "#store/ImportedRows"
import { ImportsRepo } from "#store/ImportsRepo"
import { InvitationsRepo } from "#store/InvitationsRepo"
import { JwtKeysRepo } from "#store/JwtKeysRepo"
import { KnownBrowsersRepo } from "#store/KnownBrowsersRepo"
import { LoginAttemptsRepo } from "#store/LoginAttemptsRepo"
import { MailboxProofsRepo } from "#store/MailboxProofsRepo"
import { MembershipsRepo } from "#store/MembershipsRepo"
import { NodesRepo } from "#store/NodesRepo"
import { OAuthClientsRepo } from "#store/OAuthClientsRepo"
import { OAuthCodesRepo } from "#store/OAuthCodesRepo"
import { OAuthConsentsRepo } from "#store/OAuthConsentsRepo"
import { OAuthDevicesRepo } from "#store/OAuthDevicesRepo"
import { OAuthGrantEndsRepo } from "#store/OAuthGrantEndsRepo"
import { OAuthGrantListRepo } from "#store/OAuthGrantListRepo"
import { OAuthGrantsRepo } from "#store/OAuthGrantsRepo"
import { OAuthLogoutRequestsRepo } from "#store/OAuthLogoutRequestsRepo"
import { OAuthLogoutsRepo } from "#store/OAuthLogoutsRepo"
import { OAuthProofsRepo } from "#store/OAuthProofsRepo"
import { OAuthRefreshTokensRepo } from "#store/OAuthRefreshTokensRepo"
import { OAuthRegistrationsRepo } from "#store/OAuthRegistrationsRepo"
import { OAuthRequestsRepo } from "#store/OAuthRequestsRepo"
import { OAuthRevokedTokensRepo } from "#store/OAuthRevokedTokensRepo"
import { OAuthStatesRepo } from "#store/OAuthStatesRepo"
import { OneTimeTokensRepo } from "#store/OneTimeTokensRepo"
import { OrgDeletionsRepo } from "#store/OrgDeletionsRepo"
import { OrgsRepo } from "#store/OrgsRepo"
import { PasskeyChallengesRepo } from "#store/PasskeyChallengesRepo"
import { PasskeysRepo } from "#store/PasskeysRepo"
import { RateLimitsRepo } from "#store/RateLimitsRepo"
import { RealmChangesRepo } from "#store/RealmChangesRepo"
import { RealmJobsRepo } from "#store/RealmJobsRepo"
import { RealmSizesRepo } from "#store/RealmSizesRepo"
import { RealmsRepo } from "#store/RealmsRepo"
import { ReplicaRepo } from "#store/ReplicaRepo"
import { SecondFactorsRepo } from "#store/SecondFactorsRepo"
import { SessionsRepo } from "#store/SessionsRepo"
import { SignInMethodsRepo } from "#store/SignInMethodsRepo"
import { SignupTokensRepo } from "#store/SignupTokensRepo"
import { StatisticsRepo } from "#store/StatisticsRepo"
import { UnfoldedEmailsRepo } from "#store/UnfoldedEmailsRepo"
import { UsersRepo } from "#store/UsersRepo"

/** The clients of the database, and its check, under the tags that platform and store use. */
export const Clients = Layer.unwrap(
  Effect.map(Connections, ({ fast, slow, health, replica, transactions, check, leaveStandby }) =>
    Layer.mergeAll(
      Layer.succeed(SqlClient, fast),
      Layer.succeed(SlowSql, slow),
      Layer.succeed(HealthSql, health),
      Layer.succeed(ReplicaSql, replica),
      Layer.succeed(DatabaseCheck, check),
      Layer.succeed(LeaveStandby, leaveStandby),
      Layer.succeed(TransactionConcurrency, transactions)
    )
  )
)

/** Every repository. */
export const Repositories = Layer.mergeAll(
  AccountsRepo.layer,
  ApiKeyPeppersRepo.layer,
  ApiKeysRepo.layer,
  AppsWithAccessRepo.layer,
  AppHooksRepo.layer,
  AuthProvidersRepo.layer,
  BrowserSessionsRepo.layer,
  AppLogosRepo.layer,
  ClientAppsRepo.layer,
  ConnectedAppsRepo.layer,
  ConsoleSessionsRepo.layer,
  CredentialsRepo.layer,
  DeliveriesRepo.layer,
  DeliveryBacklogRepo.layer,
  EncryptedColumnsRepo.layer,
  UnfoldedEmailsRepo.layer,
  EventsRepo.layer,
  ExpiredRowsRepo.layer,
  ExportsRepo.layer,
  HealthRepo.layer,
  IdempotentRequestsRepo.layer,
  IdentitiesRepo.layer,
  ImportedRows.layer,
  ImportsRepo.layer,
  InvitationsRepo.layer,
  JwtKeysRepo.layer,
  KnownBrowsersRepo.layer,
  LoginAttemptsRepo.layer,
  MailboxProofsRepo.layer,
  MembershipsRepo.layer,
  NodesRepo.layer,
  OAuthClientsRepo.layer,
  OAuthCodesRepo.layer,
  OAuthGrantEndsRepo.layer,
  OAuthGrantListRepo.layer,
  OAuthLogoutRequestsRepo.layer,
  OAuthLogoutsRepo.layer,
  OAuthCodesRepo.layer,
  OAuthConsentsRepo.layer,
  OAuthRegistrationsRepo.layer,
  OAuthRequestsRepo.layer,
  OAuthDevicesRepo.layer,
  OAuthGrantsRepo.layer,
  OAuthProofsRepo.layer,
  OAuthRefreshTokensRepo.layer,
  OAuthRevokedTokensRepo.layer,
  OAuthStatesRepo.layer,
  OneTimeTokensRepo.layer,
  OrgDeletionsRepo.layer,
  OrgsRepo.layer,
  PasskeyChallengesRepo.layer,
  PasskeysRepo.layer,
  RateLimitsRepo.layer,
  RealmChangesRepo.layer,
  RealmJobsRepo.layer,
  RealmSizesRepo.layer,
  RealmsRepo.layer,
  ReplicaRepo.layer,
  SecondFactorsRepo.layer,
  SessionsRepo.layer,
  SignInMethodsRepo.layer,
  SignupTokensRepo.layer,
  StatisticsRepo.layer,
  UsersRepo.layer
)
