import type { ConsoleSession } from "#domain/ConsoleSession"
import type { LoginDomains } from "#platform/LoginDomains"
import { RELEASE } from "../docs/Release.ts"
import { timeT } from "../WireMapping.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"

/** What the console gets to know of the service that it belongs to. `login_url`: of an app's pages, by its subdomain. */
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

/** Describes sessions of the console. No body has the secret, nor the key. */
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
