import { Flag } from "effect/cli"

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
