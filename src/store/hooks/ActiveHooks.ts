import type { HookSubscription, HookType } from "#domain/AppHook"
import type { DefaultMailName } from "#domain/DefaultMail"
import type { EventType, Version } from "#domain/Event"
import type { HookId, RealmId } from "#domain/Ids"
import { realmOrNull } from "./AppHookRows.ts"

/** The active hooks of a realm, and those for all realms, that may be subscribed to some events. */
export interface ActiveHooks {
  /** The hooks as serialized by PostgreSQL. The text changes whenever a hook changes. */
  readonly text: string
  readonly hooks: ReadonlyArray<HookSubscription>
}

type Fields = readonly [
  realmId: RealmId,
  id: HookId,
  version: Version,
  eventTypes: ReadonlyArray<EventType>,
  hookType: HookType,
  delay: number,
  defaultOf: DefaultMailName | null
]

/** The fields of a hook's subscription, read from a table named `h`. */
export const hookFields =
  "json_build_array(h.realm_id, h.id, h.version, h.event_types, h.hook_type, h.delay, h.default_of)"

export const noHooks: ActiveHooks = { text: "[]", hooks: [] }

/** Parses the aggregate of `hookFields`. */
export const activeHooks = (text: string): ActiveHooks => {
  if (text === noHooks.text) return noHooks
  const rows: ReadonlyArray<Fields> = JSON.parse(text)
  return {
    text,
    hooks: rows.map(([realmId, id, version, eventTypes, hookType, delay, defaultOf]) => ({
      realmId: realmOrNull(realmId),
      id,
      version,
      eventTypes,
      hookType,
      delay,
      defaultOf
    }))
  }
}
