import { Invalid } from "#client/Errors"
import type { CallOptions } from "#client/Form"
import type { CreateUser } from "#client/generated/v2/Users"
import type { Sallyport } from "#client/Sallyport"

/**
 * What a trigger works with. `name`: different for each run. `password`: random, because the users of triggers stay and their
 * emails can be guessed.
 */
export interface Stage {
  readonly sallyport: Sallyport
  readonly options: CallOptions
  readonly name: string
  readonly password: string
}

/** Causes an event. Returns the ID of its subject. */
type Trigger = (stage: Stage) => Promise<string>

const emailOf = ({ name }: Stage) => `${name}@example.com`

const newUser = (stage: Stage, settings: Partial<CreateUser> = { credentials: [] }) =>
  stage.sallyport.users.create({ email: emailOf(stage), first_name: "Trigger", ...settings }, stage.options)

const newUserWithPassword = (stage: Stage) => newUser(stage, { password: stage.password })

const newOrg = ({ sallyport, options, name }: Stage) => sallyport.orgs.create({ name }, options)

const newMembership = async (stage: Stage) => {
  const [user, org] = [await newUser(stage), await newOrg(stage)]
  return stage.sallyport.memberships.create({ user_id: user.id, org_id: org.id, permissions: ["read"] }, stage.options)
}

const newInvitation = async (stage: Stage) => {
  const { id } = await newOrg(stage)
  return stage.sallyport.invitations.create(
    { invitation_type: "org", email: emailOf(stage), org_id: id },
    stage.options
  )
}

/** Creates something, performs a step with it, and returns its ID. */
const after =
  <A extends { readonly id: string }>(
    create: (stage: Stage) => PromiseLike<A>,
    step: (stage: Stage, created: A) => PromiseLike<unknown> = async () => undefined
  ): Trigger =>
  async (stage) => {
    const created = await create(stage)
    await step(stage, created)
    return created.id
  }

/** The event types that `sallyport trigger` knows, with the calls that cause them. */
export const triggers: Readonly<Record<string, Trigger>> = {
  "user.created": after((stage) => newUser(stage)),
  "user.updated": after(
    (stage) => newUser(stage),
    ({ sallyport, options }, { id }) => sallyport.users.update(id, { last_name: "Updated" }, options)
  ),
  "user.deleted": after(
    (stage) => newUser(stage),
    ({ sallyport, options }, { id }) => sallyport.users.delete(id, options)
  ),
  "user.profile.updated": after(
    (stage) => newUser(stage),
    ({ sallyport, options }, { id }) => sallyport.logins.updateProfile(id, { last_name: "Updated" }, options)
  ),
  "user.email.verifying": after((stage) => newUser(stage, { credentials: [], email_verification: "requested" })),
  "user.email.verified": after((stage) => newUser(stage, { credentials: [], email_verification: "verified" })),
  "user.email.updating": after(
    (stage) => newUser(stage),
    (stage, { id }) => stage.sallyport.users.update(id, { email_pending: `new-${emailOf(stage)}` }, stage.options)
  ),
  "user.password.resetting": after(newUserWithPassword, ({ sallyport, options }, { id }) =>
    sallyport.logins.generatePasswordToken(id, {}, options)
  ),
  "user.login.succeeded": after(newUserWithPassword, (stage, { id }) =>
    stage.sallyport.logins.authenticate(id, { password: stage.password }, stage.options)
  ),
  "user.login.failed": after(newUserWithPassword, async ({ sallyport, options }, { id }) => {
    // The wrong password is rejected, as it should be.
    await sallyport.logins.authenticate(id, { password: "wrong" }, options).then(undefined, (error: unknown) => {
      if (!(error instanceof Invalid)) throw error
    })
  }),
  "session.deleted": after(
    (stage) => newUser(stage),
    async ({ sallyport, options }, { id }) => {
      const session = await sallyport.sessions.create({ user_id: id }, options)
      await sallyport.sessions.delete(session.id, options)
    }
  ),
  "org.created": after(newOrg),
  "org.updated": after(newOrg, ({ sallyport, options }, { id, name }) =>
    sallyport.orgs.update(id, { name: `${name} updated` }, options)
  ),
  "org.deleted": after(newOrg, ({ sallyport, options }, { id }) => sallyport.orgs.delete(id, { force: true }, options)),
  "membership.created": after(newMembership),
  "membership.updated": after(newMembership, ({ sallyport, options }, { id }) =>
    sallyport.memberships.update(id, { permissions: ["read", "write"] }, options)
  ),
  "membership.deleted": after(newMembership, ({ sallyport, options }, { id }) =>
    sallyport.memberships.delete(id, options)
  ),
  "invitation.org.created": after(newInvitation),
  "invitation.org.invited": after(newInvitation, ({ sallyport, options }, { id }) =>
    sallyport.invitations.invite(id, {}, options)
  ),
  "invitation.org.expired": after(newInvitation, ({ sallyport, options }, { id }) =>
    sallyport.invitations.delete(id, options)
  )
}
