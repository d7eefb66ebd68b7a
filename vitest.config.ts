import { defineConfig } from "vitest/config"

const pure = [
  "test/domain/**/*.test.ts",
  "test/hosted/Pages.test.ts",
  "test/hosted/api/Callbacks.test.ts",
  "test/house/**/*.test.ts",
  "test/mailbox/{MailParts,MailTransport}.test.ts",
  "test/security/MailHeaders.test.ts",
  "test/security/OutboundTargets.test.ts",
  "test/server/Config.test.ts",
  "test/server/OutboundHttp.test.ts",
  "test/server/Smtp.test.ts",
  "test/wire/LocalRequests.test.ts",
  ...[
    "Admission",
    "ClientAddress",
    "CommonPasswords",
    "ImportedHashes",
    "MailRendering",
    "MailTemplates",
    "RenderingSteps",
    "RenderingScheduler",
    "Markup",
    "Passwords",
    "Secrets",
    "Tokens",
    "Totp"
  ].map((name) => `test/core/${name}.test.ts`)
]

/** The same files run on both databases, but for those that are about the other engine itself. */
const onDatabase = (without: string) => ({
  include: ["test/**/*.test.ts"],
  exclude: [...pure, "test/browser/**", without],
  globalSetup: "test/support/globalSetup.ts"
})

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // A worker keeps its modules: a service that one file starts serves all files of that worker.
    pool: "forks",
    isolate: false,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: "pure", include: pure } },
      { extends: true, test: { name: "embedded", ...onDatabase("test/**/postgres/**") } },
      { extends: true, test: { name: "postgres", ...onDatabase("test/**/embedded/**") } }
    ]
  }
})
