import { measureConcurrency } from "./Concurrency.ts"
import { measureDecodes } from "./Decodes.ts"
import { measureIssuers } from "./Issuers.ts"
import { measureLongLists } from "./LongLists.ts"
import { measureManyRealms } from "./ManyRealms.ts"
import { measureManyUsers } from "./ManyUsers.ts"
import { measureMixedLoad } from "./MixedLoad.ts"
import { measureOAuthTokens } from "./OAuthTokens.ts"
import { measureOverload } from "./Overload.ts"
import { measurePasskeyLogins } from "./PasskeyLogins.ts"
import { measureProfiles } from "./Profiles.ts"
import { measureSavedContent } from "./SavedContent.ts"
import type { Scenario } from "./Scenario.ts"
import { measureOneAccount } from "./SingleAccount.ts"
import { measureWorkers } from "./Workers.ts"

/** The scenarios whose result is one table, in the order of the report. */
export const scenarios: ReadonlyArray<Scenario> = [
  { name: "concurrency", measure: measureConcurrency },
  { name: "decode", measure: measureDecodes },
  { name: "passkeys", measure: measurePasskeyLogins },
  { name: "oauth", measure: measureOAuthTokens },
  { name: "profiles", measure: measureProfiles },
  { name: "mixed", measure: measureMixedLoad },
  { name: "workers", measure: measureWorkers },
  { name: "realms", measure: measureManyRealms },
  { name: "issuers", measure: measureIssuers },
  { name: "many-users", measure: measureManyUsers },
  {
    name: "overload",
    measure: ({ service, rootKey, url, quick }) => measureOverload(service, rootKey, url, quick ? 5 : 30)
  },
  {
    name: "one-account",
    measure: ({ service, rootKey, url, quick }) => measureOneAccount(service, rootKey, url, quick ? 5 : 40)
  },
  {
    name: "long-lists",
    measure: ({ service, rootKey, url, quick }) => measureLongLists(service, rootKey, url, quick ? 4 : 20)
  },
  {
    name: "saved-content",
    measure: ({ service, rootKey, url, quick }) => measureSavedContent(service, rootKey, url, quick ? 4 : 20)
  }
]
