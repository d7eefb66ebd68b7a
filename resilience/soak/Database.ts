import type { Client } from "pg"
import { encodeId } from "#domain/Ids"

const DAY = 86_400_000

/** The age of the inserted events that the service is to clear. It is beyond the default retention. */
const AGE = 400 * DAY

/** Reads and changes the database without using the service. */
export class SoakDatabase {
  private made = 0
  private readonly client: Client
  private readonly realmId: string

  constructor(client: Client, realmId: string) {
    this.client = client
    this.realmId = realmId
  }

  private async count(query: string): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>(query)
    return rows[0]?.count ?? 0
  }

  /** The number of connections, excluding this program's. */
  connections(): Promise<number> {
    return this.count(`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
  }

  /** The number of emails and webhooks waiting for an attempt. */
  undelivered(): Promise<number> {
    return this.count("select count(*)::int as count from deliveries where state = 'in_progress'")
  }

  sessions(): Promise<number> {
    return this.count("select count(*)::int as count from sessions")
  }

  /** The number of events that are old enough to be cleared. */
  uncleared(): Promise<number> {
    const before = encodeId("event", { millis: Date.now() - AGE + DAY, random: [0, 0] })
    return this.count(`select count(*)::int as count from events where id < '${before}'`)
  }

  /** Inserts events for the service to clear. They are copies of a new event, backdated by more than a year. */
  async addOldEvents(count: number): Promise<void> {
    const millis = Date.now() - AGE
    const ids = Array.from({ length: count }, () => encodeId("event", { millis, random: [0, ++this.made] }))
    await this.client.query(
      `insert into events select (jsonb_populate_record(e, jsonb_build_object('id', new.id, 'event_at', $3::text))).*
        from events e, unnest($2::text[]) as new (id)
        where e.realm_id = $1 and e.id = (select max(id) from events where realm_id = $1)`,
      [this.realmId, ids, new Date(millis).toISOString()]
    )
  }
}
