import { DELETION_MAIL, EMAIL_CHANGE_NOTICE, OPERATOR_INVITATION } from "#domain/DefaultMail"
import { accountMails } from "./account/es.ts"
import type { KnownNames, MailTexts } from "./en.ts"

const placeOf = ({ org }: KnownNames) =>
  org
    ? { plain: "{{org_name}} en {{app_name}}", bold: "**{{org_name}}** en {{app_name}}" }
    : { plain: "{{app_name}}", bold: "**{{app_name}}**" }

const unexpected = ({ inviter }: KnownNames): string =>
  inviter
    ? "<small>Si no conoce a {{inviter_name}} o no esperaba esta invitación, puede ignorar este correo. No pasará nada si no la acepta.</small>"
    : "<small>Si no esperaba esta invitación, puede ignorar este correo. No pasará nada si no la acepta.</small>"

const defaults: MailTexts["defaults"] = {
  ...accountMails,
  "invitation.org.invited": (known) => ({
    subject: known.inviter
      ? `{{inviter_name}} le invita a unirse a ${placeOf(known).plain}`
      : `Tiene una invitación para unirse a ${placeOf(known).plain}`,
    template: `Hola:

${known.inviter ? `**{{inviter_name}}** le invita a unirse a` : "Le han invitado a unirse a"} ${placeOf(known).bold}.

[Aceptar la invitación]({{url}} "button")

La invitación es para {{email}}. Este enlace funciona durante {{expires_in}} y una sola vez.

${unexpected(known)}
`
  }),
  "invitation.preverify.invited": () => ({
    subject: "Termine su registro en {{app_name}}",
    template: `Hola:

Ya casi está. Confirme que {{email}} es su dirección y termine de crear su cuenta en **{{app_name}}**.

[Terminar el registro]({{url}} "button")

Este enlace funciona durante {{expires_in}} y una sola vez.

<small>Si no intentó registrarse en {{app_name}}, puede ignorar este correo. No se creará ninguna cuenta.</small>
`
  }),
  "invitation.referral.invited": (known) => ({
    subject: known.inviter
      ? `{{inviter_name}} le invita a ${placeOf(known).plain}`
      : `Tiene una invitación a ${placeOf(known).plain}`,
    template: `Hola:

${
  known.inviter
    ? `**{{inviter_name}}** cree que ${placeOf(known).bold} también le gustará y le invita a unirse.`
    : `Le han invitado a unirse a ${placeOf(known).bold}.`
}

[Aceptar la invitación]({{url}} "button")

La invitación es para {{email}}. Este enlace funciona durante {{expires_in}} y una sola vez.

${unexpected(known)}
`
  }),
  "invitation.request.invited": (known) => ({
    subject: `Su invitación a ${placeOf(known).plain}`,
    template: `Hola:

Solicitó unirse a ${placeOf(known).bold}. Buenas noticias: aquí tiene su invitación.

[Aceptar la invitación]({{url}} "button")

La invitación es para {{email}}. Este enlace funciona durante {{expires_in}} y una sola vez.

<small>Si no la solicitó, puede ignorar este correo. No pasará nada si no la acepta.</small>
`
  }),
  "user.email.verifying": () => ({
    subject: "Confirme su correo electrónico en {{app_name}}",
    template: `Hola:

Confirme que {{email}} es la dirección de correo de su cuenta en **{{app_name}}**.

[Confirmar la dirección]({{url}} "button")

Este enlace funciona durante {{expires_in}} y una sola vez.

<small>Si no tiene una cuenta en {{app_name}}, puede que alguien haya escrito su dirección por error. Puede ignorar este correo.</small>
`
  }),
  "user.email.updating": () => ({
    subject: "Confirme su nuevo correo electrónico en {{app_name}}",
    template: `Hola:

Solicitó cambiar la dirección de correo de su cuenta en **{{app_name}}** a {{email}}. Confirme la nueva dirección para hacer el cambio. Hasta entonces, su cuenta conserva la actual.

[Confirmar la nueva dirección]({{url}} "button")

Este enlace funciona durante {{expires_in}} y una sola vez.

<small>Si no solicitó este cambio, puede ignorar este correo. Nada cambiará si no lo confirma.</small>
`
  }),
  [EMAIL_CHANGE_NOTICE]: () => ({
    subject: "El correo electrónico de su cuenta en {{app_name}} va a cambiar",
    template: `Hola:

Hemos recibido una solicitud para cambiar la dirección de correo de su cuenta en **{{app_name}}**. El cambio se hará cuando se confirme la nueva dirección. Hasta entonces, su cuenta conserva {{email}}.

**¿Fue usted?** Entonces no tiene que hacer nada.

**Si no fue usted,** restablezca su contraseña ahora. Así se anula el cambio y se cierran las demás sesiones de su cuenta.

[Restablecer la contraseña]({{url}} "button")
`
  }),
  [DELETION_MAIL]: () => ({
    subject: "Su cuenta de {{app_name}} se eliminará",
    template: `Hola:

Solicitó eliminar su cuenta {{email}} de **{{app_name}}**. Se eliminará el {{deletion_at}}, junto con todo lo que se guarda allí sobre usted.

¿Ha cambiado de opinión? Hasta entonces puede conservar su cuenta:

[Conservar mi cuenta]({{url}} "button")

**Si no fue usted,** conserve su cuenta y restablezca después la contraseña. Así se cerrarán todas las demás sesiones de su cuenta.
`
  }),
  "user.email_code.requested": () => ({
    subject: "{{code}} es su código de {{app_name}}",
    template: `Hola:

Introduzca este código para iniciar sesión en **{{app_name}}**:

## {{code}}

O inicie sesión en este dispositivo:

[Iniciar sesión]({{url}} "button")

El código y el enlace son válidos durante {{expires_in}} y solo pueden usarse una vez. No los comparta con nadie.

<small>Si no los ha pedido, puede ignorar este correo. Nadie puede iniciar sesión sin el código o el enlace.</small>
`
  }),
  [OPERATOR_INVITATION]: ({ inviter }) => ({
    subject: inviter ? "{{inviter_name}} le invita a {{app_name}}" : "Tiene una invitación a {{app_name}}",
    template: `Hola:

${inviter ? "**{{inviter_name}}** le ha invitado" : "Ha recibido una invitación"} a administrar **{{app_name}}**. Configure su cuenta para iniciar sesión en la consola.

[Configurar mi cuenta]({{url}} "button")

La invitación es para {{email}}. Este enlace funciona durante {{expires_in}} y una sola vez.

<small>Si no esperaba esta invitación, puede ignorar este correo.</small>
`
  }),
  "user.password.resetting": () => ({
    subject: "Restablezca su contraseña de {{app_name}}",
    template: `Hola:

Hemos recibido una solicitud para restablecer la contraseña de su cuenta en **{{app_name}}**.

[Elegir una contraseña nueva]({{url}} "button")

Este enlace funciona durante {{expires_in}} y una sola vez.

<small>Si no lo solicitó, puede ignorar este correo. Su contraseña no cambiará.</small>
`
  })
}

/** The Spanish texts of emails. */
export const es: MailTexts = { buttonNote: "Si el botón no funciona, abra este enlace:", defaults }
