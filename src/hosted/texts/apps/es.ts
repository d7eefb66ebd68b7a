import { html } from "#platform/Html"
import type { Texts } from "../en.ts"

type Apps = Pick<
  Texts,
  "login" | "signup" | "forgot" | "sent" | "profile" | "enrol" | "accounts" | "invite" | "logout" | "tooMany"
>

/** What the pages on an app's host say, in Spanish. */
export const apps: Apps = {
  login: {
    title: "Inicie sesión",
    button: "Iniciar sesión",
    forgot: "¿Ha olvidado su contraseña?",
    or: "o",
    provider: (name) => `Continuar con ${name}`,
    otherProvider: "Continuar con otro servicio",
    closed: "Ahora nadie puede iniciar sesión aquí. Pregunte a quien lleva el servicio.",
    toSignup: "¿Aún no tiene una cuenta?",
    toSignupLink: "Cree una",
    toRequestLink: "Pida acceso",
    back: "Volver al inicio de sesión",
    codeButton: "Iniciar sesión",
    startAgain: "Iniciar sesión desde el principio",
    again: "Ha iniciado sesión",
    againLead: (user, realm) => html`Ha iniciado sesión en ${realm} como ${user}.`,
    continueButton: "Continuar",
    other: "Usar otra cuenta",
    proofNeeded: "Para hacer este cambio, vuelva a iniciar sesión: la última vez fue hace más de 10 minutos."
  },
  signup: {
    title: "Cree su cuenta",
    button: "Crear la cuenta",
    username: "Nombre de usuario",
    org: "Organización",
    toLogin: "¿Ya tiene una cuenta?",
    toLoginLink: "Inicie sesión",
    preverify: "Cree su cuenta",
    preverifyLead: "Primero comprobamos que la dirección es suya: le enviamos un correo con un enlace para continuar.",
    preverifyButton: "Enviar el correo",
    request: "Pida acceso",
    requestLead: (realm) => html`Las cuentas de ${realm} son por invitación. Deje su dirección y alguien decidirá.`,
    requestButton: "Pedir acceso",
    closed: "Aquí no hay cuentas nuevas",
    closedLead: (realm) => html`En ${realm} nadie puede crear una cuenta por sí mismo.`,
    closedTodo: "Pida una a quien lleva el servicio."
  },
  forgot: {
    title: "¿Ha olvidado su contraseña?",
    lead: "Le enviamos un correo con un enlace para elegir una nueva.",
    button: "Enviar el correo"
  },
  sent: {
    title: "Mire su correo",
    forgot: (to) =>
      html`Si hay una cuenta con ${to}, un correo va de camino a su dirección. El enlace que lleva funciona durante una hora.`,
    preverify: (to) => html`Hemos enviado un correo a ${to}. Abra el enlace que lleva para continuar.`,
    verification: (to) => html`Hemos enviado un correo a ${to}. Abra el enlace que lleva para confirmar la dirección.`,
    missing:
      "¿No llega nada en unos minutos? Mire en la carpeta de correo no deseado y revise cómo escribió la dirección.",
    again: "Intentarlo de nuevo",
    request: "Ha pedido acceso",
    requestLead: (to) =>
      html`Alguien decidirá. Si se lo conceden, le llegará un correo a ${to} con un enlace a su cuenta.`
  },
  profile: {
    title: "Su perfil",
    lead: (user, realm) => html`${user} en ${realm}`,
    saved: {
      details: "Sus datos se han guardado.",
      password:
        "Su contraseña ha cambiado. En los demás sitios donde tenía una sesión abierta, tendrá que iniciarla otra vez.",
      device: "Su aplicación de autenticación está lista. Desde ahora inicia sesión también con un código de ella.",
      removed: "La aplicación de autenticación se ha quitado.",
      email: "Hemos vuelto a enviar el correo."
    },
    details: "Datos",
    detailsButton: "Guardar",
    pending: (email) =>
      html`${email} espera su confirmación: abra el enlace del correo que enviamos allí. Hasta entonces su dirección sigue siendo la de antes.`,
    resend: "Volver a enviar el correo",
    password: "Contraseña",
    currentPassword: "Su contraseña de ahora",
    emailNeedsPassword: "Solo hace falta para cambiar el correo.",
    passwordButton: "Cambiar la contraseña",
    noPassword: "Inicia sesión con otro servicio, así que aquí no hay contraseña.",
    secondStep: "Segundo paso",
    secondStepLead:
      "Con una aplicación de autenticación inicia sesión con un código además de su contraseña: a quien averigüe la una le falta el otro.",
    devices: "Sus aplicaciones de autenticación",
    unnamed: "Aplicación de autenticación",
    remove: "Quitar",
    removeHint: "Seis dígitos, de la aplicación que quita o de otra de las suyas.",
    removeButton: (device) => `Quitar ${device}`,
    deviceName: "Nombre",
    deviceHint: "Para reconocerla, como «Mi teléfono».",
    add: "Añadir una aplicación de autenticación",
    addAnother: "Añadir otra",
    addButton: "Configurar",
    more: "Más",
    accounts: "Elegir una organización",
    invite: "Invitar a alguien",
    logout: "Cerrar sesión"
  },
  enrol: {
    title: "Configure su aplicación de autenticación",
    scan: (device) => html`Para ${device}: escanee esto con su aplicación de autenticación.`,
    qr: "Código QR para su aplicación de autenticación",
    type: "¿No puede escanearlo? Introduzca esta clave en la aplicación:",
    code: "Después introduzca el código que muestra la aplicación",
    button: "Confirmar",
    cancel: "Cancelar"
  },
  accounts: {
    title: "Elija una organización",
    lead: "Pertenece a más de una. ¿En cuál quiere trabajar?",
    none: "Aún no pertenece a ninguna organización.",
    noneTodo: "Pida una invitación a alguien que pertenezca a una.",
    profile: "Su perfil"
  },
  invite: {
    title: "Invite a alguien",
    lead: (realm) => html`Recibirá un correo con un enlace para unirse a ${realm}.`,
    orgLead: (org) => html`Recibirá un correo con un enlace para unirse a ${org}.`,
    org: "Organización",
    button: "Enviar la invitación",
    none: "No hay ninguna organización a la que pueda invitar.",
    done: "La invitación está enviada",
    doneLead: (email) => html`Un correo con un enlace va de camino a ${email}.`,
    another: "Invitar a otra persona",
    profile: "Volver a su perfil"
  },
  logout: {
    title: "¿Cerrar sesión?",
    lead: (user) => html`Ha iniciado sesión como ${user}.`,
    button: "Cerrar sesión",
    stay: "Seguir con la sesión abierta",
    done: "Ha cerrado la sesión",
    doneLead: "En un ordenador que también usan otras personas, cierre además el navegador.",
    login: "Iniciar sesión otra vez"
  },
  tooMany: {
    title: "Han sido demasiadas veces",
    lead: (minutes) =>
      minutes === 1 ? "Vuelva a intentarlo en un minuto." : `Vuelva a intentarlo en ${minutes} minutos.`,
    todo: "Mientras tanto no se ha cambiado nada."
  }
}
