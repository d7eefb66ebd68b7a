import { PGlite } from "@electric-sql/pglite"

/** An embedded database of which only the protocol is used. */
export class PgliteDatabase extends PGlite {
  /** PGlite asks for the types of arrays, for queries of its own. The first time takes 0.2 s of CPU. */
  override async _initArrayTypes(): Promise<void> {}
}
