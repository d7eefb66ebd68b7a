import { HttpApi } from "effect/http-api"
import { ApiKeysV1, ApiKeysV2 } from "./access/Endpoints.ts"
import { ClientApps, LoginPolicies } from "./apps/Endpoints.ts"
import { CredentialsV1, CredentialsV2 } from "./credentials/Endpoints.ts"
import { EventsV1, EventsV2 } from "./events/Endpoints.ts"
import { ExternalAuthentication as ExternalAuthenticationV1 } from "./external/V1.ts"
import { ExternalAuthentication } from "./external/V2.ts"
import { HooksV1, HooksV2 } from "./hooks/Endpoints.ts"
import { Invitations } from "./invitations/V2.ts"
import { JwtKeysV1, JwtKeysV2 } from "./keys/Endpoints.ts"
import { Logins as LoginsV1 } from "./login/V1.ts"
import { Logins as LoginsV2 } from "./login/V2.ts"
import { MembershipsV1, MembershipsV2 } from "./memberships/Endpoints.ts"
import { OrgsV1, OrgsV2 } from "./orgs/Endpoints.ts"
import { AuthProvidersV1, AuthProvidersV2 } from "./providers/Endpoints.ts"
import { RealmsV1, RealmsV2 } from "./realms/Endpoints.ts"
import { SessionsV1, SessionsV2 } from "./sessions/Endpoints.ts"
import { UserTokens } from "./signup/V1.ts"
import { Users as UsersV1 } from "./users/V1.ts"
import { Users } from "./users/V2.ts"

/** The management API, both versions: every group of the contract's tables that is built. */
export class Api extends HttpApi.make("sallyport")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(
    RealmsV2,
    Users,
    LoginsV2,
    OrgsV2,
    MembershipsV2,
    Invitations,
    SessionsV2,
    CredentialsV2,
    AuthProvidersV2,
    ExternalAuthentication,
    JwtKeysV2,
    HooksV2,
    ClientApps,
    ApiKeysV2,
    EventsV2,
    RealmsV1,
    UsersV1,
    LoginsV1,
    UserTokens,
    OrgsV1,
    MembershipsV1,
    SessionsV1,
    CredentialsV1,
    AuthProvidersV1,
    ExternalAuthenticationV1,
    JwtKeysV1,
    HooksV1,
    LoginPolicies,
    ApiKeysV1,
    EventsV1
  ) {}
