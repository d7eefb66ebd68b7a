import type { PGlite } from "@electric-sql/pglite"

/** The only session of an embedded database. Only one connection can use it at a time. */
export class PgliteSession {
  readonly #database: PGlite
  #released: Promise<void> = Promise.resolve()

  constructor(database: PGlite) {
    this.#database = database
  }

  /** Waits until no other connection is using the session. Returns a function that releases it. */
  async take(): Promise<() => void> {
    const before = this.#released
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#released = promise
    await before
    return () => {
      // A connection that closes during a transaction rolls it back, as on a server.
      void this.run(reset)
        .catch(() => undefined)
        .then(() => resolve())
    }
  }

  /** Runs complete protocol messages and returns all of the database's responses. */
  async run(messages: Uint8Array): Promise<Buffer> {
    const answers: Array<Buffer> = []
    await this.#database.execProtocolRawStream(messages, {
      syncToFs: false,
      // The bytes are in the database's memory, where its next step overwrites them.
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

/** Resets the session for the next connection: rolls back any transaction, and discards prepared statements and settings. */
const reset = Buffer.concat([sync, simpleQuery("rollback"), simpleQuery("discard all")])
