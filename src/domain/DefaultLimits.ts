/** The default limits (C45): at most `most` operations in each window of `seconds`. A realm may override them. */
export const defaultLimits = {
  /** Management reads, per key. */
  reads: { most: 1_000, seconds: 10 },
  /** Management writes, per key. */
  writes: { most: 500, seconds: 10 },
  /** The same, for all keys locked to the realm together (C269, SEC-252). */
  reads_total: { most: 4_000, seconds: 10 },
  writes_total: { most: 2_000, seconds: 10 },
  /** Attempts with a password or a code, per identifier as entered. */
  attempts: { most: 10, seconds: 60 },
  /** Wrong emailed codes at the start of a login, per identifier as entered (SEC-147). */
  email_codes: { most: 50, seconds: 86_400 },
  /** Hosted login operations on credentials, per client address. */
  hosted: { most: 5, seconds: 10 },
  hosted_sustained: { most: 30, seconds: 300 },
  /** Passkey logins started by hosted login pages, per client address. Pages that offer passkeys start one when they open. */
  passkey_challenges: { most: 60, seconds: 60 },
  /**
   * Requests to the OAuth endpoints that clients call, per client and address; and of those, requests with a wrong client
   * secret.
   */
  oauth: { most: 1_000, seconds: 10 },
  client_secrets: { most: 20, seconds: 60 },
  /**
   * Requests that anyone can send and that are stored until a browser completes them: per client address, and per realm
   * (SEC-197).
   */
  open_requests: { most: 300, seconds: 300 },
  open_requests_total: { most: 50_000, seconds: 300 },
  /** Wrong user codes of devices, per user who enters them and per client address (SEC-172). */
  user_codes: { most: 10, seconds: 600 },
  /** OAuth clients that register themselves, per client address (SEC-189). */
  registrations: { most: 20, seconds: 3_600 },
  /** Tests of auth providers, per realm: each calls the provider a few times (SEC-207). */
  provider_tests: { most: 20, seconds: 60 },
  /** Emails, per recipient. */
  mails: { most: 3, seconds: 60 },
  mails_sustained: { most: 10, seconds: 3_600 },
  /** Emails requested by visitors without a key, per realm (SEC-94). */
  visitor_mails: { most: 200, seconds: 600 },
  visitor_mails_sustained: { most: 1_000, seconds: 3_600 },
  /** Invitations, per org. */
  invitations: { most: 100, seconds: 3_600 },
  /** Imports of users, and exports of users, per realm. */
  imports: { most: 100, seconds: 3_600 },
  exports: { most: 100, seconds: 3_600 }
} as const
