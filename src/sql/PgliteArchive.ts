import { MemoryFS } from "@electric-sql/pglite"

/** The files of a new embedded database in memory. After a shutdown, `archive` contains them as a tar archive. */
export class PgliteArchive extends MemoryFS {
  archive: Buffer = Buffer.alloc(0)

  override async closeFs(): Promise<void> {
    const tar = await this.dumpTar("pgdata", "none")
    this.archive = Buffer.from(await tar.arrayBuffer())
    await super.closeFs()
  }
}
