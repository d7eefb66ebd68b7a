import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { Environment } from "../Environment.ts"
import { fields } from "../Fields.ts"
import { errorText, findProvider, sendRequest, textIn } from "../login/Provider.ts"
import { readLogin, type StoredLogin, saveLogin, TokenFile, tokenFile } from "../login/TokenFile.ts"
import { loginAgain, tokenForIssuer, validLogin } from "../login/Tokens.ts"
import { print } from "../Output.ts"
import { readRemembered } from "../Remembered.ts"
import { serviceUrl, Url } from "../Remote.ts"

/** The command that logs in with an additional scope. */
const withScope = (login: StoredLogin, scope: string) => loginAgain({ ...login, scope: `${login.scope} ${scope}` })

/** Shows the logged-in user, as reported by the issuer. */
export const whoami = Command.make(
  "whoami",
  {},
  Effect.fnUntraced(function* () {
    const file = yield* tokenFile
    const stored = yield* readLogin(file)
    const provider = yield* findProvider(stored.issuer)
    const login = yield* validLogin(provider, stored)
    if (login !== stored) yield* saveLogin(file, login)
    const url = provider.userinfo_endpoint
    if (url === undefined) return yield* new CommandFailed({ happened: "The issuer doesn't provide user information." })
    const asking = yield* tokenForIssuer(provider, login)
    if (asking === undefined) {
      const happened = "The token is only for other services, so the issuer doesn't accept it."
      return yield* new CommandFailed({ happened, done: "", todo: withScope(login, "offline_access") })
    }
    if (asking.login !== login) yield* saveLogin(file, asking.login)
    const answer = yield* sendRequest(url, asking)
    if (answer.status === 401) {
      return yield* new CommandFailed({ happened: "The login has ended.", done: "", todo: loginAgain(login) })
    }
    if (answer.status === 403) {
      const happened = "The login doesn't include user information."
      return yield* new CommandFailed({ happened, done: "", todo: withScope(login, "openid") })
    }
    if (answer.status !== 200) return yield* new CommandFailed({ happened: errorText(answer) })
    const { resources = [] } = login
    const service = yield* serviceUrl
    const realm = (yield* Environment).realm ?? (yield* readRemembered).realms[service]
    const shown = Object.entries({
      User: textIn(answer.body, "sub"),
      Name: textIn(answer.body, "name"),
      Email: textIn(answer.body, "email"),
      Issuer: login.issuer,
      Client: login.client_id,
      Scope: login.scope,
      For: resources.length === 0 ? undefined : resources.join(" "),
      Realm: realm === undefined ? undefined : `${realm} (at ${service})`
    })
    const known = shown.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    yield* print(
      {
        ...answer.body,
        issuer: login.issuer,
        client_id: login.client_id,
        scope: login.scope,
        resources,
        realm_id: realm ?? null
      },
      fields(Object.fromEntries(known))
    )
  })
).pipe(
  Command.withDescription(
    "Shows the user logged in by sallyport login, as reported by the issuer, and the realm of sallyport use. Refreshes the login if necessary."
  ),
  Command.withShortDescription("Shows who is logged in"),
  Command.withGlobalFlags([TokenFile, Url]),
  Command.withExamples([{ command: "sallyport whoami" }])
)
