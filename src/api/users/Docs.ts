import { credential } from "../credentials/Docs.ts"
import { documentGroup, page, sortedBy } from "../GroupDocs.ts"
import { membership, org, request, user, userV1 } from "../memberships/Samples.ts"
import { UsersV1 } from "./V1.ts"
import { UsersV2 } from "./V2.ts"

/** A complete sample user in `/v2`. */
export const readUser = {
  ...user,
  custom: {},
  credentials: [credential],
  deletion_at: null,
  membership_count: 1
} as const

/** The sample user in `/v1`. */
export const readUserV1 = { ...userV1, custom: {}, credentials: [credential], membership_count: 1 } as const

/** A sample API user. Only `/v1` has API users. */
export const apiUserV1 = {
  id: "usr_01m7y8xym7c9d2k4n6q8s0v3xz",
  object: "user",
  state: "active",
  realm_id: user.realm_id,
  user_type: "api",
  created_at: user.created_at,
  last_login_at: 1795238591.3,
  reference: null,
  username: "importer",
  email: null,
  name: "importer",
  custom: {},
  credentials: [{ ...credential, id: "crd_01m7y8xym8f3h5j7m9p1r4t6wb", credential_type: "api_key" }],
  membership_count: 0
} as const

/** The token of the sample invitation. */
export const invitationToken = "nvt_4Tq8Zc1VnM6rXe0KdYb3LwPs9Hg5Ju2AiFo7RtBxQmC"

const about = "The people and programs that log in."

const shared = {
  delete: {
    summary: "Delete a user",
    description: "Events: `user.deleted`; `membership.deleted` and `session.deleted` for each membership and session."
  }
} as const

export const usersV1 = documentGroup(
  UsersV1,
  about,
  {
    ...shared,
    list: { summary: "List users", response: page(userV1) },
    get: {
      summary: "Get a user",
      description:
        "Includes an API user's `api_key` for keys of level `write` and above, if the realm's `api_key_policy` is `encrypt`.",
      response: readUserV1
    },
    create: {
      summary: "Create a user",
      description:
        "With `org_ids` or `org`, also creates memberships with the given `permissions`. With only `permissions`, creates one membership without an org. `token` is a signup token, whose data takes precedence over the other members. Events: `user.created`; `user.email.verification_requested` or `user.email.verified`; `org.created`; `membership.created` for each membership.",
      request: {
        user: {
          user_type: "human",
          username: "jo",
          email: "jo.doe@example.com",
          password: "correct horse battery",
          first_name: "Jo",
          last_name: "Doe"
        },
        org: { name: "Jo & Sons" },
        permissions: ["ar:owner", "billing:read"],
        request
      },
      response: readUserV1
    },
    update: {
      summary: "Update a user",
      description:
        "Changes only the members you send. Events: `user.updated`; `user.email.verification_requested` or `user.email.verified`.",
      request: { user: { first_name: "Joan" } },
      response: readUserV1
    }
  },
  {
    sort: sortedBy(
      "username",
      "`name_alt` sorts by last name, then first name. Users without the sorted value come first. "
    )
  }
)

export const usersV2 = documentGroup(
  UsersV2,
  about,
  {
    ...shared,
    list: {
      summary: "List users",
      description:
        "Lists human users. API users are listed under `/v1`. `search` matches the beginning of a user's email, pending email, username, name (`Ada Lovelace`, `Lovelace` or `Lovelace, Ada`), ID or reference. References are case-sensitive.",
      response: page(user)
    },
    get: { summary: "Get a user", response: readUser },
    create: {
      summary: "Create a user",
      description:
        "With `org_ids` or `org`, also creates memberships with the given `permissions`. Events: `user.created`; `user.email.verifying` or `user.email.verified`; `org.created`; `membership.created` for each membership.",
      request: {
        user: { email: "jo@example.com", password: "correct horse battery", first_name: "Jo", last_name: "Doe" },
        org: { name: "Jo & Sons" },
        permissions: ["ar:owner", "billing:read"],
        request
      },
      response: readUser
    },
    update: {
      summary: "Update a user",
      description:
        "An administrative update. Changes only the members you send. Events: `user.updated`; `user.email.updating`, `user.email.verifying`, `user.email.verified`; `session.deleted` for each session that ends.",
      request: { user: { first_name: "Joan" } },
      response: readUser
    },
    accept_invitation: {
      summary: "Accept an invitation",
      description:
        "For active human users. The body contains only the invitation's `token`. The user joins the invitation's org. If the user is already a member, the invitation's permissions are added to the membership. Other invitations for the same email and org are also removed. Events: `invitation.<type>.accepted`; `membership.created` or `membership.updated`.",
      request: { user: { token: invitationToken } },
      response: { ...readUser, memberships: [{ ...membership, org }] }
    },
    end_sessions: {
      summary: "End a user's sessions",
      description:
        "Ends all sessions of the user immediately, including sessions in browsers. With `except`, one session continues. OAuth clients with access that does not depend on a session are not affected. Also ends the trust in the user's devices. Events: `session.deleted` for each session, `user.device.untrusted`.",
      request: { except: "kss_01m7y8xym4fzt8kz1tw7y2m8j8" },
      response: { object: "ended_sessions", sessions: 2 }
    },
    blocks: {
      summary: "List a user's blocks",
      description:
        "Returns why a user can't log in for a while: too many wrong passwords or codes, or a rate limit that counts the user or their email. Blocks end by themselves. An inactive user is not blocked.",
      response: {
        object: "user_blocks",
        user_id: user.id,
        blocks: [
          {
            object: "user_block",
            blocks: "password",
            reason: "failed_attempts",
            limit: null,
            only_in_browser: false,
            ends_at: 1795239491.3
          }
        ]
      }
    },
    trusted_devices: {
      summary: "List a user's trusted devices",
      description:
        "Returns the browsers in which the user's password logins skip the second factor. Users trust a browser on the hosted login page, if the realm has `trusted_devices_days`.",
      response: {
        object: "trusted_devices",
        user_id: user.id,
        trusted_devices: [
          {
            object: "trusted_device",
            created_at: 1795238591.3,
            expires_at: 1797830591.3,
            request: { ip: "203.0.113.7", client: "Mozilla/5.0" }
          }
        ]
      }
    },
    untrust_devices: {
      summary: "End the trust in a user's devices",
      description:
        "Ends the trust in all devices of a user immediately, so that the next login asks for the second factor again. Sessions continue. Does nothing if the user trusts no device. Event: `user.device.untrusted`."
    },
    cancel_deletion: {
      summary: "Cancel the deletion of a user's account",
      description:
        "Cancels a deletion that the user scheduled on the hosted pages, and makes the link in the email invalid. Does nothing if none is scheduled. Event: `user.deletion.canceled`."
    },
    unblock: {
      summary: "Unblock a user",
      description:
        "Ends all blocks of a user immediately, with the same effect as waiting for their ends. Does nothing if the user isn't blocked. Event: `user.unblocked`."
    }
  },
  {
    sort: sortedBy(
      "email",
      "`name_alt` sorts by last name, then first name. Users without the sorted value come first. "
    ),
    email: {
      description: "Return only users with this email, ignoring case; also matches `email_pending`. Default: all."
    }
  }
)
