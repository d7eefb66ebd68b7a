import { HttpApi } from "effect/http-api"
import { ApiKeysV1, ApiKeysV2 } from "./ApiKeys.ts"
import { HooksV1, HooksV2 } from "./AppHooks.ts"
import { AuthProvidersV1, AuthProvidersV2 } from "./AuthProviders.ts"
import { ClientApps, LoginPolicies } from "./ConnectedApps.ts"
import { CredentialsV1, CredentialsV2 } from "./Credentials.ts"
import { EventsV1, EventsV2 } from "./Events.ts"
import { JwtKeysV1, JwtKeysV2 } from "./JwtKeys.ts"
import { MembershipsV1, MembershipsV2 } from "./Memberships.ts"
import { OrgsV1, OrgsV2 } from "./Orgs.ts"
import { RealmsV1, RealmsV2 } from "./Realms.ts"
import { SessionsV1, SessionsV2 } from "./Sessions.ts"
import { ExternalAuthentication as ExternalAuthenticationV1 } from "./v1/ExternalAuthentication.ts"
import { Logins as LoginsV1 } from "./v1/Logins.ts"
import { Users as UsersV1 } from "./v1/Users.ts"
import { UserTokens } from "./v1/UserTokens.ts"
import { ExternalAuthentication } from "./v2/ExternalAuthentication.ts"
import { Invitations } from "./v2/Invitations.ts"
import { Logins as LoginsV2 } from "./v2/Logins.ts"
import { Users } from "./v2/Users.ts"

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
