import { HttpApi } from "effect/http-api"
import { ApiKeysV1, ApiKeysV2 } from "./ApiKeys.ts"
import { EventsV1, EventsV2 } from "./Events.ts"
import { RealmsV1, RealmsV2 } from "./Realms.ts"
import { Memberships } from "./v2/Memberships.ts"
import { Orgs } from "./v2/Orgs.ts"
import { Sessions } from "./v2/Sessions.ts"
import { Users } from "./v2/Users.ts"

/** The management API, both versions: every group of the contract's tables that is built. */
export class Api extends HttpApi.make("sallyport")
  .annotate(HttpApi.ParseOptions, { errors: "all" })
  .add(RealmsV2, Users, Orgs, Memberships, Sessions, ApiKeysV2, EventsV2, RealmsV1, ApiKeysV1, EventsV1) {}
