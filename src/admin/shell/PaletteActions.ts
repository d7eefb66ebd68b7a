import type { Level } from "#domain/Level"
import type { shellTexts } from "./Texts.ts"

/** An action of the palette that starts on a page of the realm. */
interface StartedAction {
  readonly name: keyof (typeof shellTexts)["en"]["actions"]
  /** The path below the realm's. */
  readonly path: string
  readonly level: Level
}

/** The actions that can be started from any page of a realm. */
export const startedActions: ReadonlyArray<StartedAction> = [
  { name: "createUser", path: "/users/new", level: "write" },
  { name: "importUsers", path: "/users/import", level: "admin_realm" },
  { name: "exportUsers", path: "/users?export", level: "admin_realm" },
  { name: "createOrg", path: "/orgs/new", level: "write" },
  { name: "invite", path: "/invitations/new", level: "write" },
  { name: "createApp", path: "/apps/new", level: "admin_realm" },
  { name: "createClient", path: "/clients/new", level: "admin_realm" },
  { name: "addProvider", path: "/providers/new", level: "admin_realm" },
  { name: "createHook", path: "/hooks/new", level: "admin_realm" },
  { name: "createMail", path: "/mails/new", level: "admin_realm" },
  { name: "createApiKey", path: "/api-keys?create", level: "admin_realm" },
  { name: "rotateJwtKey", path: "/jwt-keys?rotate", level: "admin_realm" }
]
