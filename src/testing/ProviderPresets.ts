import { WellKnown, type WellKnownPresets } from "#core/external/providers/Presets"
import type { WellKnownType } from "#domain/AuthProvider"
import type { ProviderOptions } from "./TestOptions.ts"

/** The presets of the known providers, with what the options say otherwise. */
export const presetsWith = (options: ProviderOptions = {}): WellKnownPresets => {
  const known = WellKnown.defaultValue()
  const preset = (type: WellKnownType) => {
    const { endpoints, ...others } = options[type] ?? {}
    return { ...known[type], ...others, endpoints: { ...known[type].endpoints, ...endpoints } }
  }
  return {
    facebook: preset("facebook"),
    github: preset("github"),
    google: preset("google"),
    linkedin: preset("linkedin"),
    slack: preset("slack"),
    yahoo: preset("yahoo")
  }
}
