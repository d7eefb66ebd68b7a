import type { AccountMail } from "#domain/AccountNotice"
import type { DefaultMail } from "../DefaultMail.ts"

/** Makes an email about a change, with advice for an account owner who didn't make the change. */
const notice = (subject: string, change: string, remedy: string) => (): DefaultMail => ({
  subject,
  template: `Hola:

${change}

- Cuándo: {{event_at}}
- Dirección IP: {{ip}}

**¿Fue usted?** Entonces no tiene que hacer nada.

**Si no fue usted,** ${remedy}

[Restablecer la contraseña]({{url}} "button")
`
})

const reset = "restablezca su contraseña ahora. Así se cierran las demás sesiones de su cuenta."
const undo = (what: string) =>
  `restablezca su contraseña ahora. Después inicie sesión, abra la página de seguridad de su cuenta y ${what}.`

/** The Spanish emails to account owners about changes of login methods. */
export const accountMails: Readonly<Record<AccountMail, () => DefaultMail>> = {
  "account.password_changed": notice(
    "Su contraseña de {{app_name}} ha cambiado",
    "La contraseña de su cuenta {{email}} en **{{app_name}}** ha cambiado.",
    reset
  ),
  "account.password_reset": notice(
    "Su contraseña de {{app_name}} se ha restablecido",
    "Se ha establecido una contraseña nueva para su cuenta {{email}} en **{{app_name}}**, con un enlace que le enviamos a esta dirección.",
    `${reset} Compruebe también quién más puede leer su correo.`
  ),
  "account.passkey_added": notice(
    "Se ha añadido una llave de acceso a su cuenta en {{app_name}}",
    "Se ha añadido una llave de acceso a su cuenta {{email}} en **{{app_name}}**. Ahora sirve para iniciar sesión.",
    undo("elimine la llave de acceso")
  ),
  "account.passkey_removed": notice(
    "Se ha eliminado una llave de acceso de su cuenta en {{app_name}}",
    "Se ha eliminado una llave de acceso de su cuenta {{email}} en **{{app_name}}**. Ya no sirve para iniciar sesión.",
    reset
  ),
  "account.second_factor_added": notice(
    "Se ha añadido la verificación en dos pasos a su cuenta en {{app_name}}",
    "Se ha añadido una aplicación de autenticación a su cuenta {{email}} en **{{app_name}}**. Para iniciar sesión ahora hace falta un código de ella.",
    undo(
      "elimine la aplicación. Si no puede iniciar sesión sin su código, póngase en contacto con el servicio de asistencia"
    )
  ),
  "account.second_factor_removed": notice(
    "Se ha eliminado una aplicación de autenticación de su cuenta en {{app_name}}",
    "Se ha eliminado una aplicación de autenticación de su cuenta {{email}} en **{{app_name}}**. Sus códigos ya no funcionan.",
    reset
  ),
  "account.recovery_codes_created": notice(
    "Nuevos códigos de recuperación para su cuenta en {{app_name}}",
    "Se han creado códigos de recuperación nuevos para su cuenta {{email}} en **{{app_name}}**. Los anteriores ya no funcionan.",
    undo("cree códigos de recuperación nuevos")
  ),
  "account.provider_linked": notice(
    "Se ha conectado un servicio a su cuenta en {{app_name}}",
    "Se ha conectado una cuenta de otro servicio a su cuenta {{email}} en **{{app_name}}**. Ahora sirve para iniciar sesión.",
    undo("desconecte el servicio")
  ),
  "account.provider_unlinked": notice(
    "Se ha desconectado un servicio de su cuenta en {{app_name}}",
    "Se ha desconectado una cuenta de otro servicio de su cuenta {{email}} en **{{app_name}}**. Ya no sirve para iniciar sesión.",
    reset
  )
}
