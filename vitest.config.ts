import { defineConfig } from "vitest/config"
import { sequence } from "./test/suite/LongestFirst.ts"

/** Tests without a database that take seconds, mostly of CPU time. */
const slowPure = [
  "test/core/{Admission,ContentCleaner,FairHashing,HashCost,ImportedHashes,MailRendering,Passwords,RenderingScheduler,RenderingSteps}.test.ts",
  "test/house/**/*.test.ts",
  "test/saml/Mutations.test.ts",
  "test/security/{MailHeaders,OutboundTargets}.test.ts",
  "test/server/MailThread.test.ts"
]

/** Tests without a database that take a fraction of a second. `npm run test:fast` runs these. */
export const quickPure = [
  "test/actors/{Advance,DatabaseAway,JumpedClock}.test.ts",
  "test/cli/doctor/{Findings,ServiceFindings}.test.ts",
  "test/cli/secrets/Plan.test.ts",
  "test/cli/{Config,DevBanner,Failures,Help,ImportHints,Usage,UsersCalls}.test.ts",
  "test/clients/{AccessTokenProofs,AccessTokens,Authenticator,ProtectedResource,SdkAttempts,SdkOptions}.test.ts",
  "test/console/{CopiedTexts,DeliveryResults,FoldedEvents,UserFiles}.test.ts",
  "test/core/{AttestationFormats,BreachedPasswords,ClientAddress,ClientCredentials,CommonPasswords,DrawnElements,Logos,MailLifetimes,MailTemplates,Markup,PasskeyAnswers,Secrets,Signer,Tokens,Totp,TtlCache}.test.ts",
  "test/deploy/*.test.ts",
  "test/domain/**/*.test.ts",
  "test/hosted/{Pages,SignupForm}.test.ts",
  "test/hosted/api/Callbacks.test.ts",
  "test/mailbox/{MailParts,MailTransport}.test.ts",
  "test/saml/{AuthnRequest,Documents,IdentityProvider,Messages,Readers,Response,Signatures,Values,Wrapping}.test.ts",
  "test/server/{BodyTimeouts,Config,DatabaseUrl,FatalLines,LogLines,NodeVersion,PublicUrl,SilentNodes,SourceBuild,UnknownVariables,WorkerSettings,WorkerTotals}.test.ts",
  "test/wire/LocalRequests.test.ts"
]

const pure = [...slowPure, ...quickPure]

/** Tests that mostly wait: for processes that they start, or for a time limit of the service. */
const processes = [
  "test/cli/embedded/Dev.test.ts",
  "test/guides/*.test.ts",
  "test/hooks/UnreachableDestination.test.ts",
  "test/hooks/postgres/*.test.ts",
  "test/limits/postgres/LateWrites.test.ts",
  "test/oauth/postgres/RealmChanges.test.ts",
  "test/security/SlowBodies.test.ts",
  "test/server/{embedded,postgres}/*.test.ts",
  "test/server/{DnsResolvers,OpsWorker,OutboundHttp,Smtp}.test.ts",
  "test/sql/postgres/BusyMigrations.test.ts"
]

/** Tests of the API that mostly wait. On PostgreSQL, they run together with `processes`. */
const waiting = [
  "test/core/DeliveriesInOutages.test.ts",
  "test/imports/Streams.test.ts",
  "test/mailbox/Messages.test.ts"
]

/** Tests that also run completely on the embedded database: the SQL layer, the repositories, and the tour. */
const repositories = ["test/core/*.test.ts", "test/sql/*.test.ts", "test/tour/Tour.test.ts"]

/**
 * API tests that also run on the embedded database. Together they execute every statement there. At the end of a
 * complete run, the statements gate lists each statement that ran on only one of the two databases, with the test file
 * that ran it.
 */
const onBothDatabases = [
  "test/access/{CountIsolation,CrossRealmMatrix,Keys}.test.ts",
  "test/actors/{CheckDomains,EventActors,EventRetention}.test.ts",
  "test/apps/{AppResets,Appearance,ConnectedApps}.test.ts",
  "test/cli/{Events,Keys,Realms,UsersAccess}.test.ts",
  "test/console/{LoginLinks,Sessions}.test.ts",
  "test/credentials/Credentials.test.ts",
  "test/external/{Apple,IdempotentLogins,Microsoft}.test.ts",
  "test/hooks/{AppHookLevels,AppHooks,DeletedRealms,NotificationLists}.test.ts",
  "test/hosted/{MailboxProofs,UnknownUsers}.test.ts",
  "test/hosted/api/Sessions.test.ts",
  "test/hosted/pages/{AccountDeletion,Codes,Passkeys,Security,SignupNotice,Team,TrustedDevices}.test.ts",
  "test/imports/{Imports,KeptIds,RoundTrip}.test.ts",
  "test/limits/RealmKeys.test.ts",
  "test/mailbox/{Messages,Pages}.test.ts",
  "test/oauth/{BackchannelLogout,ChangedDocuments,ClientDocuments,ClientSecrets,Consents,DeviceGrants,GrafanaGuide,GrantEnds,Grants,LogoutHints,MailedLinks,PushedRequests,Registration,TokenFlow}.test.ts",
  "test/operators/{CreatedKeys,Operators,SystemRealm}.test.ts",
  "test/realms/{AuthProviders,ClientSecrets,JwtKeys,StatisticsDays}.test.ts",
  "test/security/{AccountAccess,BlockedReplays,RemovedInviters,SpentResetTokens,UserBlocks}.test.ts",
  "test/v1/{AuthenticateKey,Memberships,UserTokens,UsersList}.test.ts",
  "test/v2/{AccountEvents,Authenticate,DomainOwnership,Domains,EventFilters,EventResults,Events,InvitationsBadInput,InvitationsList,InvitationsTokens,LargeOrgs,ListSummaries,LoginEventMethods,Memberships,OperatorMails,Orgs,Realms,Search,Sessions,UsersList}.test.ts",
  "test/wire/{DocumentedQueries,OpenDocs,Pages}.test.ts"
]

/** Tests with their own commands, which `npm test` doesn't run. */
const elsewhere = ["test/browser/**", "test/package/**", "test/pgbouncer/**"]

const withDatabase = { globalSetup: "test/support/globalSetup.ts", setupFiles: "test/suite/eachFile.ts" }

/** Runs the projects one after the other, because a worker that changes projects loads all modules again. */
const turn = (groupOrder: number) => ({ sequence: { groupOrder } })

/** The projects. API tests run on PostgreSQL. `embedded`: the files that (also) run on the embedded database. */
export const projects = (embedded: ReadonlyArray<string>) => [
  { extends: true as const, test: { name: "pure", include: pure, ...turn(0) } },
  {
    extends: true as const,
    test: {
      name: "processes",
      include: [...processes, ...waiting],
      // These tests mostly wait, so three workers keep two cores busier than two. A fourth would cost more CPU time than it saves.
      maxWorkers: 3,
      ...withDatabase,
      ...turn(1)
    }
  },
  {
    extends: true as const,
    test: {
      name: "postgres",
      include: ["test/**/*.test.ts"],
      exclude: [...pure, ...processes, ...waiting, ...elsewhere, "test/**/embedded/**"],
      ...withDatabase,
      ...turn(3)
    }
  },
  {
    extends: true as const,
    test: {
      name: "embedded",
      include: ["test/**/embedded/**/*.test.ts", ...embedded],
      exclude: [...pure, ...processes, ...elsewhere, "test/**/postgres/**"],
      ...withDatabase,
      ...turn(2)
    }
  }
]

export const settings = {
  // Tests don't wait for fixed times. These limits end tests that hang, and are long enough for a busy machine.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  // A worker keeps its modules, so that a service started by one file serves all files of this worker.
  pool: "forks" as const,
  // Embedded databases use memory outside of the heap. Without these flags, V8 would run a full collection for every 64 MB of it.
  execArgv: ["--external-memory-accounted-in-global-limit", "--initial-old-space-size=1500"],
  isolate: false,
  // Node runs the source and the tests directly, as it runs the service. With Vite's runner, each use of an import is a lookup.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: "test/suite/eachWorker.ts",
  // The maximum number of pages of the guides that are tested at the same time.
  maxConcurrency: 3,
  maxWorkers: 2,
  sequence,
  // The log of the service is shown for failed tests only.
  silent: "passed-only" as const,
  reporters: ["default", "./test/suite/Report.ts"]
}

export default defineConfig({ test: { ...settings, projects: projects([...repositories, ...onBothDatabases]) } })
