import { Api } from "#testing/Api"
import { waitForRow, withClient } from "../../test/harness/Database.ts"
import { type Program, start, timeToFirstResponse } from "../../test/harness/Servers.ts"

/** The time that three processes need to expire invitations that all expire at the same time. */
export interface InvitationExpiry {
  readonly invitations: number
  /** The seconds from the expiry time to the last expiry, and from the first expiry to the last. */
  readonly secondsFromDue: number
  readonly secondsAtWork: number
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const PROCESSES = 3

const insertInvitations = `insert into invitations (realm_id, id, invitation_type, email, locale, permissions, org_id,
    token_digest, token, created_at, expires_at)
  select $1, 'nvt_' || lpad(to_hex(n), 10, '0') || repeat('0', 16), 'org', 'guest' || n || '@example.test', 'en', '{}', $2,
    sha256(n::text::bytea), 'sealed', $3::timestamptz - interval '30 days', $3 from generate_series(1, $4::int) n`

/** Inserts invitations with the same expiry time and waits until all have expired. */
export const measureInvitationExpiry = (
  program: Program,
  rootKey: string,
  url: string,
  invitations: number
): Promise<InvitationExpiry> =>
  withClient(url, async (client) => {
    const servers = await Promise.all(Array.from({ length: PROCESSES }, () => start(program)))
    for (const server of servers) await timeToFirstResponse(server, "/healthz")
    const root = new Api(`http://127.0.0.1:${servers[0]?.port}`, rootKey)
    const realm = await root.post("/v2/realms", { realm: { name: "Guests", jwt_algo: "hs256" } })
    const org = await new Api(root.url, rootKey, realm.id).post("/v2/orgs", { org: { name: "Org" } })
    const due = new Date(Date.now() + 3_000)
    await client.query(insertInvitations, [realm.id, org.id, due, invitations])
    await client.query("analyze invitations")
    await waitForRow(client, "select where not exists (select from invitations where realm_id = $1)", [realm.id])
    const ended = Date.now()
    const { rows } = await client.query<{ events: number; distinct: number; began: Date }>(
      `select count(*)::int as events, count(distinct invitation_id)::int as distinct, min(event_at) as began from events
        where realm_id = $1 and event_type = 'invitation.org.expired'`,
      [realm.id]
    )
    for (const server of servers) await server.stop("SIGKILL")
    const [found] = rows
    const right = found?.events === invitations && found.distinct === invitations
    return {
      invitations,
      secondsFromDue: (ended - due.getTime()) / 1_000,
      secondsAtWork: (ended - (found?.began.getTime() ?? ended)) / 1_000,
      wrong: right ? 0 : 1,
      firstWrong: right ? undefined : `${found?.events} events of ${found?.distinct} invitations`
    }
  })
