import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { ConnectedApp } from "#client/generated/types/ConnectedApp"
import { clientTypes } from "#domain/clients/OAuthClient"
import { appSettingsOf, settingFlags } from "../apps/AppFlags.ts"
import { shownApp } from "../apps/ShownApp.ts"
import { parsed, WrongUsage } from "../CommandFailed.ts"
import { realmFlag } from "../Flags.ts"
import { print } from "../Output.ts"
import { remoteIn } from "../Remote.ts"

/** The ID of an app, as an argument. */
export const appId = Argument.String("app_id").pipe(
  Argument.withDescription(
    "The ID of the app, such as lpl_01m7y8xyj4bmw0ek0bz2h2g9tn; for an OAuth client, its client_id"
  )
)

/** Prints an app with its secret, which is shown only once. */
const printWithSecret = (app: ConnectedApp, more = "") =>
  print(
    app,
    `${shownApp(app)}${app.client_secret === undefined ? "" : `\n\nSave the secret now: it won't be shown again.${more}`}`
  )

const name = Argument.String("name").pipe(Argument.withDescription("The name, which users see when asked for consent"))

const type = Flag.Literals("type", clientTypes).pipe(
  Flag.withMetavar("<type>"),
  Flag.optional,
  Flag.withDescription(
    "The type: an app with hosted pages (standard, the default), or a type of OAuth client. Can't be changed later"
  )
)

/** `sallyport apps create` */
export const appsCreate = Command.make(
  "create",
  { name, type, ...settingFlags, realm: realmFlag },
  Effect.fnUntraced(function* ({ name, type, realm, ...given }) {
    const settings = yield* parsed(() => appSettingsOf(given))
    const { change } = yield* remoteIn(realm)
    const app = yield* change(`The app ${name} was created.`, (sallyport, options) =>
      sallyport.clientApps.create({ ...settings, name, client_type: Option.getOrUndefined(type) }, options)
    )
    yield* printWithSecret(app)
  })
).pipe(
  Command.withDescription(
    "Registers an app. An OAuth client's secret is shown once. Requires a key of level admin_realm."
  ),
  Command.withShortDescription("Registers an app or OAuth client"),
  Command.withExamples([
    {
      command:
        "sallyport apps create Grafana --type web --redirect-uri https://grafana.example.com/login/generic_oauth",
      description: "Software that says “Sign in with OpenID Connect”"
    },
    {
      command: "sallyport apps create Nightly --type machine --scope notes:read --resource https://api.example.com",
      description: "A program that acts on its own behalf"
    },
    {
      command: "sallyport apps create Acme --set login_handler=https://app.example.com/callback",
      description: "An app with hosted login pages"
    }
  ])
)

/** `sallyport apps update` */
export const appsUpdate = Command.make(
  "update",
  { id: appId, ...settingFlags, realm: realmFlag },
  Effect.fnUntraced(function* ({ id, realm, ...given }) {
    const settings = yield* parsed(() => appSettingsOf(given))
    if (Object.keys(settings).length === 0) {
      return yield* new WrongUsage({
        happened: "No settings given.",
        todo: "Give a setting, as in --set access_token_minutes=10. sallyport apps get --json shows all settings."
      })
    }
    const { change } = yield* remoteIn(realm)
    const app = yield* change(`The app ${id} was changed.`, (sallyport, options) =>
      sallyport.clientApps.update(id, settings, options)
    )
    yield* print(app, shownApp(app))
  })
).pipe(
  Command.withDescription(
    "Changes settings of an app; others stay the same. A repeatable option replaces the whole list. Requires a key of level admin_realm."
  ),
  Command.withShortDescription("Changes settings of an app"),
  Command.withExamples([
    { command: "sallyport apps update lpl_01m7y8xyj4bmw0ek0bz2h2g9tn --scope openid --scope email --consent ask" },
    { command: "sallyport apps update lpl_01m7y8xyj4bmw0ek0bz2h2g9tn --set state=inactive" }
  ])
)

/** `sallyport apps rotate-secret` */
export const appsRotateSecret = Command.make(
  "rotate-secret",
  { id: appId, realm: realmFlag },
  Effect.fnUntraced(function* ({ id, realm }) {
    const { change } = yield* remoteIn(realm)
    const app = yield* change(
      `The app ${id} has a new secret that could not be shown. Rotate it again.`,
      (sallyport, options) => sallyport.clientApps.rotateSecret(id, {}, options)
    )
    yield* printWithSecret(app, " The previous secret works for another 24 hours.")
  })
).pipe(
  Command.withDescription(
    "Gives an OAuth client a new secret and shows it once. The previous secret works for another 24 hours, unless you rotate again: after a leak, rotate twice. Requires a key of level admin_realm."
  ),
  Command.withShortDescription("Gives an OAuth client a new secret"),
  Command.withExamples([
    { command: "sallyport apps rotate-secret lpl_01m7y8xyj4bmw0ek0bz2h2g9tn --json | jq -r .client_secret > secret" }
  ])
)
