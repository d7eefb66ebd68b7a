import type { ConsoleSession } from "#domain/ConsoleSession"
import type { LoginDomains } from "#platform/LoginDomains"
import { RELEASE } from "../docs/Release.ts"
import { timeT } from "../WireMapping.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"

/** The service settings that the console can read. `login_url` is a template for the URL of an app's pages, by subdomain. */
const serviceBody = (options: ConsoleOptions, domains: LoginDomains["Service"]) => ({
  version: RELEASE,
  api_url: options.publicUrl,
  header_prefix: options.headerPrefix,
  login_url: domains.origin("{subdomain}"),
  login_domain: options.loginDomain,
  region: options.region,
  deliveries: options.delivers,
  mailbox: options.mailbox,
  test_mode: options.testMode,
  virtual_clock: options.testMode
})

/** Bodies that describe console sessions. They never contain the secret or the API key. */
export const sessionBodies =
  (options: ConsoleOptions, domains: LoginDomains["Service"]) =>
  ({ caller, keyName, createdAt, expiresAt }: ConsoleSession) => ({
    object: "console_session",
    level: caller.level,
    realm_id: caller.realmId,
    api_key: { id: caller.keyId, name: keyName },
    created_at: timeT(createdAt),
    expires_at: timeT(expiresAt),
    service: serviceBody(options, domains)
  })
