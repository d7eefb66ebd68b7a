import { HttpApi } from "effect/http-api"
import { ApiKeysV1, ApiKeysV2 } from "./access/Endpoints.ts"
import { ConnectedAppsV1, ConnectedAppsV2 } from "./apps/Endpoints.ts"
import { ConsentsV1, ConsentsV2 } from "./consents/Endpoints.ts"
import { CredentialsV1, CredentialsV2 } from "./credentials/Endpoints.ts"
import { DomainsV2 } from "./domains/V2.ts"
import { EventsV1 } from "./events/V1.ts"
import { EventsV2 } from "./events/V2.ts"
import { ExportsV2 } from "./exports/V2.ts"
import { ExternalAuthenticationV1 } from "./external/V1.ts"
import { ExternalAuthenticationV2 } from "./external/V2.ts"
import { GrantsV1, GrantsV2 } from "./grants/Endpoints.ts"
import { HooksV1 } from "./hooks/V1.ts"
import { HooksV2 } from "./hooks/V2.ts"
import { ImportsV2 } from "./imports/V2.ts"
import { InvitationsV2 } from "./invitations/V2.ts"
import { JwtKeysV1, JwtKeysV2 } from "./keys/Endpoints.ts"
import { LoginsV1 } from "./login/V1.ts"
import { LoginsV2 } from "./login/V2.ts"
import { MembershipsV1 } from "./memberships/V1.ts"
import { MembershipsV2 } from "./memberships/V2.ts"
import { NotificationsV2 } from "./notifications/V2.ts"
import { ConsoleV2, OperatorsV2 } from "./operators/V2.ts"
import { OrgsV1 } from "./orgs/V1.ts"
import { OrgsV2 } from "./orgs/V2.ts"
import { AuthProvidersV1 } from "./providers/V1.ts"
import { AuthProvidersV2 } from "./providers/V2.ts"
import { RealmsV1 } from "./realms/V1.ts"
import { RealmsV2 } from "./realms/V2.ts"
import { SessionsV1 } from "./sessions/V1.ts"
import { SessionsV2 } from "./sessions/V2.ts"
import { UserTokensV1 } from "./signup/V1.ts"
import { UsersV1 } from "./users/V1.ts"
import { UsersV2 } from "./users/V2.ts"

/** The management API in both versions, with all implemented groups of the contract. */
export class Api extends HttpApi.make("sallyport")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(
    RealmsV2,
    UsersV2,
    LoginsV2,
    OrgsV2,
    MembershipsV2,
    DomainsV2,
    InvitationsV2,
    SessionsV2,
    CredentialsV2,
    AuthProvidersV2,
    ExternalAuthenticationV2,
    JwtKeysV2,
    HooksV2,
    ConnectedAppsV2,
    GrantsV2,
    ConsentsV2,
    ApiKeysV2,
    OperatorsV2,
    ConsoleV2,
    EventsV2,
    NotificationsV2,
    ImportsV2,
    ExportsV2,
    RealmsV1,
    UsersV1,
    LoginsV1,
    UserTokensV1,
    OrgsV1,
    MembershipsV1,
    SessionsV1,
    CredentialsV1,
    AuthProvidersV1,
    ExternalAuthenticationV1,
    JwtKeysV1,
    HooksV1,
    ConnectedAppsV1,
    GrantsV1,
    ConsentsV1,
    ApiKeysV1,
    EventsV1
  ) {}
