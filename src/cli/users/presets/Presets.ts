import { auth0 } from "./Auth0.ts"
import { cognito } from "./Cognito.ts"
import { devise } from "./Devise.ts"
import { firebase } from "./Firebase.ts"
import { keycloak } from "./Keycloak.ts"
import type { Preset } from "./Preset.ts"
import { supabase } from "./Supabase.ts"

/** The systems whose exports are read as they are. */
export const presets = { auth0, firebase, cognito, keycloak, supabase, devise } satisfies Record<string, Preset>

export type PresetName = keyof typeof presets

export const presetNames: ReadonlyArray<PresetName> = ["auth0", "firebase", "cognito", "keycloak", "supabase", "devise"]
