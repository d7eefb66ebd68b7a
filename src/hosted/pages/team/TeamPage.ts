import { Effect } from "effect"
import { AccountProofs } from "#core/account/AccountProofs"
import { teamInvitations } from "#core/invitations/TeamInvitations"
import { Teams } from "#core/invitations/Teams"
import type { LoggedInVisitor } from "#core/sessions/BrowserSessions"
import type { CurrentRealm } from "#domain/Realm"
import { ADMIN, managesTeam, mayManage } from "#domain/Role"
import { hasTeams, type Team, type TeamRefused } from "#domain/Team"
import type { AppPageFailure, FormFailure } from "../../Errors.ts"
import { pageUrl, withoutTeam } from "../../FlowParams.ts"
import type { FormValues } from "../../Form.ts"
import { type PageResult, queryOf, showView } from "../../HostedPage.ts"
import { problemView } from "../../markup/Notices.ts"
import { type AppRequest, isRead } from "../../RequestShell.ts"
import { type AccountAction, accountPage, type RejectedForm } from "../account/AccountPage.ts"
import { leaveView, memberView } from "./MemberView.ts"
import type { TeamNotices } from "./TeamParts.ts"
import { noTeamView, otherTeamView, teamView } from "./TeamView.ts"

/** An operation started by one of the page's forms. */
type Operation = (
  request: AppRequest,
  browserUser: LoggedInVisitor,
  form: FormValues
) => Effect.Effect<void, TeamRefused | AppPageFailure | FormFailure, CurrentRealm>

const orgIdIn = ({ context }: AppRequest): string => context.flow?.["org"] ?? ""

const memberIn = (request: AppRequest) => ({
  orgId: orgIdIn(request),
  memberId: request.context.flow?.["member"] ?? ""
})

const invitationIn = (request: AppRequest, form: FormValues) => ({
  orgId: orgIdIn(request),
  invitationId: form("invitation")
})

/** Redirects to the page at the same place in the list, which then shows the saved change. `left` means that the user is no longer in the team. */
const savedIn = ({ context }: AppRequest, form: FormValues, change: string): PageResult => {
  const { org } = context.flow ?? {}
  const about = org === undefined || change === "left" ? {} : { org }
  const place = Object.fromEntries(
    ["search", "after"].flatMap((name) => (form(name) === "" ? [] : [[name, form(name)]]))
  )
  return { redirect: pageUrl("team", { ...withoutTeam(context.flow), ...about }, { ...place, saved: change }) }
}

/** `/team` shows the members of an org to each other, and lets admins manage them (C210 to C213). */
export const teamPage = Effect.gen(function* () {
  const teams = yield* Teams
  const invitations = yield* teamInvitations
  const proofs = yield* AccountProofs

  const members = Effect.fnUntraced(function* (
    request: AppRequest,
    team: Team,
    all: ReadonlyArray<Team>,
    refused: RejectedForm | undefined,
    news: TeamNotices
  ) {
    const query: FormValues = isRead(request.http) ? queryOf(request) : () => ""
    const [search, after, invitedAfter] = [query("search").trim(), query("after"), query("invited_after")]
    const isManager = managesTeam(team.own)
    const open = isManager ? yield* invitations.list(team, invitedAfter) : undefined
    return teamView(request.context, {
      ...news,
      teams: all,
      team,
      members: yield* teams.members(team, { after, search }),
      search: isManager ? search : "",
      after,
      invitations: open === undefined ? undefined : { ...open, isLater: invitedAfter !== "" },
      mayInvite: request.app.allowInvitations,
      typed: refused?.way === "invite" ? { email: refused.form("email"), role: refused.form("role") } : undefined
    })
  })

  /** Returns the team of a request: the team in the URL, or else the user's current org, or else the user's oldest org. */
  const chosen = (request: AppRequest, { orgId }: LoggedInVisitor, all: ReadonlyArray<Team>): Team | undefined => {
    const wanted = orgIdIn(request)
    if (wanted !== "") return all.find(({ org }) => org.id === wanted)
    return all.find(({ org }) => org.id === orgId) ?? all[0]
  }

  const show = Effect.fnUntraced(function* (
    request: AppRequest,
    browserUser: LoggedInVisitor,
    refused: RejectedForm | undefined,
    news: TeamNotices
  ) {
    const { context } = request
    if (!hasTeams(context.realm)) return problemView(context.texts, "not_found", 404)
    const all = yield* teams.ofUser(browserUser.user)
    const team = chosen(request, browserUser, all)
    if (team === undefined) return all.length === 0 ? noTeamView(context, news) : otherTeamView(context)
    const { memberId } = memberIn(request)
    if (memberId === "" || news.refusal === "member_gone") return yield* members(request, team, all, refused, news)
    if (memberId === team.own.id) return leaveView(context, team, yield* teams.mayLeave(team), news)
    const member = yield* teams.member(team, memberId)
    if (member !== undefined && mayManage(team.own, member)) {
      return memberView(context, { ...news, team, member, refusedWay: refused?.way })
    }
    const refusal = managesTeam(team.own) && member === undefined ? ("member_gone" as const) : ("not_allowed" as const)
    return yield* members(request, team, all, refused, { refusal, ...news })
  })

  /** Creates an action that shows the change it made, or the reason why it made none. */
  const teamAction =
    (change: string, operation: Operation): AccountAction =>
    (request, browserUser, form) =>
      operation(request, browserUser, form).pipe(
        Effect.as(savedIn(request, form, change)),
        Effect.catchTag("TeamRefused", ({ why }) =>
          Effect.map(show(request, browserUser, undefined, { refusal: why }), showView)
        )
      )

  /** Creates an action that requires a recent proof of identity (C213). */
  const provenTeamAction =
    (change: string, operation: Operation): AccountAction =>
    (request, browserUser, form) =>
      Effect.andThen(proofs.requireRecent(browserUser), teamAction(change, operation)(request, browserUser, form))

  const invite: Operation = (request, { user }, form) =>
    invitations.invite(request.app, user, { orgId: orgIdIn(request), email: form("email"), role: form("role") })

  const grantsAdmin = ({ context }: AppRequest, form: FormValues): boolean =>
    context.realm.roles.some(({ name, permissions }) => name === form("role") && permissions.includes(ADMIN))

  const actions: Readonly<Record<string, AccountAction>> = {
    role: provenTeamAction("role", (request, { user }, form) =>
      teams.changeRole(user, {
        ...memberIn(request),
        role: form("role"),
        seen: form("seen")
          .split(" ")
          .filter((tag) => tag !== "")
      })
    ),
    remove: provenTeamAction("removed", (request, { user }) => teams.remove(user, memberIn(request))),
    hand_over: provenTeamAction("handed_over", (request, { user }) => teams.handOver(user, memberIn(request))),
    leave: provenTeamAction("left", (request, { user }) => teams.leave(user, orgIdIn(request))),
    invite: (request, browserUser, form) =>
      (grantsAdmin(request, form) ? provenTeamAction : teamAction)("invited", invite)(request, browserUser, form),
    resend: teamAction("resent", (request, { user }, form) =>
      invitations.resend(request.app, user, invitationIn(request, form))
    ),
    revoke: teamAction("revoked", (request, { user }, form) => invitations.revoke(user, invitationIn(request, form)))
  }

  const view = (request: AppRequest, browserUser: LoggedInVisitor, refused: RejectedForm | undefined) =>
    show(request, browserUser, refused, {
      saved: isRead(request.http) ? queryOf(request)("saved") : undefined,
      errors: refused?.errors
    })

  // No form on this page checks a secret, and invitations and emails have their own limits.
  return yield* accountPage({ name: "team", actions, uncounted: new Set(Object.keys(actions)), view })
})
