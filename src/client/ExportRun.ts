import { ConnectionFailed } from "./Errors.ts"
import type { ExportEnd } from "./generated/types/ExportEnd.ts"
import type { ExportStart } from "./generated/types/ExportStart.ts"
import type { UserRow } from "./generated/types/UserRow.ts"

/** A line of an export: the start marker, a user, or the end marker. */
export type ExportLine = ExportStart | UserRow | ExportEnd

/** The rows of an export, which is requested again for each iteration. Throws if the export was cut off. */
export class ExportRun implements AsyncIterable<UserRow> {
  private readonly route: string
  private readonly open: () => AsyncIterable<ExportLine>

  constructor(route: string, open: () => AsyncIterable<ExportLine>) {
    this.route = route
    this.open = open
  }

  /** Yields all lines, including the markers. An import uses the markers to check that no line is missing. */
  async *lines(): AsyncGenerator<ExportLine, void, undefined> {
    let isComplete = false
    for await (const line of this.open()) {
      isComplete = "object" in line && line.object === "export_end"
      yield line
    }
    if (!isComplete)
      throw new ConnectionFailed({ route: this.route, message: "The export was cut off. Start it again." })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UserRow, void, undefined> {
    for await (const line of this.lines()) if (!("object" in line)) yield line
  }
}
