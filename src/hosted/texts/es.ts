import type { CharacterKind } from "#domain/PasswordPolicy"
import { type Html, html } from "#platform/Html"
import { apps } from "./apps/es.ts"
import { authorize } from "./authorize/es.ts"
import { deletion } from "./deletion/es.ts"
import { device } from "./device/es.ts"
import type { Texts } from "./en.ts"
import { passkeys } from "./passkeys/es.ts"

const kinds: Readonly<Record<CharacterKind, string>> = {
  lower: "una minúscula",
  upper: "una mayúscula",
  digit: "un dígito",
  symbol: "un símbolo"
}

const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} y ${words.at(-1)}`

/** The Spanish texts of the pages. */
export const es: Texts = {
  language: "es",
  languageName: "Español",
  ...apps,
  authorize,
  deletion,
  device,
  passkeys,
  form: {
    errorTitle: (title) => `Error: ${title}`,
    errors: "Hay un problema",
    optional: "(opcional)",
    account: "Cuenta",
    email: "Correo electrónico",
    name: "Correo electrónico o nombre de usuario",
    password: "Contraseña",
    newPassword: "Contraseña nueva",
    again: "Confirme la contraseña",
    firstName: "Nombre",
    lastName: "Apellidos",
    code: "Código",
    show: "Mostrar la contraseña",
    nameMissing: "Introduzca su correo electrónico o su nombre de usuario.",
    emailMissing: "Introduzca su correo electrónico.",
    strength: {
      label: "Seguridad de la contraseña: %",
      levels: ["Demasiado corta", "Baja", "Media", "Buena", "Alta"]
    },
    demands: (least, required) =>
      `Al menos ${least} caracteres${required.length === 0 ? "" : `, con ${listed(required.map((kind) => kinds[kind]))}`}. Lo mejor son varias palabras sin relación entre sí.`
  },
  verify: {
    title: "Confirme su correo electrónico",
    lead: (email, realm) => html`¿Es ${email} el correo electrónico de su cuenta en ${realm}?`,
    button: "Sí, confirmar esta dirección",
    otherwise: "Si no esperaba esto, puede cerrar la página. Nada cambia si no lo confirma.",
    passwordLead: (email, realm) => html`Para confirmar ${email}, introduzca la contraseña de su cuenta en ${realm}.`,
    passwordButton: "Confirmar esta dirección",
    wrongPassword: "La contraseña no es correcta. Revísela e inténtelo de nuevo.",
    unproved: "Primero, demuestre que esta cuenta es suya.",
    loginLead: (email, realm) =>
      html`Para confirmar ${email}, inicie sesión en ${realm} en este navegador y abra otra vez el enlace del correo.`,
    resetTitle: "¿Ha olvidado la contraseña o nunca se registró?",
    resetLead:
      "Podemos enviarle un correo con un enlace para elegir una contraseña nueva. Cuando la elija, se cerrarán las demás sesiones de la cuenta y dejará de funcionar cualquier otra forma de iniciar sesión configurada antes.",
    resetButton: "Enviar correo",
    resetSent: (email) => html`Hemos enviado un correo a ${email}. Abra el enlace para elegir una contraseña nueva.`,
    done: "Correo electrónico confirmado",
    doneLead: (email, realm) => html`${email} es ahora el correo electrónico de su cuenta en ${realm}.`
  },
  operator: {
    title: "Configure su cuenta",
    lead: (email) =>
      html`Elija una contraseña para ${email}. Después puede añadir una llave de acceso o un segundo factor.`,
    button: "Crear la cuenta"
  },
  reset: {
    title: "Elija una contraseña nueva",
    lead: (realm) => html`Es para su cuenta en ${realm}.`,
    button: "Guardar la contraseña nueva",
    done: "Contraseña cambiada",
    doneLead: (realm) =>
      html`Inicie sesión en ${realm} con la contraseña nueva. Tendrá que volver a iniciar sesión donde la tuviera abierta.`
  },
  invitation: {
    title: "Tiene una invitación",
    lead: ({ realm, org, inviter }) => {
      const where = org === undefined ? realm : html`${org} en ${realm}`
      return inviter === undefined
        ? html`Le invitan a unirse a ${where}.`
        : html`${inviter} le invita a unirse a ${where}.`
    },
    own: "Termine su registro",
    ownLead: (realm) => html`Elija una contraseña para su cuenta en ${realm}.`,
    signup: "Cree su cuenta",
    signupButton: "Crear la cuenta y unirme",
    toSignup: "¿No tiene una cuenta?",
    toSignupLink: "Regístrese",
    login: "Inicie sesión para aceptar",
    loginButton: "Iniciar sesión y unirme",
    toLogin: "¿Ya tiene una cuenta?",
    toLoginLink: "Inicie sesión",
    taken: "Ya existe una cuenta con este correo electrónico. Inicie sesión para aceptar la invitación.",
    codeButton: "Confirmar y unirme",
    lapsed: "Este inicio de sesión ha caducado o se han probado demasiados códigos. Vuelva a iniciar sesión.",
    belongsTitle: "Ya es miembro",
    belongs: (to) => html`Ya pertenece a ${to}.`,
    usedTodo: "Si acaba de aceptarla, ya está todo listo. Si no, pida una nueva a quien le invitó.",
    cannotTitle: "No puede invitar a nadie",
    cannotOwners:
      "Solo los propietarios y administradores de una organización pueden invitar a otras personas. Pídaselo a uno de ellos.",
    cannotHere: "Las invitaciones están desactivadas aquí.",
    done: "¡Le damos la bienvenida!",
    joined: (realm, org) =>
      org === undefined ? html`Se ha unido a ${realm}.` : html`Ya es miembro de ${org} en ${realm}.`,
    newAccount: (email) => html`Su cuenta está lista: inicie sesión con ${email} y su contraseña.`
  },
  social: {
    codeButton: "Iniciar sesión",
    again: "Empezar de nuevo",
    elsewhere: "Puede volver a la aplicación e iniciar sesión desde allí.",
    failed: {
      provider_answer: ({ alone }) => `${alone} envió una respuesta que no se puede usar.`,
      provider_denied: ({ within }) => `Se canceló el inicio de sesión en ${within}.`,
      provider_error: ({ alone }, error) => `${alone} devolvió un error: ${error}.`,
      provider_secret: ({ alone }) => `${alone} no está disponible para iniciar sesión en este momento.`,
      provider_unreachable: ({ within }) => `No se puede contactar con ${within} en este momento.`
    },
    retryAt: ({ within }) => `Volver a intentarlo con ${within}`,
    password: "Iniciar sesión con contraseña",
    other: "Iniciar sesión de otra forma",
    join: "¿Aceptar esta invitación?",
    joinLead: (account, invited) => html`Ha iniciado sesión como ${account}. La invitación se envió a ${invited}.`,
    joinButton: "Aceptar y unirme",
    skipButton: "Continuar sin unirme"
  },
  sentences: {
    deletion_unconfirmed: "Marque la casilla para confirmar.",
    context_word: "La contraseña no puede contener su nombre, su correo electrónico ni el nombre de este servicio.",
    taken: "Otra cuenta ya usa este correo electrónico o nombre de usuario.",
    already_invited: "Esta persona ya tiene una invitación pendiente. Puede reenviarla más abajo.",
    password_for_email: "Introduzca su contraseña actual para cambiar su correo electrónico.",
    code_incomplete: "Introduzca las seis cifras del código.",
    recovery_code_incomplete: "Introduzca las 12 letras y cifras del código de recuperación.",
    unmatched: "Las contraseñas no coinciden.",
    last_way_in: "Es su única manera de iniciar sesión. Añada otra primero.",
    last_second_factor: "Aquí la verificación en dos pasos es obligatoria. Añada otro segundo paso primero.",
    wrong_current_password: "La contraseña actual no es correcta."
  },
  unlabelled: {
    email_form: "Introduzca una dirección de correo válida."
  },
  taken: {
    email: "Otra cuenta ya usa este correo electrónico.",
    username: "Otra cuenta ya usa este nombre de usuario."
  },
  wrongLogin: {
    email: "Correo electrónico o contraseña incorrectos.",
    username: "Nombre de usuario o contraseña incorrectos."
  },
  wrongCode: "El código no es correcto o ya no es válido. Espere al siguiente e inténtelo de nuevo.",
  backToConsole: "Ir a la consola",
  backToApp: (app: Html): Html => html`Volver a ${app}`,
  close: "Ya puede cerrar esta página.",
  problems: {
    verify: {
      title: "Este enlace ya no funciona",
      lead: "Ya se ha usado, tiene más de 24 horas o su correo electrónico ha cambiado desde entonces.",
      todo: "Si acaba de confirmar su dirección, no tiene que hacer nada más. Si no, inicie sesión y solicite un correo nuevo."
    },
    code: {
      title: "Este enlace ya no funciona",
      lead: "Ya se ha usado o tiene más de 10 minutos.",
      todo: "Inicie sesión para solicitar un código nuevo."
    },
    reset: {
      title: "Este enlace ya no funciona",
      lead: "Ya se ha usado, tiene más de una hora o su contraseña ha cambiado desde entonces.",
      todo: "Si acaba de cambiar su contraseña, inicie sesión con la nueva. Si no, solicite un correo nuevo."
    },
    deletion: {
      title: "Este enlace ya no funciona",
      lead: "Puede que su cuenta ya se haya conservado, o eliminado.",
      todo: "Inicie sesión para comprobarlo. Si puede hacerlo, su cuenta sigue ahí."
    },
    invitation: {
      title: "Esta invitación ya no funciona",
      lead: "Ya se ha aceptado, ha caducado o se ha retirado.",
      todo: "Si acaba de aceptarla, inicie sesión. Si no, pida otra a la persona que le invitó."
    },
    realm_inactive: {
      title: "No disponible en este momento",
      lead: "Las cuentas están desactivadas aquí por el momento.",
      todo: "Vuelva a probar el enlace más tarde o contacte con soporte."
    },
    provider_inactive: {
      title: "El inicio de sesión con contraseña está desactivado",
      lead: "Este servicio usa otra forma de iniciar sesión.",
      todo: "Inicie sesión como suele hacerlo o contacte con soporte."
    },
    no_login: {
      title: "Aquí no se puede iniciar sesión",
      lead: "El enlace está incompleto o esta forma de iniciar sesión está desactivada.",
      todo: "Vuelva a la aplicación e inicie sesión desde allí."
    },
    login_lost: {
      title: "Este inicio de sesión no se puede completar",
      lead: "Es posible que haya tardado más de 30 minutos, que ya se haya completado o que se iniciara en otro navegador.",
      todo: "Empiece de nuevo."
    },
    login_refused: {
      title: "No ha iniciado sesión",
      lead: "El proveedor no ha iniciado su sesión.",
      todo: "Inténtelo de nuevo."
    },
    redirect_refused: {
      title: "Este enlace no es válido",
      lead: "Pide que le enviemos a una dirección que esta aplicación no permite.",
      todo: "Vuelva a la aplicación e inténtelo de nuevo desde allí."
    },
    client_unknown: {
      title: "Este enlace no es válido",
      lead: "La aplicación que le ha enviado aquí no se conoce o está desactivada.",
      todo: "Vuelva a la aplicación e inténtelo de nuevo, o contacte con su soporte."
    },
    request_refused: {
      title: "Este enlace no es válido",
      lead: "La aplicación que le ha enviado aquí ha hecho una solicitud no válida.",
      todo: "Vuelva a la aplicación e inténtelo de nuevo, o contacte con su soporte."
    },
    request_expired: {
      title: "Este inicio de sesión no se puede completar",
      lead: "Ha tardado demasiado o ya se ha completado.",
      todo: "Vuelva a la aplicación e inicie sesión desde allí."
    },
    state_refused: {
      title: "Este enlace no es válido",
      lead: "Su parámetro state debe ser texto imprimible de 512 caracteres como máximo.",
      todo: "Vuelva a la aplicación e inténtelo de nuevo desde allí."
    },
    demands_refused: {
      title: "Este enlace no es válido",
      lead: "Pide un tipo de inicio de sesión que aquí no está disponible.",
      todo: "Vuelva a la aplicación e inténtelo de nuevo desde allí."
    },
    handler_missing: {
      title: "Este inicio de sesión aún no está configurado",
      lead: "La aplicación no ha indicado adónde enviarle después de iniciar sesión.",
      todo: "Contacte con soporte."
    },
    nowhere: {
      title: "Página no encontrada",
      lead: "El enlace está incompleto o su página ya no existe.",
      todo: "Vuelva a abrir el enlace del correo y compruebe que esté completo."
    },
    not_found: {
      title: "Página no encontrada",
      lead: "No hay nada en esta dirección.",
      todo: "Revise la dirección o vuelva a la página anterior."
    },
    no_app: {
      title: "Página no encontrada",
      lead: "Ninguna aplicación usa esta dirección.",
      todo: "Revise la dirección o vuelva a la página anterior."
    },
    method: {
      title: "Esta página no puede hacer eso",
      lead: "Su navegador ha enviado una solicitud que esta página no admite.",
      todo: "Vuelva a abrir la página desde su enlace."
    },
    foreign: {
      title: "Esta solicitud viene de otro sitio",
      lead: "Por su seguridad, este formulario solo se puede enviar desde nuestra propia página.",
      todo: "Abra la página desde su enlace y envíe el formulario desde allí."
    },
    unreadable: {
      title: "No se ha podido leer la solicitud",
      lead: "Su navegador ha enviado algo que esta página no puede leer.",
      todo: "Vuelva a abrir la página desde su enlace."
    },
    unavailable: {
      title: "Servicio ocupado",
      lead: "No se ha cambiado nada.",
      todo: "Vuelva a intentarlo en un momento."
    }
  }
}
