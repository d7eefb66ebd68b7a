import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { severalFlag } from "../Flags.ts"
import { findProvider } from "../login/Provider.ts"
import { saveLogin, TokenFile, tokenFile } from "../login/TokenFile.ts"
import { awaitTokens, requestCode } from "../login/Tokens.ts"
import { print } from "../Output.ts"
import { Screen } from "../Screen.ts"
import { visible } from "../Visible.ts"
import { WorkDone } from "../WorkDone.ts"

const issuer = Flag.String("issuer").pipe(
  Flag.withMetavar("<url>"),
  Flag.withDescription("The issuer of the realm, such as https://id.example.com/realms/rl_…")
)

const clientId = Flag.String("client-id").pipe(
  Flag.withMetavar("<id>"),
  Flag.withDescription("The ID of a connected app of type device or native that allows the device code grant")
)

const scope = Flag.String("scope").pipe(
  Flag.withMetavar("<scopes>"),
  Flag.withDefault("openid profile email offline_access"),
  Flag.withDescription("The scopes to request, separated by spaces. Default: openid profile email offline_access")
)

const resource = severalFlag(
  "resource",
  "url",
  "The API that the token is for. Default: only the issuer. Can be repeated"
)

/** Logs in with the device flow: shows a code and waits until the user has entered it in a browser. */
export const login = Command.make(
  "login",
  { issuer, clientId, scope, resource },
  Effect.fnUntraced(function* ({ issuer, clientId, scope, resource }) {
    const { err } = yield* Screen
    const { note } = yield* WorkDone
    const file = yield* tokenFile
    const provider = yield* findProvider(issuer)
    const wanted = { issuer, client_id: clientId, scope, resources: resource }
    const prompt = yield* requestCode(provider, wanted)
    // Also with --json, because the code is needed to continue.
    yield* err(
      [
        `Open ${visible(prompt.url)} and enter the code ${visible(prompt.userCode)}.`,
        ...(prompt.completeUrl === undefined
          ? []
          : [`Or open ${visible(prompt.completeUrl)} and check that the code matches.`]),
        "Waiting…",
        ""
      ].join("\n")
    )
    const stored = yield* awaitTokens(provider, wanted, prompt)
    yield* note(() => "You were logged in, but the login was not saved.")
    yield* saveLogin(file, stored)
    yield* note(() => `You are logged in. The tokens are in ${file}.`)
    yield* print(
      {
        issuer,
        client_id: clientId,
        scope: stored.scope,
        resources: stored.resources ?? [],
        file,
        expires_at: stored.expires_at
      },
      `You are logged in. The tokens are in ${file}.`
    )
  })
).pipe(
  Command.withDescription(
    "Logs you in to a realm in a browser, which can be on another machine: shows a URL and a code, waits until you have entered the code, and stores the tokens in a file that only you can read."
  ),
  Command.withShortDescription("Logs in with a browser"),
  Command.withGlobalFlags([TokenFile]),
  Command.withExamples([
    { command: "sallyport login --issuer https://id.example.com/realms/rl_… --client-id lpl_…" },
    {
      command: "sallyport login --issuer … --client-id … --resource https://api.example.com/notes",
      description: "With a token for your API"
    }
  ])
)
