import { preparing } from "./Database.ts"

const userColumns = `u.id, u.realm_id, u.state, u.email, u.email_pending, u.email_verification, u.username,
  u.first_name, u.last_name, u.name, u.locale, u.reference, u.custom, u.created_at, u.last_login_at`

/** One statement for each operation. */
export const query = preparing({
  sessionWithUser: `select ${userColumns}, s.client_app_id, s.request_ip, s.request_client,
      s.auth_methods, s.authenticated_at, s.last_seen_at, s.created_at as session_created_at, s.expires_at as session_expires_at
    from plain.sessions s join plain.users u on u.realm_id = s.realm_id and u.id = s.user_id
    where s.realm_id = $1 and s.id = $2 and s.expires_at > $3`,
  insertSession: `with u as (select ${userColumns} from plain.users u
      where u.realm_id = $1 and u.id = $3 and u.state = 'active'),
    s as (insert into plain.sessions (realm_id, id, user_id, request_ip, request_client, created_at, expires_at)
      select u.realm_id, $2, u.id, $4, $5, $6, $7 from u)
    select * from u`,
  countAttempt: `update plain.users u set attempts = attempts + 1
    where u.realm_id = $1 and u.id = $2 and u.state = 'active' and u.attempts < 10
    returning u.password_hash`,
  logIn: `with u as (update plain.users u set last_login_at = $6, attempts = 0
      where u.realm_id = $1 and u.id = $3 and u.state = 'active' and u.password_hash = $8 returning ${userColumns}),
    s as (insert into plain.sessions (realm_id, id, user_id, request_ip, request_client, created_at, expires_at)
      select u.realm_id, $2, u.id, $4, $5, $6, $7 from u),
    e as (insert into plain.events (realm_id, id, event_type, event_at, user_id, request_ip, request_client)
      select u.realm_id, $9, 'user.login.succeeded', $6, u.id, $4, $5 from u)
    select * from u`,
  userDetails: `select ${userColumns}, u.credential_id, u.membership_count from plain.users u
    where u.realm_id = $1 and u.id = $2`,
  usersFirst: `select ${userColumns} from plain.users u where u.realm_id = $1 order by u.email, u.id limit $2`,
  usersAfter: `select ${userColumns} from plain.users u where u.realm_id = $1 and (u.email, u.id) >
      ((select a.email from plain.users a where a.realm_id = $1 and a.id = $2), $2)
    order by u.email, u.id limit $3`,
  insertUser: `with u as (insert into plain.users (realm_id, id, created_at, email, username, first_name, last_name,
      name, locale, reference, credential_id, password_hash)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12))
    insert into plain.events (realm_id, id, event_type, event_at, user_id, request_ip, request_client)
      values ($1, $13, 'user.created', $3, $2, $14, $15)`
})
