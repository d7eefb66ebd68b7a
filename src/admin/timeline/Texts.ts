import { catalogue } from "../texts/Language.tsx"

export const timelineTexts = catalogue({
  en: {
    title: "Activity",
    lead: "Logins, changes, emails and webhooks for this user.",
    orgLead: "Changes, emails and webhooks for this org and its members.",
    nothing: "No activity yet, or it is older than the retention period.",
    earlier: "Earlier",
    all: "All",
    mails: "Emails",
    logins: "Logins",
    changes: "Changes",
    show: "Show",
    by: {
      self: "by the user",
      user: "by another user",
      api_key: "with an API key:",
      operator: "in the console by",
      client_app: "on a login page",
      system: "by the service"
    },
    changed: "Changed",
    from: "from",
    reasons: {
      deleted: "ended via API",
      logged_out: "logged out",
      logged_in_again: "logged in again in the same browser",
      password_changed: "password changed",
      password_reset: "password reset",
      email_verified: "email verified for the first time",
      user_inactive: "account deactivated",
      wrong_password: "wrong password",
      no_password: "no password set",
      blocked: "blocked after too many failed attempts",
      unknown_user: "unknown user",
      wrong_code: "wrong or already used code",
      expired: "expired code or too many attempts",
      wrong_passkey: "passkey not accepted",
      method_off: "this login method is turned off",
      provider_refused: "rejected by the provider, or its response was invalid",
      user_deleted: "account deleted",
      invitation_login: "logged in only to accept an invitation"
    },
    mail: "Email",
    webhook: "Webhook",
    webhooks: (count: number) => (count === 1 ? "1 webhook" : `${count} webhooks`),
    conditions: {
      completed: (count: number) => `${count} delivered`,
      failing: (count: number) => `${count} retrying`,
      waiting: (count: number) => `${count} waiting`,
      failed: (count: number) => `${count} failed for good`,
      canceled: (count: number) => `${count} canceled`
    },
    to: "to",
    mailDone: {
      sent: (destination: string) =>
        `The mail server accepted the email to ${destination}. If it hasn't arrived, check the spam folder.`,
      kept: (destination: string) => `For ${destination}, in the test mailbox.`
    },
    webhookSent: (destination: string) => `Delivered to ${destination}.`,
    held: "Paused: deliveries are turned off (SALLYPORT_DELIVERIES=off).",
    waitingFirst: "Waiting to be sent.",
    sending: "Sending…",
    waitingAgain: (attempts: number) =>
      attempts === 1 ? "Failed once. Next retry:" : `Failed ${attempts} times. Next retry:`,
    failedPermanently: (attempts: number) =>
      `Failed for good after ${attempts === 1 ? "1 attempt" : `${attempts} attempts`}.`,
    canceled: "Not sent: the delivery was canceled, or its webhook or email template was deactivated or deleted.",
    noMail:
      "No email was sent: the realm has no active email template for this event. Activate or create one under “Email templates”, then request the email again.",
    byProgram:
      "No email was sent: the link was created via API, so your program delivers it. The realm's own email is sent only if the user requests it on the login page.",
    toTemplates: "Email templates",
    answer: "Last response:",
    retry: "Retry now",
    retried: "Retrying delivery",
    attemptAt: "last attempt"
  },
  es: {
    title: "Actividad",
    lead: "Inicios de sesión, cambios, correos y webhooks de este usuario.",
    orgLead: "Cambios, correos y webhooks de esta organización y sus miembros.",
    nothing: "Aún no hay actividad, o es anterior al periodo de conservación.",
    earlier: "Anteriores",
    all: "Todo",
    mails: "Correos",
    logins: "Inicios de sesión",
    changes: "Cambios",
    show: "Mostrar",
    by: {
      self: "por el usuario",
      user: "por otro usuario",
      api_key: "con una clave de API:",
      operator: "en la consola por",
      client_app: "en una página de inicio de sesión",
      system: "por el servicio"
    },
    changed: "Cambió",
    from: "desde",
    reasons: {
      deleted: "terminada a través de la API",
      logged_out: "cerró la sesión",
      logged_in_again: "volvió a iniciar sesión en el mismo navegador",
      password_changed: "se cambió la contraseña",
      password_reset: "se restableció la contraseña",
      email_verified: "el correo se verificó por primera vez",
      user_inactive: "la cuenta se desactivó",
      wrong_password: "contraseña incorrecta",
      no_password: "sin contraseña definida",
      blocked: "bloqueado tras demasiados intentos fallidos",
      unknown_user: "usuario desconocido",
      wrong_code: "código incorrecto o ya usado",
      expired: "código caducado o demasiados intentos",
      wrong_passkey: "llave de acceso no aceptada",
      method_off: "este método de acceso está desactivado",
      provider_refused: "rechazado por el proveedor, o su respuesta no era válida",
      user_deleted: "la cuenta se eliminó",
      invitation_login: "inició sesión solo para aceptar una invitación"
    },
    mail: "Correo",
    webhook: "Webhook",
    webhooks: (count: number) => (count === 1 ? "1 webhook" : `${count} webhooks`),
    conditions: {
      completed: (count: number) => (count === 1 ? "1 entregado" : `${count} entregados`),
      failing: (count: number) => `${count} en reintento`,
      waiting: (count: number) => `${count} en espera`,
      failed: (count: number) => (count === 1 ? "1 fallido definitivamente" : `${count} fallidos definitivamente`),
      canceled: (count: number) => (count === 1 ? "1 cancelado" : `${count} cancelados`)
    },
    to: "a",
    mailDone: {
      sent: (destination: string) =>
        `El servidor de correo aceptó el correo para ${destination}. Si no ha llegado, mire en la carpeta de spam.`,
      kept: (destination: string) => `Para ${destination}, en el buzón de pruebas.`
    },
    webhookSent: (destination: string) => `Entregado a ${destination}.`,
    held: "En pausa: las entregas están desactivadas (SALLYPORT_DELIVERIES=off).",
    waitingFirst: "Pendiente de envío.",
    sending: "Enviando…",
    waitingAgain: (attempts: number) =>
      attempts === 1 ? "Falló una vez. Próximo intento:" : `Falló ${attempts} veces. Próximo intento:`,
    failedPermanently: (attempts: number) =>
      `Falló definitivamente tras ${attempts === 1 ? "1 intento" : `${attempts} intentos`}.`,
    canceled: "No se envió: la entrega se canceló, o su webhook o plantilla de correo se desactivó o se eliminó.",
    noMail:
      "No se envió ningún correo: el realm no tiene ninguna plantilla activa para este evento. Active o cree una en «Plantillas de correo» y vuelva a solicitar el correo.",
    byProgram:
      "No se envió ningún correo: el enlace se creó a través de la API, así que lo entrega su programa. El correo del realm solo se envía si el usuario lo solicita en la página de inicio de sesión.",
    toTemplates: "Plantillas de correo",
    answer: "Última respuesta:",
    retry: "Reintentar ahora",
    retried: "Reintentando la entrega",
    attemptAt: "último intento"
  }
})
