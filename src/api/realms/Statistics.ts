import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { hookTypes } from "#domain/AppHook"
import { loginMethods } from "#domain/LoginMethod"
import { statisticsIntervals } from "#domain/Statistics"
import { ErrorResponses, ReadsFromReplica, RequiredLevel, Resource, TenantAccess } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { Choice, MaybeText, QueryTime } from "../Wire.ts"

const count = (what: string) => describe(Schema.Finite, `The number of ${what}.`, { type: "integer", minimum: 0 })

const time = (what: string) => describe(Schema.Finite, `Unix time in seconds ${what}.`)

const LoginsByMethodBody = Schema.Struct({
  methods: describe(
    Schema.Array(Schema.Literals(loginMethods)),
    "The methods of the logins, in the order used, as on `user.login.succeeded`. Empty for logins that an earlier release recorded."
  ),
  logins: count("logins with these methods")
}).annotate({ identifier: "LoginsByMethod" })

/** The counts of one hour, day or month. */
const IntervalBody = Schema.Struct({
  from: time("at which the interval begins: a full hour, midnight, or midnight of the first of a month, in UTC"),
  logins: count("logins that succeeded (`user.login.succeeded`)"),
  active_users: count("different users who logged in"),
  logins_by_method: describe(Schema.Array(LoginsByMethodBody), "The logins by their methods, most frequent first."),
  failed_logins: count("logins that failed (`user.login.failed`)"),
  blocked_users: count("times that a user was blocked after too many attempts (`user.blocked`)"),
  users_created: count("users created, by themselves or by others (`user.created`), not counting imports"),
  orgs_created: count("orgs created (`org.created`), not counting imports"),
  users_imported: count("users created by imports (`realm.imported`)"),
  orgs_imported: count("orgs created by imports (`realm.imported`)"),
  sessions_ended: count("sessions ended, other than by expiry (`session.deleted`)"),
  webhooks_delivered: count("webhook deliveries started in the interval that succeeded"),
  webhooks_failed: count("webhook deliveries started in the interval that failed permanently"),
  mails_sent: count("emails started in the interval that were sent"),
  mails_failed: count("emails started in the interval that failed permanently")
}).annotate({ identifier: "StatisticsInterval" })

const TotalsBody = Schema.Struct({
  users: count("users"),
  orgs: count("orgs, including closed ones"),
  active_users_day: count("users whose last login was in the last 24 hours"),
  active_users_month: count("users whose last login was in the last 30 days")
}).annotate({ identifier: "RealmTotals" })

const FailingHookBody = Schema.Struct({
  hook_id: describe(Schema.String, "The hook's ID."),
  hook_type: describe(
    Schema.String,
    "The type of the hook, which sends either requests (`webhook`) or emails (`email`).",
    {
      enum: hookTypes
    }
  ),
  failed: count("its deliveries that failed permanently"),
  retrying: count("its deliveries that have failed so far and will be retried"),
  last_destination: describe(MaybeText, "The URL or address of the last attempt that failed."),
  last_result: describe(MaybeText, "The result of the last attempt that failed.")
}).annotate({ identifier: "FailingHook" })

/** Statistics of the activity in a realm (C206). */
export const StatisticsBody = Schema.Struct({
  object: objectType("statistics"),
  interval: describe(Schema.String, "The length of each interval.", { enum: statisticsIntervals }),
  from: time("at which the first interval begins"),
  to: time("at which the last interval ends, exclusive"),
  truncated: describe(
    Schema.Boolean,
    "Whether a number reached 50,000, which is where counting stops. The actual number may be higher."
  ),
  totals: describe(
    TotalsBody,
    "The current numbers of users and orgs, independent of the period. Counting stops at 1,000,000."
  ),
  intervals: describe(Schema.Array(IntervalBody), "The activity in each interval, earliest first."),
  failing_hooks: describe(
    Schema.Array(FailingHookBody),
    "Up to 100 hooks whose deliveries failed in this period, most failures first."
  )
}).annotate({ identifier: "Statistics" })

export const statistics = HttpApiEndpoint.get("statistics", "/v2/realms/:realm_id/statistics", {
  disableCodecs: true,
  params: { realm_id: Schema.String },
  query: {
    interval: Schema.optionalKey(Choice(statisticsIntervals)),
    from: Schema.optionalKey(QueryTime),
    to: Schema.optionalKey(QueryTime)
  },
  success: StatisticsBody
})
  .annotate(RequiredLevel, "read")
  .annotate(Resource, "realm")
  .annotate(ReadsFromReplica, true)
  .middleware(TenantAccess)
  .middleware(ErrorResponses)
