import { ADDRESS_NOTICE, type DefaultMailName } from "#domain/AppHook"

/** The subject and the markdown body of a mail. */
export interface DefaultMail {
  readonly subject: string
  readonly template: string
}

type DefaultMails = Readonly<Record<DefaultMailName, DefaultMail>>

const en: DefaultMails = {
  "invitation.org.invited": {
    subject: "You are invited to join an organization on {{realm_name}}",
    template: `Hello,

you have been invited to join an organization on **{{realm_name}}**. The invitation was sent to {{email}}.

[Accept the invitation]({{url}})

The link works once, until the invitation expires. If you did not expect it, ignore this mail: without you nothing happens.
`
  },
  "invitation.preverify.invited": {
    subject: "Finish signing up for {{realm_name}}",
    template: `Hello,

somebody, most likely you, began to sign up for **{{realm_name}}** with the address {{email}}. Confirm that it is yours to finish.

[Finish signing up]({{url}})

The link works once, until it expires. If it wasn't you, ignore this mail: no account is made.
`
  },
  "invitation.referral.invited": {
    subject: "You are invited to {{realm_name}}",
    template: `Hello,

somebody who uses **{{realm_name}}** thinks that you would like it too, and has invited {{email}}.

[Accept the invitation]({{url}})

The link works once, until the invitation expires. If you are not interested, ignore this mail: without you nothing happens.
`
  },
  "invitation.request.invited": {
    subject: "Your invitation to {{realm_name}}",
    template: `Hello,

you asked for an invitation to **{{realm_name}}** for {{email}}. Here it is.

[Accept the invitation]({{url}})

The link works once, until the invitation expires. If you did not ask for it, ignore this mail: without you nothing happens.
`
  },
  "user.email.verifying": {
    subject: "Confirm your e-mail address for {{realm_name}}",
    template: `Hello,

please confirm that {{email}} is the e-mail address of your account with **{{realm_name}}**.

[Confirm the address]({{url}})

The link works once, for 24 hours. If you have no account with {{realm_name}}, ignore this mail.
`
  },
  "user.email.updating": {
    subject: "Confirm your new e-mail address for {{realm_name}}",
    template: `Hello,

the e-mail address of your account with **{{realm_name}}** is to become {{email}}. Please confirm that this is what you want.

[Confirm the new address]({{url}})

The link works once, for 24 hours; until then your account keeps the address it has. If you did not ask for the change, ignore this mail.
`
  },
  [ADDRESS_NOTICE]: {
    subject: "Your {{realm_name}} e-mail address is about to change",
    template: `Hello,

a change of the e-mail address of your **{{realm_name}}** account was requested. It takes effect once the new address is confirmed. Until then your account keeps {{email}}.

If you asked for this, there is nothing to do here.

If you didn't, [reset your password]({{url}}) now. That cancels the change and logs everyone else out of your account.
`
  },
  "user.password.resetting": {
    subject: "Reset your password for {{realm_name}}",
    template: `Hello,

somebody, most likely you, asked for a new password for your account with **{{realm_name}}**.

[Choose a new password]({{url}})

The link works once, for 60 minutes. If it wasn't you, ignore this mail: your password stays as it is.
`
  }
}

const es: DefaultMails = {
  "invitation.org.invited": {
    subject: "Tiene una invitación a una organización en {{realm_name}}",
    template: `Hola:

Le han invitado a unirse a una organización en **{{realm_name}}**. La invitación se envió a {{email}}.

[Aceptar la invitación]({{url}})

El enlace sirve una sola vez, hasta que caduque la invitación. Si no la esperaba, ignore este mensaje: sin usted no ocurre nada.
`
  },
  "invitation.preverify.invited": {
    subject: "Termine su registro en {{realm_name}}",
    template: `Hola:

Alguien, probablemente usted, empezó a registrarse en **{{realm_name}}** con la dirección {{email}}. Confirme que es suya para terminar.

[Terminar el registro]({{url}})

El enlace sirve una sola vez, hasta que caduque. Si no fue usted, ignore este mensaje: no se crea ninguna cuenta.
`
  },
  "invitation.referral.invited": {
    subject: "Tiene una invitación a {{realm_name}}",
    template: `Hola:

Alguien que usa **{{realm_name}}** cree que también le gustará, y ha invitado a {{email}}.

[Aceptar la invitación]({{url}})

El enlace sirve una sola vez, hasta que caduque la invitación. Si no le interesa, ignore este mensaje: sin usted no ocurre nada.
`
  },
  "invitation.request.invited": {
    subject: "Su invitación a {{realm_name}}",
    template: `Hola:

Pidió una invitación a **{{realm_name}}** para {{email}}. Aquí la tiene.

[Aceptar la invitación]({{url}})

El enlace sirve una sola vez, hasta que caduque la invitación. Si no la pidió, ignore este mensaje: sin usted no ocurre nada.
`
  },
  "user.email.verifying": {
    subject: "Confirme su correo electrónico en {{realm_name}}",
    template: `Hola:

Confirme que {{email}} es la dirección de correo de su cuenta en **{{realm_name}}**.

[Confirmar la dirección]({{url}})

El enlace sirve una sola vez, durante 24 horas. Si no tiene ninguna cuenta en {{realm_name}}, ignore este mensaje.
`
  },
  "user.email.updating": {
    subject: "Confirme su nuevo correo electrónico en {{realm_name}}",
    template: `Hola:

La dirección de correo de su cuenta en **{{realm_name}}** va a pasar a ser {{email}}. Confirme que es lo que quiere.

[Confirmar la nueva dirección]({{url}})

El enlace sirve una sola vez, durante 24 horas; hasta entonces su cuenta conserva la dirección que tiene. Si no pidió el cambio, ignore este mensaje.
`
  },
  [ADDRESS_NOTICE]: {
    subject: "El correo electrónico de su cuenta en {{realm_name}} va a cambiar",
    template: `Hola:

Se ha solicitado cambiar la dirección de correo de su cuenta en **{{realm_name}}**. El cambio se hará cuando se confirme la dirección nueva. Hasta entonces su cuenta conserva {{email}}.

Si lo pidió usted, no tiene que hacer nada.

Si no fue usted, [restablezca su contraseña]({{url}}) ahora. Así se anula el cambio y se cierran las demás sesiones de su cuenta.
`
  },
  "user.password.resetting": {
    subject: "Restablezca su contraseña de {{realm_name}}",
    template: `Hola:

Alguien, probablemente usted, pidió una contraseña nueva para su cuenta en **{{realm_name}}**.

[Elegir una contraseña nueva]({{url}})

El enlace sirve una sola vez, durante 60 minutos. Si no fue usted, ignore este mensaje: su contraseña no cambia.
`
  }
}

/** A default mail in the language of a locale, else in English. */
export const defaultMail = (name: DefaultMailName, locale: string | null): DefaultMail =>
  /^es(?![a-z])/i.test(locale ?? "") ? es[name] : en[name]
