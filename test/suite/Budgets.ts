/** The time a test file may take, in milliseconds, on a quiet machine of two cores. */
const USUAL = 5_000

/** Files that may take longer, each with the reason. */
const larger: ReadonlyArray<readonly [file: string, millis: number, reason: string]> = [
  ["test/access/CrossRealmMatrix.test.ts", 15_000, "Every operation, with everything that another realm has"],
  ["test/access/InactiveMatrix.test.ts", 10_000, "Every operation, with everything that can be inactive"],
  ["test/access/LevelMatrix.test.ts", 10_000, "Every operation, with keys of every level"],
  ["test/browser/AppMarkup.test.ts", 35_000, "A page for each of 236 attacks"],
  ["test/browser/Docs.test.ts", 20_000, "The reader of the API, which Chromium takes seconds to draw"],
  ["test/browser/Invitations.test.ts", 10_000, "Many pages, each examined"],
  ["test/browser/LoginOnDesk.test.ts", 30_000, "All pages of an app, twice, each examined"],
  ["test/browser/LoginOnPhone.test.ts", 30_000, "All pages of an app, twice, each examined"],
  ["test/browser/MailPages.test.ts", 8_000, "Many pages, each examined"],
  ["test/browser/Notes.test.ts", 22_000, "Starts the example for each test"],
  ["test/browser/OtherSites.test.ts", 24_000, "Dozens of pages, from one site to another and back"],
  ["test/browser/RelyingParties.test.ts", 30_000, "Four logins and log-outs, one of them with Apache"],
  ["test/browser/ScriptLogins.test.ts", 8_000, "Pages of four sites"],
  ["test/browser/SignupFits.test.ts", 6_000, "Every form in two sizes"],
  ["test/cli/embedded/Dev.test.ts", 12_000, "Starts processes"],
  ["test/core/ImportedHashes.test.ts", 8_000, "Hashes of other products, at the cost they have there"],
  ["test/core/RenderingSteps.test.ts", 8_000, "Templates that are ended by their time"],
  [
    "test/guides/Guides.test.ts",
    50_000,
    "Follows every guide, by the SDK and by curl; some start services, two the kit"
  ],
  ["test/house/Rings.test.ts", 8_000, "Runs the linter on each rule that is broken"],
  ["test/hosted/api/Orders.test.ts", 8_000, "32 random orders of logins, codes and resets"],
  ["test/limits/Limits.test.ts", 8_000, "Hundreds of calls up to each limit"],
  ["test/oauth/GarbledRequests.test.ts", 10_000, "A thousand requests, some of them of 50,000 characters"],
  ["test/oauth/peers/Oauth4webapi.test.ts", 10_000, "The whole way for each type of client, with an RSA key each"],
  ["test/oauth/peers/OpenidClient.test.ts", 10_000, "The whole way for each type of client, with an RSA key each"],
  ["test/oauth/peers/conformance/Comparison.test.ts", 15_000, "A hundred logins and more at two providers"],
  ["test/security/MailboxProofsAnyOrder.test.ts", 10_000, "28 random orders of what attacker and owner do"],
  ["test/security/SlowTemplates.test.ts", 18_000, "Templates that are ended by their time"],
  ["test/package/Programs.test.ts", 15_000, "Starts a dozen programs"],
  ["test/package/Suites.test.ts", 15_000, "Starts three test runners, one after the other"],
  ["test/package/TeamExample.test.ts", 8_000, "Compiles and tests an app"],
  ["test/package/Types.test.ts", 8_000, "Compiles twice, with all libraries"],
  ["test/server/Smtp.test.ts", 8_000, "Mail servers that hang, up to their time limits"],
  ["test/server/embedded/Observed.test.ts", 12_000, "Starts a process, and calls every operation"],
  ["test/server/embedded/OpsPort.test.ts", 12_000, "Starts processes"],
  ["test/server/embedded/Process.test.ts", 25_000, "Starts processes, the first from its source on an empty folder"],
  ["test/server/postgres/OAuthKilled.test.ts", 30_000, "Kills a process four times, with hundreds of tokens"],
  ["test/server/postgres/OAuthRedemptions.test.ts", 12_000, "Two processes, six hundred redemptions"],
  ["test/server/postgres/Actors.test.ts", 18_000, "Three processes, 10,000 invitations and two deletions"],
  ["test/server/postgres/Container.test.ts", 18_000, "Makes the bundle and its image, and starts that four times"],
  ["test/server/postgres/Process.test.ts", 15_000, "Starts processes"],
  ["test/server/postgres/Workers.test.ts", 8_000, "Starts processes"],
  ["test/sql/embedded/DataFolder.test.ts", 10_000, "Starts and kills processes"],
  ["test/sql/postgres/ListIndexes.test.ts", 15_000, "Makes and analyzes 240,000 rows"],
  ["test/wire/Fuzz.test.ts", 45_000, "Some 30,000 requests over HTTP"],
  ["test/wire/Scalars.test.ts", 18_000, "Every member of every body with every kind of value"],
  ["test/wire/WrongTypesAlone.test.ts", 8_000, "Every member of every body with the wrong type"],
  ["test/v2/UsersAnyInput.test.ts", 8_000, "Thousands of random users"],
  ["test/v2/UsersBadInput.test.ts", 8_000, "Every member of a user with what it can't be"]
]

/** The budget of a file, in milliseconds. */
export const budgetOf = (file: string): number => larger.find(([name]) => name === file)?.[1] ?? USUAL
