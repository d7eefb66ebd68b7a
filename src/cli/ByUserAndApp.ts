import { Option } from "effect"
import { Flag } from "effect/cli"
import { realmFlag } from "./Flags.ts"

/** The filter options of lists of grants and consents. */
export const byUserAndApp = {
  user: Flag.String("user").pipe(
    Flag.withMetavar("<user>"),
    Flag.optional,
    Flag.withDescription("Only for this user: an ID or email. Default: all")
  ),
  app: Flag.String("app").pipe(
    Flag.withMetavar("<app_id>"),
    Flag.optional,
    Flag.withDescription("Only for this OAuth client. Default: all")
  ),
  realm: realmFlag
}

/** Converts the options to the list's query. */
export const queryByUserAndApp = ({ user, app }: Readonly<Record<"user" | "app", Option.Option<string>>>) => ({
  max_results: 1_000,
  user_id: Option.getOrUndefined(user),
  client_app_id: Option.getOrUndefined(app)
})
