// Generated from the API's description by `npm run generate`. To change it, change `src/api`.

/** A limits. */
export interface Limits {
  /** The reads of one key in 10 seconds (1 to 1,000,000). Default: 1,000. */
  readonly reads?: number | undefined
  /** The writes of one key in 10 seconds (1 to 1,000,000). Default: 500. */
  readonly writes?: number | undefined
  /** The reads of all keys that are locked to the realm in 10 seconds (1 to 1,000,000). Default: 4,000. */
  readonly reads_total?: number | undefined
  /** The writes of all keys that are locked to the realm in 10 seconds (1 to 1,000,000). Default: 2,000. */
  readonly writes_total?: number | undefined
  /**
   * The attempts with a password or code for one user, as named in the request, in 60 seconds (1 to 1,000,000).
   * Default: 10.
   */
  readonly attempts?: number | undefined
  /**
   * The wrong emailed codes that start a login of one user, as named in the request, in 86,400 seconds (1 to
   * 1,000,000). Default: 50.
   */
  readonly email_codes?: number | undefined
  /**
   * The uses of credentials in hosted login from one address (IPv6: one /64) in 10 seconds (1 to 1,000,000). Default:
   * 5.
   */
  readonly hosted?: number | undefined
  /** The uses of credentials in hosted login from one address in 300 seconds (1 to 1,000,000). Default: 30. */
  readonly hosted_sustained?: number | undefined
  /**
   * The passkey logins from one address, which pages start when they open in 60 seconds (1 to 1,000,000). Default: 60.
   */
  readonly passkey_challenges?: number | undefined
  /** The requests from one OAuth client at one address in 10 seconds (1 to 1,000,000). Default: 1,000. */
  readonly oauth?: number | undefined
  /** The failed authentications of one OAuth client from one address in 60 seconds (1 to 1,000,000). Default: 20. */
  readonly client_secrets?: number | undefined
  /**
   * The logins and logouts started by browsers and public clients at the OAuth endpoints, from one address in 300
   * seconds (1 to 1,000,000). Default: 300.
   */
  readonly open_requests?: number | undefined
  /**
   * The logins and logouts started by browsers and public clients at the OAuth endpoints, in the entire realm, in 300
   * seconds (1 to 1,000,000). Default: 50,000.
   */
  readonly open_requests_total?: number | undefined
  /** The wrong device codes entered by one user, or from one address, in 600 seconds (1 to 1,000,000). Default: 10. */
  readonly user_codes?: number | undefined
  /** The auth provider tests in 60 seconds (1 to 1,000,000). Default: 20. */
  readonly provider_tests?: number | undefined
  /** The checks of domains that callers request in 60 seconds (1 to 1,000,000). Default: 30. */
  readonly domain_checks?: number | undefined
  /** The OAuth client registrations from one address in 3,600 seconds (1 to 1,000,000). Default: 20. */
  readonly registrations?: number | undefined
  /** The emails to one recipient in 60 seconds (1 to 1,000,000). Default: 3. */
  readonly mails?: number | undefined
  /** The emails to one recipient in 3,600 seconds (1 to 1,000,000). Default: 10. */
  readonly mails_sustained?: number | undefined
  /** The emails requested without an API key, in the entire realm, in 600 seconds (1 to 1,000,000). Default: 200. */
  readonly visitor_mails?: number | undefined
  /**
   * The emails requested without an API key, in the entire realm, in 3,600 seconds (1 to 1,000,000). Default: 1,000.
   */
  readonly visitor_mails_sustained?: number | undefined
  /** The invitations to one org in 3,600 seconds (1 to 1,000,000). Default: 100. */
  readonly invitations?: number | undefined
  /** The imports of users into the realm in 3,600 seconds (1 to 1,000,000). Default: 100. */
  readonly imports?: number | undefined
  /** The exports of the realm's users in 3,600 seconds (1 to 1,000,000). Default: 100. */
  readonly exports?: number | undefined
}
