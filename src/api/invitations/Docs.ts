import { documentGroup, page } from "../GroupDocs.ts"
import { org, user } from "../memberships/Samples.ts"
import { invitationToken } from "../users/Docs.ts"
import { InvitationsV2 } from "./V2.ts"

const invitation = {
  id: "nvt_01m7y8xykz3c8m5t1v6q2w9h4r",
  object: "invitation",
  invitation_type: "org",
  realm_id: user.realm_id,
  created_at: 1795238591.2,
  email: "sam@example.com",
  expires_at: 1797830591.2,
  invited_at: null,
  inviting_user_id: user.id,
  org_id: org.id,
  auth_provider_id: null,
  client_app_id: null,
  locale: "en",
  permissions: ["billing:read"],
  token: invitationToken,
  org: { ...org, custom: {} }
} as const

export const invitationsV2 = documentGroup(
  InvitationsV2,
  "Invitations to a realm or to one of its orgs.",
  {
    list: {
      summary: "List invitations",
      description: "Lists the invitations that have not expired.",
      response: page(invitation)
    },
    get: {
      summary: "Get an invitation",
      description: "Includes its `token` for keys of level `write` and above.",
      response: invitation
    },
    create: {
      summary: "Create an invitation",
      description:
        "Does not send the invitation yet. `org_id` is required for the type `org`. `expires_at` defaults to 30 days from now. Sending the invitation for the first time resets it to 30 days ahead, unless you set another expiry there. Event: `invitation.<type>.created`.",
      request: {
        invitation: {
          invitation_type: "org",
          email: invitation.email,
          org_id: org.id,
          inviting_user_id: user.id,
          permissions: ["billing:read"]
        }
      },
      response: invitation
    },
    update: {
      summary: "Update an invitation",
      description:
        "Changes the invitation's permissions and expiry. To change other members, create a new invitation. Event: `invitation.<type>.updated`.",
      request: { invitation: { permissions: "billing:read billing:write" } },
      response: invitation
    },
    invite: {
      summary: "Send an invitation",
      description:
        "Sends the invitation, or sends it again. `expires_at` can be inside the wrapper or next to it. The first time, it defaults to 30 days from now, even if another expiry was set before. After that, it defaults to the current value. Event: `invitation.<type>.invited`, which contains the token.",
      request: { invitation: { expires_at: 4_102_444_800 } },
      response: invitation
    },
    delete: { summary: "Delete an invitation", description: "Event: `invitation.<type>.expired`." }
  },
  { state: { description: "Return only invitations not sent yet (`pending`), or sent (`invited`). Default: all." } }
)
