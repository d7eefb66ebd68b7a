import type { PGlite } from "@electric-sql/pglite"

/** The one session of an embedded database, lent to one connection at a time. */
export class PgliteSession {
  readonly #database: PGlite
  #freed: Promise<void> = Promise.resolve()

  constructor(database: PGlite) {
    this.#database = database
  }

  /** Waits until no other connection has the session; answers what gives it back. */
  async take(): Promise<() => void> {
    const before = this.#freed
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#freed = promise
    await before
    return () => {
      // A connection that goes away in mid-transaction takes its transaction with it, as on a server.
      void this.run(reset)
        .catch(() => undefined)
        .then(() => resolve())
    }
  }

  /** Runs whole protocol messages and answers all that the database says to them. */
  async run(messages: Uint8Array): Promise<Buffer> {
    const answers: Array<Buffer> = []
    await this.#database.execProtocolRawStream(messages, {
      syncToFs: false,
      // The bytes lie in the memory of the database and change with its next step.
      onRawData: (bytes) => void answers.push(Buffer.from(bytes))
    })
    return Buffer.concat(answers)
  }
}

const simpleQuery = (sql: string): Buffer => {
  const message = Buffer.alloc(6 + Buffer.byteLength(sql))
  message.write("Q", 0)
  message.writeInt32BE(message.length - 1, 1)
  message.write(sql, 5)
  return message
}

const sync = Buffer.from([0x53, 0, 0, 0, 4])

/** Leaves the session as a new connection expects it: no transaction, no prepared statement, no setting. */
const reset = Buffer.concat([sync, simpleQuery("rollback"), simpleQuery("discard all")])
