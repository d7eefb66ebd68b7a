import { Layer } from "effect"
import { ApiKeysRepo } from "#core/access/ApiKeysRepo"
import { ConnectedAppsRepo } from "#core/apps/ConnectedAppsRepo"
import { ApiKeyPeppersRepo } from "#core/credentials/ApiKeyPeppersRepo"
import { CredentialsRepo } from "#core/credentials/CredentialsRepo"
import { EventsRepo } from "#core/events/EventsRepo"
import { ExpiredRowsRepo } from "#core/ExpiredRowsRepo"
import { HealthRepo } from "#core/HealthRepo"
import { AppHooksRepo } from "#core/hooks/AppHooksRepo"
import { DeliveriesRepo } from "#core/hooks/DeliveriesRepo"
import { IdempotentRequestsRepo } from "#core/idempotency/IdempotentRequestsRepo"
import { InvitationsRepo } from "#core/invitations/InvitationsRepo"
import { JwtKeysRepo } from "#core/keys/JwtKeysRepo"
import { QuotasRepo } from "#core/limits/QuotasRepo"
import { AccountsRepo } from "#core/login/AccountsRepo"
import { AttemptsRepo } from "#core/login/AttemptsRepo"
import { BrowserSessionsRepo } from "#core/login/BrowserSessionsRepo"
import { KnownBrowsersRepo } from "#core/login/KnownBrowsersRepo"
import { MailboxProofsRepo } from "#core/login/MailboxProofsRepo"
import { OAuthStatesRepo } from "#core/login/OAuthStatesRepo"
import { OneTimeTokensRepo } from "#core/login/OneTimeTokensRepo"
import { ProfilesRepo } from "#core/login/ProfilesRepo"
import { MembershipsRepo } from "#core/memberships/MembershipsRepo"
import { OrgsRepo } from "#core/orgs/OrgsRepo"
import { AuthProvidersRepo } from "#core/realms/AuthProvidersRepo"
import { RealmJobsRepo } from "#core/realms/RealmJobsRepo"
import { RealmsRepo } from "#core/realms/RealmsRepo"
import { SealedColumnsRepo } from "#core/SealedColumnsRepo"
import { SessionsRepo } from "#core/sessions/SessionsRepo"
import { SignupTokensRepo } from "#core/signup/SignupTokensRepo"
import { UsersRepo } from "#core/users/UsersRepo"

/** The tables: every repository, on the client of the database. */
export const Repositories = Layer.mergeAll(
  AccountsRepo.layer,
  ApiKeyPeppersRepo.layer,
  ApiKeysRepo.layer,
  AppHooksRepo.layer,
  AttemptsRepo.layer,
  AuthProvidersRepo.layer,
  BrowserSessionsRepo.layer,
  ConnectedAppsRepo.layer,
  CredentialsRepo.layer,
  DeliveriesRepo.layer,
  EventsRepo.layer,
  ExpiredRowsRepo.layer,
  HealthRepo.layer,
  IdempotentRequestsRepo.layer,
  InvitationsRepo.layer,
  JwtKeysRepo.layer,
  KnownBrowsersRepo.layer,
  MailboxProofsRepo.layer,
  MembershipsRepo.layer,
  OAuthStatesRepo.layer,
  OneTimeTokensRepo.layer,
  OrgsRepo.layer,
  ProfilesRepo.layer,
  QuotasRepo.layer,
  RealmJobsRepo.layer,
  RealmsRepo.layer,
  SealedColumnsRepo.layer,
  SessionsRepo.layer,
  SignupTokensRepo.layer,
  UsersRepo.layer
)
