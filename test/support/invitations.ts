import { expect } from "vitest"
import type { Reply } from "#testing/Api"
import type { GivenRealm } from "#testing/Given"
import { STARTS_AT } from "#testing/TestSallyport"

/** The time of the shared service and the length of a day, in seconds. */
export const now = STARTS_AT / 1000
export const days = (count: number): number => count * 86_400

/** An event of an invitation, in the form that tests compare. */
export const invitationEvent = (what: string, invitation: Reply, related: object = {}) => {
  const org_id = invitation.member("org_id")
  return {
    event_type: `invitation.${invitation.string("invitation_type")}.${what}`,
    invitation_id: invitation.id,
    ...(org_id === null ? {} : { org_id }),
    ...related
  }
}

export const ids = (reply: Reply) => reply.items.map(({ id }) => id)

/** Status and body of a response. */
export const statusAndBody = (reply: Reply) => ({ status: reply.status, body: reply.body })

/** Status and messages of a rejection. */
export const rejectionOf = (reply: Reply) => ({ status: reply.status, errors: reply.errors })

/** An ID of the same form that doesn't exist. */
export const unknownId = (id: string) => id.replace(/.{8}$/, "zzzzzzzz")

export const notThere = { status: 404, errors: ["Invitation could not be found."] }

/** A sent invitation, by default to an org, and its link on an app's host. */
export const sentWithLink = async (realm: GivenRealm, attributes: object = {}) => {
  const org = await realm.org({ name: "Pilots" })
  const made = await realm.invitation({ org_id: org.id, permissions: "x:y", ...attributes })
  await realm.post(`/v2/invitations/${made.id}/invite`, {})
  return { org, made, link: `/invitation?token=${made.string("token")}` }
}

/** The event of a membership, in the form that tests compare. */
export const membershipEvent = (user: string, org: string) => ({
  event_type: "membership.created",
  user_id: user,
  org_id: org,
  membership_id: expect.stringMatching(/^mb_/)
})
