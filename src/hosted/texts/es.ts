import type { CharacterKind } from "#domain/PasswordPolicy"
import { html } from "#platform/Html"
import { apps } from "./apps/es.ts"
import type { Texts } from "./en.ts"

const kinds: Readonly<Record<CharacterKind, string>> = {
  lower: "una minúscula",
  upper: "una mayúscula",
  digit: "un dígito",
  symbol: "un símbolo"
}

const listed = (words: ReadonlyArray<string>): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} y ${words.at(-1)}`

/** What the pages say, in Spanish. */
export const es: Texts = {
  language: "es",
  ...apps,
  form: {
    errorTitle: (title) => `Error: ${title}`,
    errors: "Hay un problema",
    optional: "(opcional)",
    account: "Cuenta",
    email: "Correo electrónico",
    name: "Correo electrónico o nombre de usuario",
    password: "Contraseña",
    newPassword: "Contraseña nueva",
    again: "La misma contraseña otra vez",
    firstName: "Nombre",
    lastName: "Apellidos",
    code: "Código",
    show: "Mostrar la contraseña",
    nameMissing: "Introduzca su correo electrónico o su nombre de usuario.",
    demands: (least, required) =>
      `Al menos ${least} caracteres${required.length === 0 ? "" : `, con ${listed(required.map((kind) => kinds[kind]))}`}. Varias palabras juntas se recuerdan bien y son difíciles de adivinar.`
  },
  verify: {
    title: "Confirme su correo electrónico",
    lead: (email, realm) => html`¿Es ${email} la dirección de su cuenta en ${realm}?`,
    button: "Sí, confirmar esta dirección",
    otherwise: "Si no sabe de qué se trata, cierre la página: sin usted no pasa nada.",
    passwordLead: (email, realm) => html`Para confirmar ${email}, introduzca la contraseña de su cuenta en ${realm}.`,
    passwordButton: "Confirmar esta dirección",
    wrongPassword: "La contraseña no es correcta. Compruébela, también las mayúsculas, e inténtelo de nuevo.",
    unproved: "Demuestre primero que la cuenta es suya.",
    loginLead: (email, realm) =>
      html`Para confirmar ${email}, inicie sesión en ${realm} en este navegador y abra otra vez el enlace del correo.`,
    resetTitle: "¿Ha olvidado la contraseña o nunca se registró?",
    resetLead:
      "Podemos enviarle un correo con un enlace para elegir una contraseña nueva. En cuanto lo haga, se cerrarán las demás sesiones de la cuenta y nadie podrá entrar por otra vía que se hubiera configurado antes.",
    resetButton: "Enviar el correo",
    resetSent: (email) =>
      html`Hemos enviado un correo a ${email}. Abra el enlace que contiene para elegir una contraseña nueva.`,
    done: "Su correo electrónico está confirmado",
    doneLead: (email, realm) => html`${email} es ahora la dirección de su cuenta en ${realm}.`
  },
  reset: {
    title: "Elija una contraseña nueva",
    lead: (realm) => html`Es para su cuenta en ${realm}.`,
    button: "Guardar la contraseña nueva",
    done: "Su contraseña ha cambiado",
    doneLead: (realm) =>
      html`Inicie sesión en ${realm} con la nueva. Donde tenía una sesión abierta, tendrá que iniciarla otra vez.`
  },
  invitation: {
    title: "Tiene una invitación",
    lead: ({ realm, org, inviter }) => {
      const where = org === undefined ? realm : html`${org} en ${realm}`
      return inviter === undefined
        ? html`Le invitan a unirse a ${where}.`
        : html`${inviter} le invita a unirse a ${where}.`
    },
    signup: "Cree su cuenta",
    signupButton: "Crear la cuenta y unirme",
    toSignup: "¿Aún no tiene una cuenta?",
    toSignupLink: "Cree una",
    login: "Inicie sesión para aceptar",
    loginButton: "Iniciar sesión y unirme",
    toLogin: "¿Ya tiene una cuenta?",
    toLoginLink: "Inicie sesión",
    taken: "Ya hay una cuenta con este correo electrónico. Inicie sesión para aceptar la invitación.",
    code: "Introduzca su código",
    codeLead:
      "Su cuenta está protegida por un segundo paso. Abra su aplicación de autenticación e introduzca el código que muestra.",
    codeHint: "Seis dígitos, uno nuevo cada 30 segundos.",
    codeButton: "Confirmar y unirme",
    lapsed: "Ha pasado demasiado tiempo o se han probado demasiados códigos. Inicie sesión otra vez.",
    done: "¡Le damos la bienvenida!",
    joined: (realm, org) =>
      org === undefined ? html`Se ha unido a ${realm}.` : html`Ya es miembro de ${org} en ${realm}.`,
    newAccount: (email) => html`Su cuenta está lista: inicie sesión con ${email} y su contraseña.`
  },
  social: {
    codeButton: "Iniciar sesión",
    again: "Empezar de nuevo",
    retry: "Intentarlo de nuevo",
    elsewhere: "O vuelva a donde quería iniciar sesión y empiece desde allí.",
    join: "¿Aceptar esta invitación?",
    joinLead: (account, invited) => html`Ha iniciado sesión como ${account}. La invitación se envió a ${invited}.`,
    joinButton: "Aceptar y unirme",
    skipButton: "Continuar sin unirme"
  },
  sentences: {
    context_word: "La contraseña no puede contener su nombre, su correo electrónico ni el nombre de este servicio.",
    taken: "Otra cuenta ya tiene esta dirección.",
    unmatched: "Las dos contraseñas no son iguales."
  },
  wrongLogin: "No se ha podido iniciar la sesión. Revise lo que ha escrito, también las mayúsculas.",
  wrongCode: "Ese no es el código de este momento. Espere al siguiente e introduzca ese.",
  close: "Ya puede cerrar esta página.",
  problems: {
    verify: {
      title: "Este enlace ya no funciona",
      lead: "Ya se usó, tiene más de 24 horas o su dirección ha cambiado desde entonces.",
      todo: "Si acaba de confirmarla, todo está bien. Si no, pida un correo nuevo donde inicia sesión."
    },
    reset: {
      title: "Este enlace ya no funciona",
      lead: "Ya se usó, tiene más de una hora o su contraseña ha cambiado desde entonces.",
      todo: "Si acaba de cambiarla, todo está bien: inicie sesión con la nueva. Si no, pida un correo nuevo donde inicia sesión."
    },
    invitation: {
      title: "Esta invitación ya no funciona",
      lead: "Ya se aceptó, ha vencido o la han retirado.",
      todo: "Si acaba de aceptarla, todo está bien: inicie sesión. Si no, pida otra a quien le invitó."
    },
    realm_inactive: {
      title: "Ahora no es posible",
      lead: "Aquí las cuentas están desactivadas por el momento.",
      todo: "Vuelva a probar el enlace más tarde o pregunte a quien lleva el servicio."
    },
    provider_inactive: {
      title: "Aquí no se usan contraseñas",
      lead: "Las cuentas de este servicio inician sesión de otra manera.",
      todo: "Vaya a donde suele iniciar sesión o pregunte a quien lleva el servicio."
    },
    no_login: {
      title: "Aquí no se inicia sesión",
      lead: "La dirección no está completa o esta forma de iniciar sesión está desactivada.",
      todo: "Vuelva a donde quería iniciar sesión."
    },
    login_lost: {
      title: "Este inicio de sesión no se puede terminar",
      lead: "Ha tardado más de 30 minutos, ya se terminó o se empezó en otro navegador.",
      todo: "Empiece de nuevo."
    },
    login_refused: {
      title: "No ha iniciado sesión",
      lead: "El proveedor no le ha dejado entrar.",
      todo: "Inténtelo de nuevo."
    },
    redirect_refused: {
      title: "Este enlace no es correcto",
      lead: "Pide que le enviemos a un lugar que no conocemos; por eso nadie inicia sesión con él.",
      todo: "Vuelva a donde quería iniciar sesión."
    },
    state_refused: {
      title: "Este enlace no es correcto",
      lead: "Lo que la aplicación quiere recibir de vuelta (state) pasa de 512 caracteres o no se puede mostrar; por eso nadie inicia sesión con él.",
      todo: "Vuelva a donde quería iniciar sesión."
    },
    handler_missing: {
      title: "Este inicio de sesión aún no está listo",
      lead: "La aplicación a la que pertenece no ha dicho adónde se va después.",
      todo: "Pregunte a quien lleva la aplicación."
    },
    nowhere: {
      title: "Aquí no hay nada",
      lead: "El enlace no está completo o aquello a lo que pertenecía ya no existe.",
      todo: "Vuelva a abrir el enlace del correo, entero."
    },
    no_app: {
      title: "Aquí no hay nada",
      lead: "Ninguna aplicación tiene sus páginas en esta dirección.",
      todo: "Revise la dirección o vuelva a donde estaba."
    },
    method: {
      title: "Esta página no puede hacer eso",
      lead: "Su navegador ha preguntado de un modo que esta página no conoce.",
      todo: "Vuelva a abrir la página por su enlace."
    },
    foreign: {
      title: "Esto venía de otro sitio",
      lead: "Por su seguridad, solo nuestra propia página puede enviar este formulario.",
      todo: "Abra la página por su enlace y envíe el formulario desde allí."
    },
    unreadable: {
      title: "No se ha podido leer",
      lead: "Lo que ha enviado su navegador no es un formulario nuestro.",
      todo: "Vuelva a abrir la página por su enlace."
    },
    unavailable: {
      title: "Ocupado en este momento",
      lead: "No se ha cambiado nada.",
      todo: "Vuelva a intentarlo en un momento."
    }
  }
}
