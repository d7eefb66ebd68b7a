/** The default limits (C45): at most `most` operations per window of `seconds`. Realms may override them. */
export const defaultLimits = {
  /** Management reads, per key. */
  reads: { most: 1_000, seconds: 10 },
  /** Management writes, per key. */
  writes: { most: 500, seconds: 10 },
  /** Management reads and writes, for all keys locked to the realm combined (C269, SEC-252). */
  reads_total: { most: 4_000, seconds: 10 },
  writes_total: { most: 2_000, seconds: 10 },
  /** Password and code attempts, per identifier as entered. */
  attempts: { most: 10, seconds: 60 },
  /** Wrong emailed codes that start a login, per identifier as entered (SEC-147). */
  email_codes: { most: 50, seconds: 86_400 },
  /** Credential operations in hosted login, per client address. */
  hosted: { most: 5, seconds: 10 },
  hosted_sustained: { most: 30, seconds: 300 },
  /** Passkey logins started by hosted login pages, per client address. A page that offers passkeys starts one when it opens. */
  passkey_challenges: { most: 60, seconds: 60 },
  /** Requests to the OAuth endpoints that clients call, per client and address; and requests with a wrong client secret. */
  oauth: { most: 1_000, seconds: 10 },
  client_secrets: { most: 20, seconds: 60 },
  /** Unauthenticated requests that are stored until a browser completes them, per client address and per realm (SEC-197). */
  open_requests: { most: 300, seconds: 300 },
  open_requests_total: { most: 50_000, seconds: 300 },
  /** Wrong device user codes, per user entering them and per client address (SEC-172). */
  user_codes: { most: 10, seconds: 600 },
  /** Self-registrations of OAuth clients, per client address (SEC-189). */
  registrations: { most: 20, seconds: 3_600 },
  /** Auth provider tests, per realm. Each test calls the provider a few times (SEC-207). */
  provider_tests: { most: 20, seconds: 60 },
  /** Checks of domains that callers request, per realm. Each asks every DNS resolver (SEC-294). */
  domain_checks: { most: 30, seconds: 60 },
  /** Emails per recipient. */
  mails: { most: 3, seconds: 60 },
  mails_sustained: { most: 10, seconds: 3_600 },
  /** Emails requested by visitors without an API key, per realm (SEC-94). */
  visitor_mails: { most: 200, seconds: 600 },
  visitor_mails_sustained: { most: 1_000, seconds: 3_600 },
  /** Invitations per org. */
  invitations: { most: 100, seconds: 3_600 },
  /** User imports and user exports, per realm. */
  imports: { most: 100, seconds: 3_600 },
  exports: { most: 100, seconds: 3_600 }
} as const
