import {
  AppWindow,
  Building2,
  Clock,
  FileKey,
  Gauge,
  Inbox,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Mail,
  MailPlus,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
  Waypoints,
  Webhook
} from "lucide-react"
import type { Level } from "#domain/Level"
import type { ServiceFacts } from "../calls/ConsoleSession.ts"
import type { shellTexts } from "./Texts.ts"

type Texts = (typeof shellTexts)["en"]

/** A navigation entry. */
export interface Entry {
  readonly page: Exclude<keyof Texts["pages"], "realms" | "team">
  /** The path below the realm's. */
  readonly path: string
  readonly icon: LucideIcon
}

interface Group {
  readonly group?: keyof Texts["groups"]
  readonly entries: ReadonlyArray<Entry>
}

const groups: ReadonlyArray<Group> = [
  { entries: [{ page: "overview", path: "", icon: LayoutDashboard }] },
  {
    group: "people",
    entries: [
      { page: "users", path: "/users", icon: Users },
      { page: "orgs", path: "/orgs", icon: Building2 },
      { page: "invitations", path: "/invitations", icon: MailPlus }
    ]
  },
  {
    group: "apps",
    entries: [
      { page: "apps", path: "/apps", icon: AppWindow },
      { page: "clients", path: "/clients", icon: Waypoints },
      { page: "providers", path: "/providers", icon: ShieldCheck }
    ]
  },
  {
    group: "activity",
    entries: [
      { page: "events", path: "/events", icon: ScrollText },
      { page: "hooks", path: "/hooks", icon: Webhook },
      { page: "mails", path: "/mails", icon: Mail }
    ]
  },
  {
    group: "settings",
    entries: [
      { page: "settings", path: "/settings", icon: Settings },
      { page: "limits", path: "/limits", icon: Gauge },
      { page: "jwtKeys", path: "/jwt-keys", icon: FileKey },
      { page: "apiKeys", path: "/api-keys", icon: KeyRound }
    ]
  }
]

/** The groups of the navigation, without features that the service doesn't have or the session can't use. */
export const navigation = (
  { mailbox, virtual_clock }: ServiceFacts,
  may: (needed: Level) => boolean
): ReadonlyArray<Group> => {
  const testing: ReadonlyArray<Entry> = [
    ...(mailbox && may("admin_all_realms") ? [{ page: "mailbox", path: "/mailbox", icon: Inbox } as const] : []),
    ...(virtual_clock ? [{ page: "clock", path: "/clock", icon: Clock } as const] : [])
  ]
  return testing.length === 0 ? groups : [...groups, { group: "testing", entries: testing }]
}

/** The pages about all realms, with the level that each requires. */
export const globalPages = [
  { to: "/realms", page: "realms", level: "read" },
  { to: "/hooks", page: "hooks", level: "admin_all_realms" },
  { to: "/api-keys", page: "apiKeys", level: "admin_all_realms" },
  { to: "/team", page: "team", level: "admin_all_realms" }
] as const satisfies ReadonlyArray<{
  readonly to: string
  readonly page: keyof Texts["pages"]
  readonly level: Level
}>
