import { createHash } from "node:crypto"
import { resolve } from "node:path"
import { Context } from "effect"
import type { BatchLimits } from "./Batches.ts"
import { type Conversion, memberConversion, presetConversion } from "./Conversion.ts"
import type { ImportQuery } from "./ImportCall.ts"
import type { Input } from "./InputFile.ts"
import type { Mapped } from "./Mapping.ts"
import type { PresetOptions } from "./presets/Preset.ts"
import { type PresetName, presets } from "./presets/Presets.ts"
import type { InputFormat } from "./Records.ts"
import type { TextEncoding } from "./TextEncodings.ts"

/** The parameters of an import: its input, how to read it, and the file for the report. */
export interface ImportJob {
  readonly open: () => Promise<Input>
  /** The input file, or undefined for stdin. */
  readonly file: string | undefined
  readonly format: InputFormat | undefined
  readonly encoding: TextEncoding
  readonly preset: PresetName | undefined
  readonly options: PresetOptions
  readonly maps: ReadonlyArray<Mapped>
  readonly query: ImportQuery
  readonly report: string
}

/** Overrides the batch limits. Tests use smaller ones. */
export const CallLimits = Context.Reference<BatchLimits | undefined>("sallyport/cli/CallLimits", {
  defaultValue: () => undefined
})

const MIB = 1024 * 1024

/** The maximum rows of a call, as limited by the service. */
const MAX_ROWS = 100_000

/**
 * The limits of a call. A call's rows are kept in memory until the response, so that the call can be repeated. Progress
 * is stored after each call, so a killed run loses at most one call. Calls grow to this size regardless of the file's
 * size, which means little for a compressed file. A realm allows 100 calls an hour, and a million users take thirty.
 */
export const callLimits: BatchLimits = { rows: MAX_ROWS, bytes: 24 * MIB }

/** Creates the conversion of a job. `now`: in Unix seconds. */
export const conversionOf = ({ preset, options, maps }: ImportJob, now: number): Conversion =>
  preset === undefined ? memberConversion(maps) : presetConversion(presets[preset], options, maps, now)

/** A checksum that distinguishes imports of the same file, by target, reading options and report. */
export const jobChecksum = (
  url: string,
  { format, encoding, preset, options, maps, query, report }: ImportJob
): string =>
  createHash("sha256")
    .update(JSON.stringify([url, format, encoding, preset, options, maps, query, resolve(report)]))
    .digest("base64url")
