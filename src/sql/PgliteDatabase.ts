import { PGlite } from "@electric-sql/pglite"

/** An embedded database that is used only through the wire protocol. */
export class PgliteDatabase extends PGlite {
  /** PGlite reads array types for its own queries, which takes 0.2 s of CPU the first time. They are not needed here. */
  override async _initArrayTypes(): Promise<void> {}
}
