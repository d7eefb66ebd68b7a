import { Effect } from "effect"
import type { ConnectedApp } from "#domain/ConnectedApp"
import { canonicalEmail } from "#domain/Email"
import { isId } from "#domain/Ids"
import { CurrentRealm } from "#domain/Realm"
import { rejection } from "#domain/Rejected"
import { isOwner, managesTeam, mayGrant } from "#domain/Role"
import { type Team, TeamRefused } from "#domain/Team"
import type { User } from "#domain/User"
import { RateLimits } from "../limits/RateLimits.ts"
import { Invitations } from "./Invitations.ts"
import { MemberInvites } from "./MemberInvites.ts"
import { TEAM_PAGE, Teams } from "./Teams.ts"

/** An invitation to a team, as identified in a form. */
export interface TeamInvitation {
  readonly orgId: string
  readonly invitationId: string
}

/** An invitation to send: the email, and the role in the team. */
export interface TeamInvite {
  readonly orgId: string
  readonly email: string
  readonly role: string
}

/** Lets the admins of an org send and revoke invitations on the hosted pages (C212). */
export const teamInvitations = Effect.gen(function* () {
  const teams = yield* Teams
  const invitations = yield* Invitations
  const invites = yield* MemberInvites
  const rateLimits = yield* RateLimits

  const sent = (team: Team, email: string | undefined) =>
    ({ invitationType: undefined, orgId: team.org.id, state: "invited", email }) as const

  const page = { maxResults: TEAM_PAGE, sort: "id", direction: "asc" } as const

  /** A page of the invitations that were sent but not yet accepted, oldest first. */
  const list = Effect.fn("TeamInvitations.list")(function* (team: Team, after: string) {
    const position = isId("invitation", after) ? { id: after } : undefined
    return yield* Effect.orDie(invitations.list(sent(team, undefined), { ...page, after: position }))
  })

  /** Finds the team of this org, if the user manages it. */
  const managed = Effect.fnUntraced(function* (user: User, orgId: string) {
    const team = (yield* teams.ofUser(user)).find(({ org }) => org.id === orgId)
    if (team === undefined) return yield* new TeamRefused({ why: "no_team" })
    return managesTeam(team.own) ? team : yield* new TeamRefused({ why: "not_allowed" })
  })

  /** Finds an invitation to this team. */
  const find = Effect.fnUntraced(function* (team: Team, id: string) {
    const gone = new TeamRefused({ why: "invitation_gone" })
    const found = yield* Effect.mapError(invitations.get(id), () => gone)
    return found.orgId === team.org.id && found.invitedAt !== null ? found : yield* gone
  })

  /** Sends an invitation with a role that the user is allowed to grant. Records the events of `MemberInvites.invite`. */
  const invite = Effect.fn("TeamInvitations.invite")(function* (
    app: ConnectedApp,
    user: User,
    { orgId, email, role: name }: TeamInvite
  ) {
    const { roles } = yield* CurrentRealm
    const team = yield* managed(user, orgId)
    const role = roles.find((one) => one.name === name)
    if (role === undefined || !mayGrant(team.own, role)) return yield* new TeamRefused({ why: "not_granted" })
    const address = canonicalEmail(email)
    const filter = address === undefined ? undefined : sent(team, address)
    const open =
      filter === undefined
        ? []
        : (yield* Effect.orDie(invitations.list(filter, { ...page, maxResults: 1, after: undefined }))).items
    if (open.length > 0) return yield* rejection("email", "already_invited")
    yield* invites
      .invite(app, user, { email, orgId, permissions: role.permissions })
      .pipe(Effect.catchTag("InvitingNotAllowed", () => Effect.fail(new TeamRefused({ why: "not_allowed" }))))
  })

  /** Sends an invitation again. Records `invitation.<type>.invited`. */
  const resend = Effect.fn("TeamInvitations.resend")(function* (
    app: ConnectedApp,
    user: User,
    { orgId, invitationId }: TeamInvitation
  ) {
    const team = yield* managed(user, orgId)
    const found = yield* find(team, invitationId)
    const isAllowed = app.allowInvitations && mayGrant(team.own, found)
    if (!isAllowed) return yield* new TeamRefused({ why: "not_allowed" })
    yield* rateLimits.takeVisitorMail
    yield* Effect.catchTag(invitations.invite(found.id, undefined), "InvitationNotFound", () =>
      Effect.fail(new TeamRefused({ why: "invitation_gone" }))
    )
  })

  /** Revokes an invitation. Records `invitation.<type>.expired`. */
  const revoke = Effect.fn("TeamInvitations.revoke")(function* (user: User, { orgId, invitationId }: TeamInvitation) {
    const team = yield* managed(user, orgId)
    const found = yield* find(team, invitationId)
    if (isOwner(found) && !isOwner(team.own)) return yield* new TeamRefused({ why: "not_allowed" })
    yield* Effect.catchTag(invitations.delete(found.id), "InvitationNotFound", () =>
      Effect.fail(new TeamRefused({ why: "invitation_gone" }))
    )
  })

  return { list, invite, resend, revoke }
})
