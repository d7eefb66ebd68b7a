// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

import type { Call, Form } from "../../Form.ts"
import { type ApiKeys, apiKeys } from "./ApiKeys.ts"
import { type AuthProviders, authProviders } from "./AuthProviders.ts"
import { type ClientApps, clientApps } from "./ClientApps.ts"
import { type Consents, consents } from "./Consents.ts"
import { type Console, console } from "./Console.ts"
import { type Credentials, credentials } from "./Credentials.ts"
import { type Domains, domains } from "./Domains.ts"
import { type Events, events } from "./Events.ts"
import { type Exports, exports } from "./Exports.ts"
import { type ExternalAuthentication, externalAuthentication } from "./ExternalAuthentication.ts"
import { type Grants, grants } from "./Grants.ts"
import { type Hooks, hooks } from "./Hooks.ts"
import { type Imports, imports } from "./Imports.ts"
import { type Invitations, invitations } from "./Invitations.ts"
import { type JwtKeys, jwtKeys } from "./JwtKeys.ts"
import { type Logins, logins } from "./Logins.ts"
import { type Memberships, memberships } from "./Memberships.ts"
import { type Notifications, notifications } from "./Notifications.ts"
import { type Operators, operators } from "./Operators.ts"
import { type Orgs, orgs } from "./Orgs.ts"
import { type PublicKeys, publicKeys } from "./PublicKeys.ts"
import { type Realms, realms } from "./Realms.ts"
import { type Sessions, sessions } from "./Sessions.ts"
import { type Test, test } from "./Test.ts"
import { type TestDns, testDns } from "./TestDns.ts"
import { type TestFaults, testFaults } from "./TestFaults.ts"
import { type TestMessages, testMessages } from "./TestMessages.ts"
import { type Users, users } from "./Users.ts"

/** The current version of the API, by its resources. */
export class V2<F extends Form> {
  /** The top-level containers for all other resources. */
  readonly realms: Realms<F>
  /** The people and programs that log in. */
  readonly users: Users<F>
  /** Logins, passwords and email verification. */
  readonly logins: Logins<F>
  /** Organizations that users belong to. */
  readonly orgs: Orgs<F>
  /** Links between users and orgs, with permission tags. */
  readonly memberships: Memberships<F>
  /**
   * Email domains of orgs. An org proves a domain with a TXT record. The record is checked daily, and a domain without
   * it is lost after 7 days. One org at a time owns a domain: another org can prove it only when the first org's record
   * is gone. Events: `domain.verified`, `domain.check_failed` when a check of a verified domain fails after it
   * succeeded, `domain.recovered` when it succeeds again, and `domain.lost`.
   */
  readonly domains: Domains<F>
  /** Invitations to a realm or to one of its orgs. */
  readonly invitations: Invitations<F>
  /** The logged-in sessions of users, each with a signed token. */
  readonly sessions: Sessions<F>
  /** The credentials that users log in with: passwords, authenticator apps, API keys and profiles at providers. */
  readonly credentials: Credentials<F>
  /** The methods that users of a realm can log in with: passwords, codes and external providers. */
  readonly authProviders: AuthProviders<F>
  /** Logins through external providers. */
  readonly externalAuthentication: ExternalAuthentication<F>
  /**
   * The keys that sign tokens. The oldest unexpired key signs. A new `rs256` key does not sign until it has been
   * published for a minute, because verifiers may cache the JWKS for that long.
   */
  readonly jwtKeys: JwtKeys<F>
  /** Hooks send events as signed webhooks or as emails. */
  readonly hooks: Hooks<F>
  /**
   * The hosted login pages of a realm, with their hosts, their appearance and the URLs they redirect to, and the
   * realm's OAuth clients: apps that people log in to with OpenID Connect, and programs that call APIs on their own
   * behalf.
   */
  readonly clientApps: ClientApps<F>
  /**
   * The access that users have given to OAuth clients. All tokens of one authorization belong to a grant, and they work
   * only while the grant is active.
   */
  readonly grants: Grants<F>
  /**
   * Lasting permissions that users have given to OAuth clients, so that they aren't asked again. They exist only for
   * clients whose `consent` is `ask`.
   */
  readonly consents: Consents<F>
  /** Keys that authenticate callers of this API. */
  readonly apiKeys: ApiKeys<F>
  /**
   * The people who log in to the console with their own accounts. Operators belong to the service, not to a realm;
   * their users are in no realm's lists. These requests require an owner, or an API key of level `admin_all_realms`.
   */
  readonly operators: Operators<F>
  /** The settings of the console at `/console`. */
  readonly console: Console<F>
  /** The log of all events. */
  readonly events: Events<F>
  /** The deliveries of events to hooks. */
  readonly notifications: Notifications<F>
  /** Import of many users, with their hashes, authenticator apps, profiles at providers and memberships. */
  readonly imports: Imports<F>
  /** Export of all users, in the format of imports. */
  readonly exports: Exports<F>
  /** The clock, in test mode (`SALLYPORT_TEST_MODE=on`) only. Without test mode, these endpoints return 404. */
  readonly test: Test<F>
  /**
   * DNS for domains, in test mode (`SALLYPORT_TEST_MODE=on`) only: the service asks no resolvers, and finds only the
   * records that were set here. Without test mode, these endpoints return 404.
   */
  readonly testDns: TestDns<F>
  /**
   * Failures on demand, in test mode (`SALLYPORT_TEST_MODE=on`) only. Without test mode, these endpoints return 404.
   * The failures have the same consequences as in production.
   */
  readonly testFaults: TestFaults<F>
  /**
   * The emails of a service that stores emails instead of sending them: without a mail server, and with the embedded
   * database or in test mode. Otherwise, these endpoints return 404. If the service has neither a public URL nor
   * trusted proxies, callers on its own machine need no API key, but if they send one, it must be valid.
   */
  readonly testMessages: TestMessages<F>
  /**
   * The keys and metadata for verifying a realm's tokens, available to everyone without an API key. Responses may be
   * cached for a minute.
   */
  readonly publicKeys: PublicKeys<F>

  constructor(call: Call<F>) {
    this.realms = realms(call)
    this.users = users(call)
    this.logins = logins(call)
    this.orgs = orgs(call)
    this.memberships = memberships(call)
    this.domains = domains(call)
    this.invitations = invitations(call)
    this.sessions = sessions(call)
    this.credentials = credentials(call)
    this.authProviders = authProviders(call)
    this.externalAuthentication = externalAuthentication(call)
    this.jwtKeys = jwtKeys(call)
    this.hooks = hooks(call)
    this.clientApps = clientApps(call)
    this.grants = grants(call)
    this.consents = consents(call)
    this.apiKeys = apiKeys(call)
    this.operators = operators(call)
    this.console = console(call)
    this.events = events(call)
    this.notifications = notifications(call)
    this.imports = imports(call)
    this.exports = exports(call)
    this.test = test(call)
    this.testDns = testDns(call)
    this.testFaults = testFaults(call)
    this.testMessages = testMessages(call)
    this.publicKeys = publicKeys(call)
  }
}
