import { Effect } from "effect"
import { Flag } from "effect/cli"
import { WrongUsage } from "./CommandFailed.ts"

/** A boolean flag: `--name`. */
export const switchFlag = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withoutNegation, Flag.withDefault(false), Flag.withDescription(description))

/** A repeatable flag: `--name <of>`. */
export const severalFlag = (name: string, of: string, description: string): Flag.Flag<ReadonlyArray<string>> =>
  Flag.String(name).pipe(
    Flag.withMetavar(`<${of}>`),
    Flag.atLeast(0),
    // This only makes the help show the flag as optional.
    Flag.withDefault<ReadonlyArray<string>>([]),
    Flag.withDescription(description)
  )

/** The `--realm <realm_id>` option, for API keys that are not bound to a realm. */
export const realmFlag = Flag.String("realm").pipe(
  Flag.withMetavar("<realm_id>"),
  Flag.map((id): string | undefined => id),
  Flag.withDefault<string | undefined>(undefined),
  Flag.withDescription("The ID of the realm. Default: SALLYPORT_REALM, else the realm of sallyport use or of the key")
)

/** An optional text: `--name <of>`. */
export const textFlag = (name: string, of: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(`<${of}>`),
    Flag.optional,
    Flag.withDescription(`${description}. Default: all`)
  )

/** The default number of items in a list. */
const LIMIT = 100

/** `--limit`: the maximum number of items in a list. `what`: their plural. */
export const limitFlag = (what: string) =>
  Flag.Int("limit").pipe(
    Flag.withMetavar("<number>"),
    Flag.withDefault(LIMIT),
    Flag.withDescription(`The maximum number of ${what}. Default: ${LIMIT}`)
  )

/** Rejects a limit that is not positive. */
export const requireLimit = Effect.fnUntraced(function* (limit: number) {
  if (limit < 1) return yield* new WrongUsage({ happened: `--limit ${limit} is not a positive number.` })
})
