import { auth0 } from "./Auth0.ts"
import { cognito } from "./Cognito.ts"
import { devise } from "./Devise.ts"
import { firebase } from "./Firebase.ts"
import { keycloak } from "./Keycloak.ts"
import type { Preset } from "./Preset.ts"
import { supabase } from "./Supabase.ts"

/** The supported systems. */
export const presets = { auth0, firebase, cognito, keycloak, supabase, devise } satisfies Record<string, Preset>

/** The system whose exports have these columns, or undefined if they don't identify one. */
export const presetOfColumns = (columns: ReadonlyArray<string>): PresetName | undefined =>
  presetNames.find((name) => presets[name].marks.some((marks) => marks.every((mark) => columns.includes(mark))))

export type PresetName = keyof typeof presets

export const presetNames: ReadonlyArray<PresetName> = ["auth0", "firebase", "cognito", "keycloak", "supabase", "devise"]
