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
import { ApiKeyPeppersRepo } from "#store/access/ApiKeyPeppersRepo"
import { ApiKeysRepo } from "#store/access/ApiKeysRepo"
import { ConsoleSessionsRepo } from "#store/access/ConsoleSessionsRepo"
import { ConsoleSettingsRepo } from "#store/access/ConsoleSettingsRepo"
import { IdempotentRequestsRepo } from "#store/access/IdempotentRequestsRepo"
import { OperatorsRepo } from "#store/access/OperatorsRepo"
import { RateLimitsRepo } from "#store/access/RateLimitsRepo"
import { AppLogosRepo } from "#store/apps/AppLogosRepo"
import { AppsRepo } from "#store/apps/AppsRepo"
import { ConnectedAppsRepo } from "#store/apps/ConnectedAppsRepo"
import { EventNamesRepo } from "#store/events/EventNamesRepo"
import { EventsRepo } from "#store/events/EventsRepo"
import { StatisticsRepo } from "#store/events/StatisticsRepo"
import { AppHooksRepo } from "#store/hooks/AppHooksRepo"
import { DeliveriesRepo } from "#store/hooks/DeliveriesRepo"
import { DeliveryBacklogRepo } from "#store/hooks/DeliveryBacklogRepo"
import { ExportsRepo } from "#store/imports/ExportsRepo"
import { ImportedRows } from "#store/imports/ImportedRows"
import { ImportsRepo } from "#store/imports/ImportsRepo"
import { KnownBrowsersRepo } from "#store/login/KnownBrowsersRepo"
import { LoginAttemptsRepo } from "#store/login/LoginAttemptsRepo"
import { MailboxProofsRepo } from "#store/login/MailboxProofsRepo"
import { OAuthStatesRepo } from "#store/login/OAuthStatesRepo"
import { OneTimeTokensRepo } from "#store/login/OneTimeTokensRepo"
import { PasskeyChallengesRepo } from "#store/login/PasskeyChallengesRepo"
import { SignupTokensRepo } from "#store/login/SignupTokensRepo"
import { TrustedDevicesRepo } from "#store/login/TrustedDevicesRepo"
import { AppsWithAccessRepo } from "#store/oauth/AppsWithAccessRepo"
import { OAuthClientsRepo } from "#store/oauth/OAuthClientsRepo"
import { OAuthCodesRepo } from "#store/oauth/OAuthCodesRepo"
import { OAuthConsentsRepo } from "#store/oauth/OAuthConsentsRepo"
import { OAuthDevicesRepo } from "#store/oauth/OAuthDevicesRepo"
import { OAuthGrantEndsRepo } from "#store/oauth/OAuthGrantEndsRepo"
import { OAuthGrantListRepo } from "#store/oauth/OAuthGrantListRepo"
import { OAuthGrantsRepo } from "#store/oauth/OAuthGrantsRepo"
import { OAuthLogoutRequestsRepo } from "#store/oauth/OAuthLogoutRequestsRepo"
import { OAuthLogoutsRepo } from "#store/oauth/OAuthLogoutsRepo"
import { OAuthProofsRepo } from "#store/oauth/OAuthProofsRepo"
import { OAuthRefreshTokensRepo } from "#store/oauth/OAuthRefreshTokensRepo"
import { OAuthRegistrationsRepo } from "#store/oauth/OAuthRegistrationsRepo"
import { OAuthRequestsRepo } from "#store/oauth/OAuthRequestsRepo"
import { OAuthRevokedTokensRepo } from "#store/oauth/OAuthRevokedTokensRepo"
import { EncryptedColumnsRepo } from "#store/operations/EncryptedColumnsRepo"
import { ExpiredRowsRepo } from "#store/operations/ExpiredRowsRepo"
import { HealthRepo } from "#store/operations/HealthRepo"
import { NodesRepo } from "#store/operations/NodesRepo"
import { ReplicaRepo } from "#store/operations/ReplicaRepo"
import { InvitationsRepo } from "#store/orgs/InvitationsRepo"
import { MembershipSummariesRepo } from "#store/orgs/MembershipSummariesRepo"
import { MembershipsRepo } from "#store/orgs/MembershipsRepo"
import { OrgDeletionsRepo } from "#store/orgs/OrgDeletionsRepo"
import { OrgDomainsRepo } from "#store/orgs/OrgDomainsRepo"
import { OrgsRepo } from "#store/orgs/OrgsRepo"
import { AuthProvidersRepo } from "#store/realms/AuthProvidersRepo"
import { JwtKeysRepo } from "#store/realms/JwtKeysRepo"
import { RealmChangesRepo } from "#store/realms/RealmChangesRepo"
import { RealmJobsRepo } from "#store/realms/RealmJobsRepo"
import { RealmSizesRepo } from "#store/realms/RealmSizesRepo"
import { RealmsRepo } from "#store/realms/RealmsRepo"
import { BrowserSessionsRepo } from "#store/sessions/BrowserSessionsRepo"
import { SessionsRepo } from "#store/sessions/SessionsRepo"
import { AccountDeletionsRepo } from "#store/users/AccountDeletionsRepo"
import { AccountsRepo } from "#store/users/AccountsRepo"
import { CredentialsRepo } from "#store/users/CredentialsRepo"
import { IdentitiesRepo } from "#store/users/IdentitiesRepo"
import { PasskeysRepo } from "#store/users/PasskeysRepo"
import { SecondFactorsRepo } from "#store/users/SecondFactorsRepo"
import { SignInMethodsRepo } from "#store/users/SignInMethodsRepo"
import { UsersRepo } from "#store/users/UsersRepo"

/** The database clients and the database's health check, under the tags that platform and store use. */
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

/** All repositories. */
export const Repositories = Layer.mergeAll(
  AccountDeletionsRepo.layer,
  AccountsRepo.layer,
  ApiKeyPeppersRepo.layer,
  ApiKeysRepo.layer,
  AppsWithAccessRepo.layer,
  AppHooksRepo.layer,
  AuthProvidersRepo.layer,
  BrowserSessionsRepo.layer,
  AppLogosRepo.layer,
  AppsRepo.layer,
  ConnectedAppsRepo.layer,
  ConsoleSessionsRepo.layer,
  ConsoleSettingsRepo.layer,
  CredentialsRepo.layer,
  DeliveriesRepo.layer,
  DeliveryBacklogRepo.layer,
  EncryptedColumnsRepo.layer,
  EventNamesRepo.layer,
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
  TrustedDevicesRepo.layer,
  LoginAttemptsRepo.layer,
  MailboxProofsRepo.layer,
  MembershipsRepo.layer,
  MembershipSummariesRepo.layer,
  NodesRepo.layer,
  OAuthClientsRepo.layer,
  OAuthCodesRepo.layer,
  OAuthGrantEndsRepo.layer,
  OAuthGrantListRepo.layer,
  OAuthLogoutRequestsRepo.layer,
  OAuthLogoutsRepo.layer,
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
  OrgDomainsRepo.layer,
  OperatorsRepo.layer,
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
