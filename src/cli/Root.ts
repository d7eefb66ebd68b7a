import { Command } from "effect/cli"
import { apps } from "./commands/Apps.ts"
import { backup } from "./commands/Backup.ts"
import { completions } from "./commands/Completions.ts"
import { config } from "./commands/Config.ts"
import { consents } from "./commands/Consents.ts"
import { credentials } from "./commands/Credentials.ts"
import { dev } from "./commands/Dev.ts"
import { doctor } from "./commands/Doctor.ts"
import { domains } from "./commands/Domains.ts"
import { events } from "./commands/Events.ts"
import { grants } from "./commands/Grants.ts"
import { health } from "./commands/Health.ts"
import { hooks } from "./commands/Hooks.ts"
import { keys } from "./commands/Keys.ts"
import { listen } from "./commands/Listen.ts"
import { login } from "./commands/Login.ts"
import { logout } from "./commands/Logout.ts"
import { logs } from "./commands/Logs.ts"
import { memberships } from "./commands/Memberships.ts"
import { migrate } from "./commands/Migrate.ts"
import { move } from "./commands/Move.ts"
import { openapi } from "./commands/OpenApi.ts"
import { operators } from "./commands/Operators.ts"
import { orgs } from "./commands/Orgs.ts"
import { realms } from "./commands/Realms.ts"
import { secrets } from "./commands/Secrets.ts"
import { serve } from "./commands/Serve.ts"
import { trigger } from "./commands/Trigger.ts"
import { use } from "./commands/Use.ts"
import { users } from "./commands/Users.ts"
import { whoami } from "./commands/Whoami.ts"
import { AsJson } from "./Output.ts"

/** All commands. Those that call a running service share `--url` and `--key-file` (`withRemote`). */
export const root = Command.make("sallyport").pipe(
  Command.withDescription("Sallyport, the identity service that runs alongside your app"),
  Command.withSubcommands([
    { group: "Run the service", commands: [serve, migrate] },
    {
      group: "Call a running service",
      commands: [
        realms,
        keys,
        operators,
        apps,
        users,
        orgs,
        domains,
        memberships,
        credentials,
        grants,
        consents,
        hooks,
        events,
        logs,
        use
      ]
    },
    { group: "Log in to a realm", commands: [login, logout, whoami] },
    { group: "Operate it", commands: [doctor, health, backup, move, secrets, config] },
    { group: "Develop with it", commands: [dev, listen, trigger, openapi, completions] }
  ]),
  Command.withGlobalFlags([AsJson])
)
