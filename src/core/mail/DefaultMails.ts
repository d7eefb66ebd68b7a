import { type DefaultMailName, EMAIL_CHANGE_NOTICE } from "#domain/AppHook"
import { fallbackLocale, type Locale, locales } from "#domain/Locale"

/** The subject and markdown body of a mail. */
export interface DefaultMail {
  readonly subject: string
  readonly template: string
}

type DefaultMails = Readonly<Record<DefaultMailName, DefaultMail>>

const en: DefaultMails = {
  "invitation.org.invited": {
    subject: "You're invited to join an organization on {{realm_name}}",
    template: `Hello,

You've been invited to join an organization on **{{realm_name}}**. The invitation was sent to {{email}}.

[Accept the invitation]({{url}})

The link can be used once, until the invitation expires. If you weren't expecting this, you can ignore this e-mail.
`
  },
  "invitation.preverify.invited": {
    subject: "Finish signing up for {{realm_name}}",
    template: `Hello,

Someone, most likely you, started to sign up for **{{realm_name}}** with {{email}}. To finish, confirm that this address is yours.

[Finish signing up]({{url}})

The link can be used once, until it expires. If this wasn't you, you can ignore this e-mail: no account will be created.
`
  },
  "invitation.referral.invited": {
    subject: "You're invited to {{realm_name}}",
    template: `Hello,

Someone who uses **{{realm_name}}** thinks you'd like it too and has invited {{email}}.

[Accept the invitation]({{url}})

The link can be used once, until the invitation expires. If you're not interested, you can ignore this e-mail.
`
  },
  "invitation.request.invited": {
    subject: "Your invitation to {{realm_name}}",
    template: `Hello,

You requested an invitation to **{{realm_name}}** for {{email}}. Here it is.

[Accept the invitation]({{url}})

The link can be used once, until the invitation expires. If you didn't request it, you can ignore this e-mail.
`
  },
  "user.email.verifying": {
    subject: "Confirm your e-mail address for {{realm_name}}",
    template: `Hello,

Please confirm that {{email}} is the e-mail address for your **{{realm_name}}** account.

[Confirm the address]({{url}})

The link can be used once and expires in 24 hours. If you don't have a {{realm_name}} account, you can ignore this e-mail.
`
  },
  "user.email.updating": {
    subject: "Confirm your new e-mail address for {{realm_name}}",
    template: `Hello,

The e-mail address for your **{{realm_name}}** account is about to change to {{email}}. Please confirm that this is what you want.

[Confirm the new address]({{url}})

The link can be used once and expires in 24 hours. Until you confirm, your account keeps its current address. If you didn't request this change, you can ignore this e-mail.
`
  },
  [EMAIL_CHANGE_NOTICE]: {
    subject: "Your {{realm_name}} e-mail address is about to change",
    template: `Hello,

A change to the e-mail address of your **{{realm_name}}** account was requested. It takes effect once the new address is confirmed. Until then, your account keeps {{email}}.

If you requested this, you don't need to do anything.

If you didn't, [reset your password]({{url}}) now. This cancels the change and logs everyone else out of your account.
`
  },
  "user.password.resetting": {
    subject: "Reset your {{realm_name}} password",
    template: `Hello,

Someone, most likely you, asked to reset the password for your **{{realm_name}}** account.

[Choose a new password]({{url}})

The link can be used once and expires in 60 minutes. If this wasn't you, you can ignore this e-mail: your password won't change.
`
  }
}

const es: DefaultMails = {
  "invitation.org.invited": {
    subject: "Tiene una invitación a una organización en {{realm_name}}",
    template: `Hola:

Le han invitado a unirse a una organización en **{{realm_name}}**. La invitación se envió a {{email}}.

[Aceptar la invitación]({{url}})

El enlace se puede usar una sola vez, hasta que caduque la invitación. Si no la esperaba, puede ignorar este correo.
`
  },
  "invitation.preverify.invited": {
    subject: "Termine su registro en {{realm_name}}",
    template: `Hola:

Alguien, probablemente usted, empezó a registrarse en **{{realm_name}}** con {{email}}. Para terminar, confirme que la dirección es suya.

[Terminar el registro]({{url}})

El enlace se puede usar una sola vez, hasta que caduque. Si no fue usted, puede ignorar este correo: no se creará ninguna cuenta.
`
  },
  "invitation.referral.invited": {
    subject: "Tiene una invitación a {{realm_name}}",
    template: `Hola:

Alguien que usa **{{realm_name}}** cree que también le gustará, y ha invitado a {{email}}.

[Aceptar la invitación]({{url}})

El enlace se puede usar una sola vez, hasta que caduque la invitación. Si no le interesa, puede ignorar este correo.
`
  },
  "invitation.request.invited": {
    subject: "Su invitación a {{realm_name}}",
    template: `Hola:

Solicitó una invitación a **{{realm_name}}** para {{email}}. Aquí la tiene.

[Aceptar la invitación]({{url}})

El enlace se puede usar una sola vez, hasta que caduque la invitación. Si no la solicitó, puede ignorar este correo.
`
  },
  "user.email.verifying": {
    subject: "Confirme su correo electrónico en {{realm_name}}",
    template: `Hola:

Confirme que {{email}} es la dirección de correo de su cuenta en **{{realm_name}}**.

[Confirmar la dirección]({{url}})

El enlace se puede usar una sola vez y caduca en 24 horas. Si no tiene una cuenta en {{realm_name}}, puede ignorar este correo.
`
  },
  "user.email.updating": {
    subject: "Confirme su nuevo correo electrónico en {{realm_name}}",
    template: `Hola:

La dirección de correo de su cuenta en **{{realm_name}}** va a cambiar a {{email}}. Confirme que es lo que quiere.

[Confirmar la nueva dirección]({{url}})

El enlace se puede usar una sola vez y caduca en 24 horas. Hasta que la confirme, su cuenta conserva la dirección actual. Si no solicitó este cambio, puede ignorar este correo.
`
  },
  [EMAIL_CHANGE_NOTICE]: {
    subject: "El correo electrónico de su cuenta en {{realm_name}} va a cambiar",
    template: `Hola:

Se ha solicitado cambiar la dirección de correo de su cuenta en **{{realm_name}}**. El cambio se hará cuando se confirme la dirección nueva. Hasta entonces su cuenta conserva {{email}}.

Si lo solicitó usted, no tiene que hacer nada.

Si no fue usted, [restablezca su contraseña]({{url}}) ahora. Así se anula el cambio y se cierran las demás sesiones de su cuenta.
`
  },
  "user.password.resetting": {
    subject: "Restablezca su contraseña de {{realm_name}}",
    template: `Hola:

Alguien, probablemente usted, solicitó restablecer la contraseña de su cuenta en **{{realm_name}}**.

[Elegir una contraseña nueva]({{url}})

El enlace se puede usar una sola vez y caduca en 60 minutos. Si no fue usted, puede ignorar este correo: su contraseña no cambiará.
`
  }
}

const mails: Readonly<Record<Locale, DefaultMails>> = { en, es }

/** A default mail in the language of a locale, or in English. */
export const defaultMail = (name: DefaultMailName, locale: string | null): DefaultMail => {
  const language = /^[a-z]+/.exec(locale?.toLowerCase() ?? "")?.[0]
  return mails[locales.find((known) => known === language) ?? fallbackLocale][name]
}
