// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Call, Form } from "../../Form.ts"
import { type ApiKeysV1, apiKeys } from "./ApiKeysV1.ts"
import { type AuthProvidersV1, authProviders } from "./AuthProvidersV1.ts"
import { type ConsentsV1, consents } from "./ConsentsV1.ts"
import { type CredentialsV1, credentials } from "./CredentialsV1.ts"
import { type EventsV1, events } from "./EventsV1.ts"
import { type ExternalAuthenticationV1, externalAuthentication } from "./ExternalAuthenticationV1.ts"
import { type GrantsV1, grants } from "./GrantsV1.ts"
import { type HooksV1, hooks } from "./HooksV1.ts"
import type { HostedV1 } from "./HostedV1.ts"
import { hosted } from "./HostedV1Functions.ts"
import { type JwtKeysV1, jwtKeys } from "./JwtKeysV1.ts"
import { type LoginPoliciesV1, loginPolicies } from "./LoginPoliciesV1.ts"
import { type LoginsV1, logins } from "./LoginsV1.ts"
import { type MembershipsV1, memberships } from "./MembershipsV1.ts"
import { type OrgsV1, orgs } from "./OrgsV1.ts"
import { type RealmsV1, realms } from "./RealmsV1.ts"
import { type SessionsV1, sessions } from "./SessionsV1.ts"
import { type UsersV1, users } from "./UsersV1.ts"
import { type UserTokensV1, userTokens } from "./UserTokensV1.ts"

/** Version 1 of the API, by its resources. */
export class V1<F extends Form> {
  /** The top-level containers for all other resources. */
  readonly realms: RealmsV1<F>
  /** The people and programs that log in. */
  readonly users: UsersV1<F>
  /** Logins, passwords and email verification. */
  readonly logins: LoginsV1<F>
  /** Signup tokens: the data of future users. */
  readonly userTokens: UserTokensV1<F>
  /** Organizations that users belong to. */
  readonly orgs: OrgsV1<F>
  /** Links between users and orgs, with permission tags. */
  readonly memberships: MembershipsV1<F>
  /** The logged-in sessions of users, each with a signed token. */
  readonly sessions: SessionsV1<F>
  /** The credentials that users log in with: passwords, authenticator apps, API keys and profiles at providers. */
  readonly credentials: CredentialsV1<F>
  /** The methods that users of a realm can log in with: passwords, codes and external providers. */
  readonly authProviders: AuthProvidersV1<F>
  /** Logins through external providers. */
  readonly externalAuthentication: ExternalAuthenticationV1<F>
  /**
   * The keys that sign tokens. The oldest unexpired key signs. A new `rs256` key does not sign until it has been
   * published for a minute, because verifiers may cache the JWKS for that long.
   */
  readonly jwtKeys: JwtKeysV1<F>
  /** Hooks send events as signed webhooks or as emails. */
  readonly hooks: HooksV1<F>
  /**
   * Connected apps. The hosted login pages of a realm, with their hosts, their appearance and the URLs they redirect
   * to, and the realm's OAuth clients: apps that people log in to with OpenID Connect, and programs that call APIs on
   * their own behalf.
   */
  readonly loginPolicies: LoginPoliciesV1<F>
  /**
   * The access that users have given to OAuth clients. All tokens of one authorization belong to a grant, and they work
   * only while the grant is active.
   */
  readonly grants: GrantsV1<F>
  /**
   * Lasting permissions that users have given to OAuth clients, so that they aren't asked again. They exist only for
   * clients whose `consent` is `ask`.
   */
  readonly consents: ConsentsV1<F>
  /** Keys that authenticate callers of this API. */
  readonly apiKeys: ApiKeysV1<F>
  /** The log of all events. */
  readonly events: EventsV1<F>
  /**
   * For untrusted clients, on the host of a connected app. Users authenticate with their own credentials, and no API
   * key is needed.
   * Bodies are JSON or form-encoded. Responses can be read by pages from the origins in the app's handlers,
   * `redirect_uris` and
   * `domains`; POST requests from other origins are rejected. Every operation also accepts GET, with a `callback` for
   * JSONP if the app
   * allows it. GET sets no cookies, and requires an origin of the app in `Referer`.
   */
  readonly hosted: HostedV1<F>

  constructor(call: Call<F>) {
    this.realms = realms(call)
    this.users = users(call)
    this.logins = logins(call)
    this.userTokens = userTokens(call)
    this.orgs = orgs(call)
    this.memberships = memberships(call)
    this.sessions = sessions(call)
    this.credentials = credentials(call)
    this.authProviders = authProviders(call)
    this.externalAuthentication = externalAuthentication(call)
    this.jwtKeys = jwtKeys(call)
    this.hooks = hooks(call)
    this.loginPolicies = loginPolicies(call)
    this.grants = grants(call)
    this.consents = consents(call)
    this.apiKeys = apiKeys(call)
    this.events = events(call)
    this.hosted = hosted(call)
  }
}
