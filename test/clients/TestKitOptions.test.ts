import { expect, test } from "vitest"
import { WellKnown } from "#core/external/providers/Presets"
import { presetsWith } from "#testing/ProviderPresets"
import { start } from "#testing/promise"

const providers =
  "Option providers must be an object whose members (apple, facebook, github, google, linkedin, microsoft, slack, yahoo) override that provider's preset: endpoints, scopes, supportsPkce, idTokens, clientSecret, responseMode, retryParameters, claimsOf, inspection; the endpoints are URLs by name: authorization, token, profile, emails, inspection, keys."

const wrong: ReadonlyArray<readonly [options: unknown, told: string]> = [
  [{ startAt: 0 }, "Unknown option startAt. Did you mean startsAt?"],
  [{ DATABASE: "memory" }, "Unknown option DATABASE. Did you mean database?"],
  ...[
    "memory://",
    null,
    { _tag: "memory" },
    { _tag: "Embedded" },
    { _tag: "Embedded", dataDir: "" },
    { _tag: "Postgres" },
    { _tag: "Postgres", url: "mysql://localhost/x" },
    { _tag: "Postgres", url: "postgres://localhost/x", pool: 2 },
    { _tag: "Postgres", url: "postgres://localhost/x", poolSize: 0 },
    { _tag: "Postgres", url: "postgres://localhost/x", processes: 1.5 },
    { _tag: "Postgres", url: "postgres://localhost/x", pooler: "session" }
  ].map((database): readonly [unknown, string] => [
    { database },
    'Option database must be { _tag: "Memory" }, { _tag: "Embedded", dataDir: "…" } or { _tag: "Postgres", url: "postgres://…" }.'
  ]),
  [{ connections: {} }, "Option connections must be the open Connections of a database."],
  ...["soon", "2026-01-01T00:00:00", "2026-13-01", 1_767_225_600, Number.NaN, 1e18, new Date("soon"), true, {}].map(
    (startsAt): readonly [unknown, string] => [
      { startsAt },
      'Option startsAt must be a Date, Unix milliseconds or text such as "2026-01-01T00:00:00Z", in the years 2000 to 9000.'
    ]
  ),
  [{ maxRealms: 0 }, "Option maxRealms must be a whole number from 1 to 1000000."],
  [{ maxRealms: "3" }, "Option maxRealms must be a whole number from 1 to 1000000."],
  [{ eventRetentionDays: 34 }, "Option eventRetentionDays must be a whole number from 35 to 3650."],
  [{ port: 65_536 }, "Option port must be a whole number from 0 to 65535."],
  [{ port: "3000" }, "Option port must be a whole number from 0 to 65535."],
  [{ publicUrl: "id.example.test" }, "Option publicUrl must be an http or https URL without a query."],
  [
    { headerPrefix: "X Acme" },
    "Option headerPrefix must be up to 40 letters, digits and hyphens, starting with a letter."
  ],
  [{ limits: "none" }, 'Option limits must be "all", "mails" or "nothing".'],
  [
    { trustedProxies: "127.0.0.1" },
    "Option trustedProxies must be a list of IP addresses, or of networks such as 10.0.0.0/8."
  ],
  [
    { trustedProxies: ["me"] },
    "Option trustedProxies must be a list of IP addresses, or of networks such as 10.0.0.0/8."
  ],
  [{ allowPrivateTargets: "no" }, "Option allowPrivateTargets must be true or false."],
  [{ outbound: "http" }, 'Option outbound must be "captured" or "real".'],
  [{ providers: { gogle: {} } }, providers],
  [{ providers: { google: { endpoints: "https://sso.example.test" } } }, providers],
  [{ providers: { google: { endpoints: { login: "https://sso.example.test" } } } }, providers],
  [{ providers: { google: { endpoints: { token: "sso" } } } }, providers],
  [{ logs: "yes" }, "Option logs must be true or false."],
  [
    { foo: 1 },
    "Unknown option foo. The options are: database, connections, startsAt, maxRealms, eventRetentionDays, port, publicUrl, headerPrefix, limits, trustedProxies, allowPrivateTargets, breachedPasswordsUrl, outbound, providers, patience, realHashes, secrets, mailFromDomains, mail, console, consoleKeys, logs."
  ],
  [{ patience: -1 }, "Option patience must be a whole number from 1 to 600000."],
  [{ realHashes: 1 }, "Option realHashes must be true or false."],
  [{ secrets: [] }, "Option secrets must be a list of at least one text, each of at least 32 characters."],
  [{ secrets: ["short"] }, "Option secrets must be a list of at least one text, each of at least 32 characters."],
  [{ mailFromDomains: "example.test" }, "Option mailFromDomains must be a list of domain names."],
  [{ mailFromDomains: ["jo@example.test"] }, "Option mailFromDomains must be a list of domain names."],
  [{ mail: "smtp://localhost" }, 'Option mail must be "captured", "mailbox" or { smtpUrl: "smtp://…" }.'],
  [{ mail: { smtpUrl: "localhost:25" } }, 'Option mail must be "captured", "mailbox" or { smtpUrl: "smtp://…" }.'],
  [{ mail: { smtp: "smtp://localhost" } }, 'Option mail must be "captured", "mailbox" or { smtpUrl: "smtp://…" }.'],
  [null, "The options must be an object."],
  ["memory://", "The options must be an object."],
  [
    { limits: "none", port: -1, verbose: true },
    'The options have 3 problems:\n- Option limits must be "all", "mails" or "nothing".\n- Option port must be a whole number from 0 to 65535.\n- Unknown option verbose. The options are: database, '
  ]
]

test.each(wrong)("rejects invalid options at startup: %j", async (options, told) => {
  // Calls the function like an untyped caller, who may pass anything.
  await expect(Reflect.apply(start, undefined, [options])).rejects.toThrow(told)
})

test("changes only the named options of a known provider", () => {
  const token = "http://localhost:9000/token"
  const { google, ...others } = presetsWith({ google: { endpoints: { token }, scopes: ["openid"] } })
  const known = WellKnown.defaultValue()
  expect(google).toEqual({ ...known.google, scopes: ["openid"], endpoints: { ...known.google.endpoints, token } })
  expect({ ...others, google: known.google }).toEqual(known)
})
