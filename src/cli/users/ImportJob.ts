import { createHash } from "node:crypto"
import { resolve } from "node:path"
import { Context } from "effect"
import type { BatchLimits } from "./Batches.ts"
import { type Conversion, ofMembers, ofPreset } from "./Conversion.ts"
import type { ImportQuery } from "./ImportCall.ts"
import type { Input } from "./InputFile.ts"
import type { Mapped } from "./Mapping.ts"
import type { PresetOptions } from "./presets/Preset.ts"
import { type PresetName, presets } from "./presets/Presets.ts"
import type { InputFormat } from "./Records.ts"
import type { TextEncoding } from "./TextEncodings.ts"

/** What is imported, how it is read, and where its report goes. */
export interface ImportJob {
  readonly open: () => Promise<Input>
  /** The file; undefined for the standard input. */
  readonly file: string | undefined
  readonly format: InputFormat | undefined
  readonly encoding: TextEncoding
  readonly preset: PresetName | undefined
  readonly options: PresetOptions
  readonly maps: ReadonlyArray<Mapped>
  readonly query: ImportQuery
  readonly report: string
}

/** How much is sent with a call, if not as much as usual: tests send little. */
export const CallLimits = Context.Reference<BatchLimits | undefined>("sallyport/cli/CallLimits", {
  defaultValue: () => undefined
})

const MIB = 1024 * 1024

/** The most rows of a call: the service takes no more. */
const MAX_ROWS = 100_000

/**
 * How much is sent with a call. A call is kept in memory until it is answered, so that it can be sent again. What it has done is
 * noted after it, so that a run that is killed loses no more than that. Calls grow to this size whatever the size of the file, which
 * says little where it is packed: a realm takes 100 an hour, and a million users are thirty.
 */
export const limits: BatchLimits = { rows: MAX_ROWS, bytes: 24 * MIB }

/** Makes the rows of a job. `now`: in Unix seconds. */
export const conversionOf = ({ preset, options, maps }: ImportJob, now: number): Conversion =>
  preset === undefined ? ofMembers(maps) : ofPreset(presets[preset], options, maps, now)

/** What tells two imports of a file apart: where its users go, how the file is read, and where its report is. */
export const jobChecksum = (
  url: string,
  { format, encoding, preset, options, maps, query, report }: ImportJob
): string =>
  createHash("sha256")
    .update(JSON.stringify([url, format, encoding, preset, options, maps, query, resolve(report)]))
    .digest("base64url")
