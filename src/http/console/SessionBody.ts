import type { ConsoleSession } from "#domain/ConsoleSession"
import { CONSOLE_SUBDOMAIN, type LoginDomains } from "#platform/LoginDomains"
import { RELEASE } from "../docs/Release.ts"
import { timeT } from "../WireMapping.ts"
import type { ConsoleOptions } from "./ConsoleOptions.ts"

/** The service settings that the console can read. `login_url` is a template for the URL of an app's pages, by subdomain. */
const serviceBody = (options: ConsoleOptions, domains: LoginDomains["Service"]) => ({
  version: RELEASE,
  api_url: options.publicUrl,
  account_url: domains.pages(CONSOLE_SUBDOMAIN),
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
  ({ caller, name, createdAt, expiresAt }: ConsoleSession) => ({
    object: "console_session",
    level: caller.level,
    realm_id: caller.realmId,
    api_key: caller.by.type === "api_key" ? { id: caller.by.id, name } : null,
    operator: caller.by.type === "operator" ? { id: caller.by.id, email: name, role: caller.by.role } : null,
    created_at: timeT(createdAt),
    expires_at: timeT(expiresAt),
    service: serviceBody(options, domains)
  })
