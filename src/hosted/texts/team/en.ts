import { type Html, html } from "#platform/Html"

/** The English texts of the team page. Names are passed as markup. */
export const team = {
  title: "Team",
  lead: (org: Html): Html => html`The people in ${org}`,
  saved: {
    role: "The role has been changed.",
    removed: "The member has been removed.",
    left: "You've left the organization.",
    handed_over: "The organization has a new owner. You're no longer its owner.",
    invited: "The invitation has been sent.",
    resent: "The invitation has been sent again.",
    revoked: "The invitation has been withdrawn."
  },
  /** Errors shown above the page. */
  refused: {
    no_team: "You're not a member of this organization.",
    not_allowed: "You don't have permission to do this. Ask an owner of the organization.",
    not_granted: "You can't give this role. Choose another one.",
    member_gone: "This person is no longer a member.",
    invitation_gone: "This invitation has been accepted or withdrawn, or has expired.",
    changed: "Someone else has changed this person's role in the meantime. Check it and try again.",
    last_owner: "You're the only owner. Make someone else the owner first."
  },
  orgs: "Your organizations",
  members: "Members",
  owner: "Owner",
  custom: "Custom role",
  you: "You",
  joined: (date: Html): Html => html`Joined ${date}`,
  roleOf: (name: string): string => `Role of ${name}`,
  manage: "Manage",
  manageOf: (name: string): string => `Manage ${name}`,
  search: "Name or email",
  searchButton: "Search",
  everyone: "Show everyone",
  nobody: (search: Html): Html => html`No members match ${search}.`,
  pages: "Pages",
  first: "First page",
  next: "Next page",
  invite: "Invite someone",
  email: "Email",
  role: "Role",
  inviteButton: "Send invitation",
  invitations: "Open invitations",
  sent: (date: Html): Html => html`Sent ${date}`,
  expires: (date: Html): Html => html`expires ${date}`,
  resend: "Send again",
  resendTo: (email: string): string => `Send again to ${email}`,
  revoke: "Withdraw",
  revokeOf: (email: string): string => `Withdraw the invitation for ${email}`,
  member: "Member",
  back: "Back to the team",
  changeRole: "Change role",
  choose: "Choose a role",
  remove: "Remove from the organization",
  removeLead: (name: Html, org: Html): Html =>
    html`Remove ${name} from ${org}? They'll lose access and need a new invitation to come back.`,
  removeButton: (name: string): string => `Remove ${name}`,
  handOver: "Hand over ownership",
  handOverLead: (name: Html, org: Html): Html =>
    html`Make ${name} the owner of ${org} in your place? You'll stay on as an admin, and only they can make you the owner again.`,
  handOverButton: (name: string): string => `Make ${name} the owner`,
  leave: "Leave this organization",
  leaveTitle: "Leave the organization?",
  leaveLead: (org: Html): Html =>
    html`You'll no longer have access to ${org}. To come back, you'll need a new invitation.`,
  leaveButton: (org: string): string => `Leave ${org}`,
  lastOwner: (org: Html): Html =>
    html`You're the only owner of ${org}, so you can't leave it yet. Choose another member on the team page and make them the owner first.`
}
