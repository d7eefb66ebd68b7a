import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { hookTypes } from "#domain/AppHook"
import { statisticsIntervals } from "#domain/Statistics"
import { ErrorResponses, ReadsMuch, RequiredLevel, Resource, TenantAccess } from "../Access.ts"
import { describe, objectType } from "../Description.ts"
import { Choice, MaybeText, QueryTime } from "../Wire.ts"

const count = (what: string) => describe(Schema.Finite, `The number of ${what}.`, { type: "integer", minimum: 0 })

const time = (what: string) => describe(Schema.Finite, `Unix time in seconds ${what}.`)

/** The counts of one hour or one day. */
const IntervalBody = Schema.Struct({
  from: time("at which the interval begins: the full hour, or midnight, of UTC"),
  logins: count("logins that succeeded (`user.login.succeeded`)"),
  failed_logins: count("logins that failed (`user.login.failed`)"),
  blocked_users: count("times that somebody was blocked after many attempts (`user.blocked`)"),
  users_created: count("users created, by themselves or by others (`user.created`)"),
  orgs_created: count("orgs created (`org.created`)"),
  sessions_ended: count("sessions ended, other than by expiry (`session.deleted`)"),
  webhooks_delivered: count("webhook deliveries begun in the interval that were received"),
  webhooks_failed: count("webhook deliveries begun in the interval that were given up"),
  mails_sent: count("mails begun in the interval that were sent"),
  mails_failed: count("mails begun in the interval that were given up")
}).annotate({ identifier: "StatisticsInterval" })

const FailingHookBody = Schema.Struct({
  hook_id: describe(Schema.String, "The hook's ID."),
  hook_type: describe(Schema.String, "What the hook sends: requests (`webhook`) or mails (`email`).", {
    enum: hookTypes
  }),
  failed: count("its deliveries that were given up"),
  retrying: count("its deliveries that have failed so far and will be attempted again"),
  last_destination: describe(MaybeText, "The URL or address of the last attempt that failed."),
  last_result: describe(MaybeText, "What came of that attempt.")
}).annotate({ identifier: "FailingHook" })

/** The activity in a realm, in numbers (C206). */
export const StatisticsBody = Schema.Struct({
  object: objectType("statistics"),
  interval: describe(Schema.String, "The length of each interval.", { enum: statisticsIntervals }),
  from: time("at which the first interval begins"),
  to: time("at which the last interval ends, which it does not include"),
  truncated: describe(
    Schema.Boolean,
    "Whether a number reached 50,000, beyond which none is counted. There may be more than it says."
  ),
  intervals: describe(Schema.Array(IntervalBody), "What happened in each interval, the earliest first."),
  failing_hooks: describe(
    Schema.Array(FailingHookBody),
    "Up to ten hooks with deliveries of this period that failed, most failures first."
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
  .annotate(ReadsMuch, true)
  .middleware(TenantAccess)
  .middleware(ErrorResponses)
