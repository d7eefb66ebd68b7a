import { defineConfig } from "vitest/config"
import { sequence } from "./test/suite/LongestFirst.ts"

/** Tests without a database that take seconds, most of them of processor time. */
const slowPure = [
  "test/core/{Admission,ContentCleaner,FairHashing,HashCost,ImportedHashes,MailRendering,Passwords,RenderingScheduler,RenderingSteps}.test.ts",
  "test/house/**/*.test.ts",
  "test/security/{MailHeaders,OutboundTargets}.test.ts",
  "test/server/MailThread.test.ts"
]

/** Tests without a database that take a fraction of a second: `npm run test:fast` runs them. */
export const quickPure = [
  "test/actors/{Advance,DatabaseAway,JumpedClock}.test.ts",
  "test/cli/doctor/{Findings,ServiceFindings}.test.ts",
  "test/cli/secrets/Plan.test.ts",
  "test/cli/{Config,Failures,Help,ImportHints,Usage,UsersCalls}.test.ts",
  "test/clients/{AccessTokenProofs,AccessTokens,Authenticator,ProtectedResource,SdkAttempts,SdkOptions}.test.ts",
  "test/console/{CopiedTexts,UserFiles}.test.ts",
  "test/core/{AttestationFormats,BreachedPasswords,ClientAddress,ClientCredentials,CommonPasswords,DrawnElements,Logos,MailLifetimes,MailTemplates,Markup,PasskeyAnswers,Secrets,Signer,Tokens,Totp,TtlCache}.test.ts",
  "test/deploy/*.test.ts",
  "test/domain/**/*.test.ts",
  "test/hosted/{Pages,SignupForm}.test.ts",
  "test/hosted/api/Callbacks.test.ts",
  "test/mailbox/{MailParts,MailTransport}.test.ts",
  "test/server/{BodyTimeouts,Config,DatabaseUrl,FatalLines,LogLines,NodeVersion,PublicUrl,SilentNodes,SourceBuild,UnknownVariables,WorkerSettings,WorkerTotals}.test.ts",
  "test/wire/LocalRequests.test.ts"
]

const pure = [...slowPure, ...quickPure]

/** Tests that wait most of their time: for processes that they start, or for a time limit of the service. */
const processes = [
  "test/cli/embedded/Dev.test.ts",
  "test/guides/*.test.ts",
  "test/hooks/UnreachableDestination.test.ts",
  "test/hooks/postgres/*.test.ts",
  "test/limits/postgres/LateWrites.test.ts",
  "test/oauth/postgres/RealmChanges.test.ts",
  "test/security/SlowBodies.test.ts",
  "test/server/{embedded,postgres}/*.test.ts",
  "test/server/{OpsWorker,OutboundHttp,Smtp}.test.ts",
  "test/sql/postgres/BusyMigrations.test.ts"
]

/** Tests of the surface that wait most of their time: on PostgreSQL they run beside those of `processes`. */
const waiting = [
  "test/core/DeliveriesInOutages.test.ts",
  "test/imports/Streams.test.ts",
  "test/mailbox/Messages.test.ts"
]

/** What runs whole on the embedded database besides its own tests: the SQL layer, repositories, and the tour. */
const repositories = ["test/core/*.test.ts", "test/sql/*.test.ts", "test/tour/Tour.test.ts"]

/**
 * Tests of the surface that also run on the embedded database: together they execute every statement there. At the end of a whole
 * run, the statements gate lists each statement that ran on only one of the two databases, with the file that ran it.
 */
const onBothDatabases = [
  "test/access/{CountIsolation,CrossRealmMatrix,Keys}.test.ts",
  "test/actors/{EventActors,EventRetention}.test.ts",
  "test/apps/{AppResets,Appearance,ConnectedApps}.test.ts",
  "test/cli/{Keys,Realms}.test.ts",
  "test/console/Sessions.test.ts",
  "test/credentials/Credentials.test.ts",
  "test/external/IdempotentLogins.test.ts",
  "test/hooks/{AppHookLevels,AppHooks,DeletedRealms,NotificationLists}.test.ts",
  "test/hosted/{MailboxProofs,UnknownUsers}.test.ts",
  "test/hosted/api/Sessions.test.ts",
  "test/hosted/pages/{Codes,Passkeys,Security,SignupNotice,Team}.test.ts",
  "test/imports/{Imports,RoundTrip}.test.ts",
  "test/limits/RealmKeys.test.ts",
  "test/mailbox/{Messages,Pages}.test.ts",
  "test/oauth/{BackchannelLogout,ChangedDocuments,ClientDocuments,ClientSecrets,Consents,DeviceGrants,GrafanaGuide,GrantEnds,Grants,LogoutHints,MailedLinks,PushedRequests,Registration,TokenFlow}.test.ts",
  "test/realms/{AuthProviders,ClientSecrets,JwtKeys,StatisticsDays}.test.ts",
  "test/security/{AccountAccess,BlockedReplays,RemovedInviters,SpentResetTokens}.test.ts",
  "test/v1/{AuthenticateKey,Memberships,UserTokens,UsersList}.test.ts",
  "test/v2/{AccountEvents,Authenticate,EventFilters,Events,InvitationsBadInput,InvitationsList,InvitationsTokens,LargeOrgs,Memberships,Orgs,Realms,Search,Sessions,UsersList}.test.ts",
  "test/wire/{DocumentedQueries,OpenDocs,Pages}.test.ts"
]

/** What `npm test` leaves to commands of their own. */
const elsewhere = ["test/browser/**", "test/package/**", "test/pgbouncer/**"]

const withDatabase = { globalSetup: "test/support/globalSetup.ts", setupFiles: "test/suite/eachFile.ts" }

/** One project after the other, in whatever order their files are: a worker that changes projects loads everything anew. */
const turn = (groupOrder: number) => ({ sequence: { groupOrder } })

/** The projects. The surface is tested on PostgreSQL, on the embedded database only the files in `embedded`. */
export const projects = (embedded: ReadonlyArray<string>) => [
  { extends: true as const, test: { name: "pure", include: pure, ...turn(0) } },
  {
    extends: true as const,
    test: {
      name: "processes",
      include: [...processes, ...waiting],
      // Three that wait leave two cores less idle than two do; four take more of the processor than they save.
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
  // Nothing waits for time: the limits end what hangs, also on a machine that does other things too.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  // A worker keeps its modules: a service that one file starts serves all files of that worker.
  pool: "forks" as const,
  // The memory of embedded databases lies outside of the heap, where V8 would collect all of it anew for every 64 MB.
  execArgv: ["--external-memory-accounted-in-global-limit", "--initial-old-space-size=1500"],
  isolate: false,
  // Node runs the source and the tests as it runs the service. Through Vite's runner each use of an import is a look-up.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  setupFiles: "test/suite/eachWorker.ts",
  // How many pages of the guides are followed at once.
  maxConcurrency: 3,
  maxWorkers: 2,
  sequence,
  // What a service logs is shown beside a test that failed.
  silent: "passed-only" as const,
  reporters: ["default", "./test/suite/Report.ts"]
}

export default defineConfig({ test: { ...settings, projects: projects([...repositories, ...onBothDatabases]) } })
