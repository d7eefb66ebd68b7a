import { Effect, Option, Predicate } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { explainDatabase } from "../DatabaseFailure.ts"
import { freePort } from "../dev/FreePort.ts"
import { AsJson, printStatus } from "../Output.ts"
import { Screen } from "../Screen.ts"
import { styleOf } from "../Style.ts"
import { WorkDone } from "../WorkDone.ts"

const port = Flag.Int("port").pipe(
  Flag.withAlias("p"),
  Flag.withMetavar("<port>"),
  Flag.filter(
    (port) => port >= 0 && port <= 65_535,
    () => "a whole number from 0 to 65535"
  ),
  Flag.withDefault(3_000),
  Flag.withDescription("The port to listen on; 0 for any free port. Default: 3000")
)

const data = Flag.String("data").pipe(
  Flag.withMetavar("<folder>"),
  Flag.optional,
  Flag.withDescription("Store all data in this folder and reuse it at the next start. Default: store nothing")
)

const callback = Flag.String("callback").pipe(
  Flag.withMetavar("<url>"),
  Flag.filter(
    (text) => /^https?:\/\//.test(text) && URL.canParse(text),
    () => "a URL such as http://localhost:4000/callback"
  ),
  Flag.optional,
  Flag.withDescription("The URL of your app that users return to after login. Default: a stand-in page of this command")
)

const explainPort = <A, E, R>(effect: Effect.Effect<A, E, R>, { port }: { readonly port: number }) =>
  Effect.mapError(effect, (error) => {
    if (!Predicate.isTagged(error, "CannotListen") || !Predicate.hasProperty(error, "happened")) return error
    const todo = `Stop the program that uses it, or choose another port: sallyport dev --port ${port + 1}.`
    return new CommandFailed({ happened: `The service can't listen on port ${port}: ${error.happened}`, todo })
  })

/** Starts a service with sample data for development. */
export const dev = Command.make(
  "dev",
  { port, data, callback },
  Effect.fnUntraced(
    function* ({ port: asked, data, callback }) {
      const screen = yield* Screen
      const isJson = yield* AsJson
      const { note } = yield* WorkDone
      const dataDir = Option.getOrUndefined(data)
      const [{ runDev }, { makeWorkspace }, { serveStandInApp }, { devBanner, devJson }] = yield* Effect.promise(() =>
        Promise.all([
          import("#server/Dev"),
          import("../dev/Workspace.ts"),
          import("../dev/StandInApp.ts"),
          import("../dev/DevBanner.ts")
        ])
      )
      const port = asked === 0 ? yield* freePort : asked
      yield* note(() =>
        dataDir === undefined ? "Nothing was stored." : `All data is in ${dataDir}. Run the same command to continue.`
      )
      yield* printStatus("Starting a development service…")
      const standIn = yield* serveStandInApp(asked === 0 ? 0 : port + 1)
      const appUrl = Option.match(callback, {
        onNone: () => `${standIn.url}/`,
        onSome: (url) => new URL("/", url).href
      })
      const handler = Option.getOrElse(callback, () => `${standIn.url}/callback`)
      const service = runDev({ port, dataDir }, ({ url, key: rootKey, loginUrl: consoleLoginUrl }) =>
        Effect.gen(function* () {
          const { realmId, appId, host, key } = yield* Effect.promise(() =>
            makeWorkspace({ url, rootKey, appUrl, callback: handler, dataDir })
          )
          const pages = `http://${host}:${new URL(url).port}`
          standIn.setPages({
            loginUrl: `${pages}/login`,
            logoutUrl: `${pages}/logout?redirect_uri=${encodeURIComponent(appUrl)}`,
            jwksUrl: `${url}/realms/${realmId}/jwks`
          })
          const loginUrl = `${pages}/login`
          const facts = { url, rootKey, realmId, appId, key, loginUrl, consoleLoginUrl, callback: handler, dataDir }
          const style = styleOf(screen.outIsTerminal, screen.noColor)
          yield* Effect.ignore(
            screen.out(isJson ? `${JSON.stringify(devJson(facts), undefined, 2)}\n` : devBanner(facts, style))
          )
        })
      )
      yield* service
    },
    Effect.scoped,
    explainPort,
    explainDatabase
  )
).pipe(
  Command.withDescription(
    "Starts a development service on this machine only: in memory, in test mode (so its clock can be advanced), with a mailbox instead of a mail server. It has a realm with an app, a user who can log in and an API key, and prints everything you need to log in and call it. Settings in the environment are ignored."
  ),
  Command.withShortDescription("Starts a development service with a realm, a login page and a key"),
  Command.withExamples([
    { command: "npx sallyport dev" },
    {
      command: "sallyport dev --data ./sallyport --callback http://localhost:4000/callback",
      description: "Store the data, and return to your own app after login"
    }
  ])
)
