import { html } from "#platform/Html"
import type { Texts } from "../en.ts"
import { security } from "../security/es.ts"
import { team } from "../team/es.ts"
import { formatDuration } from "./en.ts"

type Apps = Pick<
  Texts,
  | "login"
  | "emailCode"
  | "secondStep"
  | "signup"
  | "forgot"
  | "sent"
  | "account"
  | "security"
  | "team"
  | "profile"
  | "enrol"
  | "accounts"
  | "invite"
  | "logout"
  | "tooMany"
>

/** The Spanish texts of an app's login, sign-up, social and "check your email" pages. */
export const apps: Apps = {
  login: {
    title: "Inicie sesión",
    button: "Iniciar sesión",
    forgot: "¿Ha olvidado su contraseña?",
    or: "o",
    provider: (name) => `Continuar con ${name}`,
    otherProvider: "Continuar con otro servicio",
    closed: "El inicio de sesión no está disponible en este momento. Contacte con soporte.",
    toSignup: "¿No tiene una cuenta?",
    toSignupLink: "Regístrese",
    toRequestLink: "Solicite acceso",
    back: "Volver al inicio de sesión",
    codeButton: "Iniciar sesión",
    startAgain: "Empezar de nuevo",
    again: "Ha iniciado sesión",
    againLead: (user, realm) => html`Ha iniciado sesión en ${realm} como ${user}.`,
    continueButton: "Continuar",
    other: "Usar otra cuenta",
    proofNeeded: "Para hacer este cambio, vuelva a iniciar sesión: la última vez fue hace más de 10 minutos.",
    proofDue: "Para continuar, vuelva a iniciar sesión.",
    ended: "Su sesión ha terminado. Vuelva a iniciar sesión.",
    endedUnsaved: "Su sesión ha terminado. Vuelva a iniciar sesión; sus cambios no se han guardado.",
    toSee: {
      profile: "Inicie sesión para ver su perfil.",
      security: "Inicie sesión para ver sus ajustes de seguridad.",
      accounts: "Inicie sesión para elegir una organización.",
      invitation: "Inicie sesión para invitar a alguien.",
      passkey: "Inicie sesión para añadir una llave de acceso.",
      team: "Inicie sesión para ver su equipo."
    }
  },
  emailCode: {
    choose: "Recibir un código por correo",
    title: "Iniciar sesión con un código",
    lead: "Le enviaremos un código de 6 dígitos a su correo electrónico. Será válido durante 10 minutos.",
    button: "Enviar código",
    sent: (to) =>
      html`Si hay una cuenta para ${to}, hemos enviado un código a su correo electrónico. Introdúzcalo aquí en los próximos 10 minutos.`,
    again: "Enviar otro código",
    linkTitle: "¿Iniciar sesión en este dispositivo?",
    linkLead: (realm, email) => html`Está a punto de iniciar sesión en ${realm} como ${email}.`,
    otherwise: "Si no ha pedido este correo, puede cerrar la página. Nadie inicia sesión si no lo confirma.",
    typeTitle: "Introduzca el código del correo",
    typeLead: "Vuelva a la página en la que está iniciando sesión e introduzca allí el código de 6 dígitos del correo."
  },
  secondStep: {
    passkey: {
      title: "Confirme que es usted",
      lead: "Su cuenta está protegida con la verificación en dos pasos. Use su llave de acceso para continuar.",
      label: "Llave de acceso",
      hint: "",
      wrong:
        "Esta llave de acceso no funciona aquí o ha tardado demasiado. Inténtelo de nuevo o confirme de otra forma.",
      use: "Usar una llave de acceso"
    },
    totp: {
      title: "Introduzca su código",
      lead: "Su cuenta está protegida con la verificación en dos pasos. Introduzca el código de su aplicación de autenticación.",
      label: "Código",
      hint: "Un código de 6 dígitos que cambia cada 30 segundos.",
      wrong: "El código no es correcto o ya no es válido. Espere al siguiente e inténtelo de nuevo.",
      use: "Usar la aplicación de autenticación"
    },
    recovery_codes: {
      title: "Introduzca un código de recuperación",
      lead: "Introduzca uno de los códigos de recuperación que guardó al activar la verificación en dos pasos.",
      label: "Código de recuperación",
      hint: "12 letras y cifras. Cada código sirve una sola vez.",
      wrong: "El código de recuperación no es correcto o ya se ha usado. Pruebe con otro.",
      use: "Usar un código de recuperación"
    },
    email_code: {
      title: "Revise su correo",
      lead: "Hemos enviado un código a la dirección de correo de su cuenta. Introdúzcalo aquí en los próximos 10 minutos.",
      label: "Código",
      hint: "El código de 6 dígitos del correo.",
      wrong: "El código no es correcto o ya no es válido. Compruebe el último correo e inténtelo de nuevo.",
      use: "Recibir un código por correo"
    }
  },
  signup: {
    title: "Cree su cuenta",
    button: "Crear la cuenta",
    username: "Nombre de usuario",
    org: "Organización",
    addNames: "Añadir su nombre",
    addOrg: "Añadir su organización",
    addNamesAndOrg: "Añadir nombre y organización",
    toLogin: "¿Ya tiene una cuenta?",
    toLoginLink: "Inicie sesión",
    preverify: "Cree su cuenta",
    preverifyLead: "Primero, confirme su correo electrónico. Le enviaremos un correo con un enlace para continuar.",
    preverifyButton: "Enviar correo",
    request: "Solicite acceso",
    requestLead: (realm) =>
      html`El acceso a ${realm} es solo por invitación. Introduzca su correo electrónico y se revisará su solicitud.`,
    requestButton: "Solicitar acceso",
    closed: "El registro está cerrado",
    closedLead: (realm) => html`Aquí no puede registrarse en ${realm}.`,
    closedTodo: "Contacte con soporte si necesita una cuenta."
  },
  forgot: {
    title: "¿Ha olvidado su contraseña?",
    lead: "Le enviaremos un correo con un enlace para elegir una nueva.",
    button: "Enviar correo",
    again: "Solicitar un correo nuevo"
  },
  sent: {
    local: "Este servicio no envía correos: se quedan en su buzón.",
    mailbox: "Abrir el buzón",
    title: "Revise su correo",
    forgot: (to) =>
      html`Si existe una cuenta para ${to}, enviaremos un correo a su dirección. El enlace caduca en una hora.`,
    preverify: (to) => html`Hemos enviado un correo a ${to}. Abra el enlace para continuar.`,
    verification: (to) => html`Hemos enviado un correo a ${to}. Abra el enlace para confirmar su dirección.`,
    missing:
      "¿No ha llegado nada en unos minutos? Revise la carpeta de correo no deseado y compruebe que la dirección sea correcta.",
    again: "Intentarlo de nuevo",
    request: "Acceso solicitado",
    requestLead: (to) =>
      html`Se revisará su solicitud. Si se aprueba, enviaremos un correo a ${to} con un enlace a su cuenta.`
  },
  account: {
    title: "Su cuenta",
    tabs: { profile: "Perfil", security: "Seguridad", team: "Equipo" },
    more: "Más"
  },
  security,
  team,
  profile: {
    title: "Su perfil",
    lead: (user, realm) => html`${user} en ${realm}`,
    saved: {
      details: "Sus datos se han guardado.",
      email: "Hemos vuelto a enviar el correo.",
      verification: "Le hemos enviado un correo. Abra el enlace que contiene para confirmar su dirección."
    },
    details: "Datos",
    detailsButton: "Guardar",
    pending: (email) =>
      html`${email} aún no está confirmado. Abra el enlace del correo que enviamos allí. Hasta entonces, su dirección no cambia.`,
    resend: "Reenviar correo",
    unconfirmed: (email) =>
      html`${email} aún no está confirmado. Podemos enviarle un correo con un enlace para confirmarlo.`,
    verify: "Enviar correo",
    language: "Idioma",
    languageHint: "Para los correos que le enviamos. Estas páginas siguen el idioma de su navegador.",
    languageDefault: (language) => `Predeterminado (${language})`,
    currentPassword: "Contraseña actual",
    emailNeedsPassword: "Solo es necesaria para cambiar el correo.",
    data: "Sus datos",
    dataLead:
      "Descargue los datos que se guardan aquí sobre usted en un archivo JSON: sus datos personales, cómo inicia sesión, sus sesiones y la actividad de su cuenta.",
    dataButton: "Descargar mis datos",
    org: (org) => html`Organización: ${org}`,
    chooseOrg: "Elegir una organización",
    switchOrg: "Cambiar de organización",
    invite: "Invitar a alguien",
    logout: "Cerrar sesión"
  },
  enrol: {
    title: "Configure su aplicación de autenticación",
    scan: (device) => html`Para configurar ${device}, escanee este código QR con su aplicación de autenticación.`,
    qr: "Código QR para su aplicación de autenticación",
    type: "¿No puede escanearlo? Introduzca esta clave en la aplicación:",
    code: "Código que muestra la aplicación",
    button: "Confirmar",
    cancel: "Cancelar",
    dueTitle: "Configure la verificación en dos pasos",
    dueLead:
      "Para continuar, proteja su cuenta con una aplicación de autenticación. Cuando inicie sesión, introducirá un código de ella.",
    dueChoice: "Para continuar, proteja su cuenta con una llave de acceso o una aplicación de autenticación.",
    passkey: "Llave de acceso",
    app: "Aplicación de autenticación",
    dueButton: "Configurar",
    dueScan: "Escanee este código QR con su aplicación de autenticación."
  },
  accounts: {
    title: "Elija una organización",
    lead: "Pertenece a más de una. ¿Cuál quiere usar?",
    current: "Actual",
    noneTitle: "Aún sin organización",
    none: "Aún no pertenece a ninguna organización.",
    noneTodo: "Pida a un miembro de su organización que le invite.",
    profile: "Su perfil"
  },
  invite: {
    title: "Invite a alguien",
    lead: (realm) => html`Recibirá un correo con un enlace para unirse a ${realm}.`,
    orgLead: (org) => html`Recibirá un correo con un enlace para unirse a ${org}.`,
    chosenOrgLead: "Recibirá un correo con un enlace para unirse a la organización.",
    org: "Organización",
    button: "Enviar invitación",
    none: "No hay ninguna organización a la que pueda invitar.",
    done: "Invitación enviada",
    doneLead: (email) => html`Un correo con un enlace va en camino a ${email}.`,
    another: "Invitar a otra persona",
    profile: "Volver a su perfil"
  },
  logout: {
    title: "¿Cerrar sesión?",
    lead: (user) => html`Ha iniciado sesión como ${user}.`,
    askedBy: (client) => html`${client} le pide que cierre la sesión.`,
    everywhere: "También se cerrará la sesión en las demás aplicaciones a las que haya entrado con ella.",
    button: "Cerrar sesión",
    stay: "Seguir con la sesión abierta",
    done: "Ha cerrado la sesión",
    doneLead: "Si es un equipo compartido, cierre también el navegador.",
    login: "Volver a iniciar sesión"
  },
  tooMany: {
    title: "Demasiados intentos",
    lead: (seconds) =>
      `Vuelva a intentarlo en ${formatDuration(seconds, ["segundo", "segundos"], ["minuto", "minutos"])}.`,
    todo: "No se ha cambiado nada.",
    back: "Volver"
  }
}
