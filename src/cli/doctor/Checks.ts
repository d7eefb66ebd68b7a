import { certificate } from "./checks/Certificate.ts"
import { databaseClock, serviceClock } from "./checks/Clocks.ts"
import { configuration } from "./checks/Configuration.ts"
import { connections } from "./checks/Connections.ts"
import { database } from "./checks/Database.ts"
import { deliveries } from "./checks/Deliveries.ts"
import { diskSpace } from "./checks/DiskSpace.ts"
import { loginHosts } from "./checks/LoginHosts.ts"
import { mailServer } from "./checks/MailServer.ts"
import { migrations } from "./checks/Migrations.ts"
import { modes } from "./checks/Modes.ts"
import { nodeRelease } from "./checks/NodeRelease.ts"
import { pooler } from "./checks/Pooler.ts"
import { privileges } from "./checks/Privileges.ts"
import { proxy } from "./checks/Proxy.ts"
import { publicUrl } from "./checks/PublicUrl.ts"
import { replica } from "./checks/Replica.ts"
import { runningService } from "./checks/RunningService.ts"
import { secretStrength } from "./checks/SecretStrength.ts"
import { storedSecrets } from "./checks/StoredSecrets.ts"
import { webhook } from "./checks/Webhook.ts"
import type { Check } from "./Subject.ts"

/** All checks in reporting order: first the settings, then the service. */
export const checks: ReadonlyArray<Check> = [
  nodeRelease,
  configuration,
  secretStrength,
  modes,
  publicUrl,
  database,
  diskSpace,
  migrations,
  privileges,
  connections,
  pooler,
  replica,
  storedSecrets,
  deliveries,
  mailServer,
  webhook,
  databaseClock,
  proxy,
  certificate,
  loginHosts,
  runningService,
  serviceClock
]
