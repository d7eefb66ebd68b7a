import { PGlite } from "@electric-sql/pglite"

/** An embedded database that is only used through the wire protocol. */
export class PgliteDatabase extends PGlite {
  /** Skips reading array types. PGlite needs them only for its own queries, and the first time takes 0.2 s of CPU. */
  override async _initArrayTypes(): Promise<void> {}
}
