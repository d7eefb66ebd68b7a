import { MemoryFS } from "@electric-sql/pglite"

/** The files of a new embedded database in memory. After a shutdown, `archive` contains them as a tar archive. */
export class PgliteArchive extends MemoryFS {
  archive: Buffer = Buffer.alloc(0)

  override async closeFs(): Promise<void> {
    const dump = await this.dumpTar("pgdata", "none")
    this.archive = Buffer.from(await dump.arrayBuffer())
    await super.closeFs()
  }
}
