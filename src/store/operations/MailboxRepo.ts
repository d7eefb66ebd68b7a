import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { MailId, RealmId } from "#domain/Ids"
import type { MailFilter, StoredMail } from "#domain/Mail"
import { keysetPage } from "../statements/KeysetPage.ts"
import { date, utc } from "../statements/Rows.ts"

/** An email with encrypted content. */
export interface EncryptedMail extends Pick<StoredMail, "id" | "realmId" | "messageId" | "from" | "to" | "createdAt"> {
  readonly content: string
}

interface Row {
  readonly realm_id: RealmId
  readonly id: MailId
  readonly message_id: string
  readonly sender: string
  readonly sender_name: string | null
  readonly recipient: string
  readonly content: string
  readonly created_at: Date
}

const fromRow = (row: Row): EncryptedMail => ({
  id: row.id,
  realmId: row.realm_id,
  messageId: row.message_id,
  from: { address: row.sender, name: row.sender_name },
  to: row.recipient,
  content: row.content,
  createdAt: utc(row.created_at)
})

/** Stores the emails of the development mailbox for all realms. */
export class MailboxRepo extends Context.Service<
  MailboxRepo,
  {
    /** Inserts an email, unless it is already stored or its realm is deleted. */
    insert(mail: EncryptedMail): Effect.Effect<void>
    /** Deletes all emails except the newest `count`. */
    keepNewest(count: number): Effect.Effect<void>
    find(id: string): Effect.Effect<EncryptedMail | undefined>
    /**
     * Returns emails, newest first, and one more than `maxResults`. If `after` is given, only emails older than the one
     * with this id.
     */
    list(filter: MailFilter, after: string | undefined, maxResults: number): Effect.Effect<ReadonlyArray<EncryptedMail>>
    delete(filter: MailFilter): Effect.Effect<void>
  }
>()("sallyport/store/MailboxRepo") {
  static readonly layer = Layer.effect(
    MailboxRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const conditions = ({ realmId, to, toPart, createdAfter, newerThan }: MailFilter) => [
        sql`true`,
        ...(realmId === undefined ? [] : [sql`realm_id = ${realmId}`]),
        ...(to === undefined ? [] : [sql`recipient = ${to}`]),
        ...(toPart === undefined ? [] : [sql`strpos(recipient, ${toPart}) > 0`]),
        ...(createdAfter === undefined ? [] : [sql`created_at > ${date(createdAfter)}`]),
        ...(newerThan === undefined ? [] : [sql`id > ${newerThan}`])
      ]

      return MailboxRepo.of({
        // Locks the realm, so that if it is being deleted concurrently, this email is deleted too.
        insert: (mail) =>
          sql`insert into mails (realm_id, id, message_id, sender, sender_name, recipient, content, created_at)
            select r.id, ${mail.id}, ${mail.messageId}, ${mail.from.address}, ${mail.from.name}, ${mail.to},
              ${mail.content}, ${date(mail.createdAt)}
            from realms r where r.id = ${mail.realmId} and r.deleted_at is null for key share of r
            on conflict (realm_id, message_id) do nothing`.pipe(Effect.asVoid, Effect.orDie),
        keepNewest: (count) =>
          sql`delete from mails where (realm_id, id) in (
            select realm_id, id from mails order by id desc offset ${count})`.pipe(Effect.asVoid, Effect.orDie),
        find: (id) =>
          sql<Row>`select * from mails where id = ${id}`.pipe(
            Effect.map(([row]) => (row === undefined ? undefined : fromRow(row))),
            Effect.orDie
          ),
        list: (filter, after, maxResults) =>
          sql<Row>`select * from mails
            ${keysetPage(sql, conditions(filter), {
              after: after === undefined ? undefined : { id: after },
              maxResults,
              sort: "id",
              direction: "desc"
            })}`.pipe(
            Effect.map((rows) => rows.map(fromRow)),
            Effect.orDie
          ),
        delete: (filter) =>
          sql`delete from mails where ${sql.and(conditions(filter))}`.pipe(Effect.asVoid, Effect.orDie)
      })
    })
  )
}
