import { Record } from "effect"
import { WellKnown, type WellKnownPresets } from "#core/external/providers/Presets"
import type { ProviderOptions } from "./TestOptions.ts"

/** The presets of the known providers, overridden by the options. */
export const presetsWith = (options: ProviderOptions = {}): WellKnownPresets => {
  const known: WellKnownPresets = WellKnown.defaultValue()
  return Record.map(known, (preset, type) => {
    const { endpoints, ...others } = options[type] ?? {}
    return { ...preset, ...others, endpoints: { ...preset.endpoints, ...endpoints } }
  })
}
