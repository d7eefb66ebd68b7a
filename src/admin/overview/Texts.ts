import { catalogue } from "../texts/Language.tsx"

export const overviewTexts = catalogue({
  en: {
    overview: "Overview",
    period: "Period",
    periods: { day: "Last 24 hours", week: "Last 7 days", month: "Last 30 days" },
    users: "Users",
    orgs: "Orgs",
    activeDay: "Active in the last 24 hours",
    activeMonth: "Active in the last 30 days",
    logins: "Logins",
    failedLogins: "Failed logins",
    usersCreated: "New users",
    delivered: "Webhooks delivered",
    failed: "Webhooks failed",
    mailsSent: "Emails sent",
    mailsFailed: "Emails failed",
    orgsCreated: "New orgs",
    loginsChart: "Logins and new users",
    deliveriesChart: "Webhooks and emails",
    asTable: "Show as a table",
    time: "From",
    attention: "Needs attention",
    allWell: "Nothing needs your attention.",
    blocked: (count: number) =>
      count === 1
        ? "1 user is locked out after too many wrong passwords."
        : `${count} lockouts after too many wrong passwords.`,
    inactive: "This realm is inactive, so nobody can log in.",
    held: "Deliveries are paused (SALLYPORT_DELIVERIES=off). No webhooks or emails are sent.",
    truncated: "Some numbers are higher than shown. Counting stops at 50,000.",
    recent: "Recent events",
    together: (count: number) => `${count} in a row`,
    allEvents: "All events",
    firstSteps: "First steps",
    firstStepsLead: "Three steps from an empty realm to your first login.",
    steps: {
      app: ["Connect your app", "Get hosted login and sign-up pages."],
      user: ["Create a user", "Or sign up yourself on the app's pages."],
      hook: ["Add a webhook", "Notify your backend about events."]
    },
    done: "Done"
  },
  es: {
    overview: "Resumen",
    period: "Periodo",
    periods: { day: "Últimas 24 horas", week: "Últimos 7 días", month: "Últimos 30 días" },
    users: "Usuarios",
    orgs: "Organizaciones",
    activeDay: "Activos en las últimas 24 horas",
    activeMonth: "Activos en los últimos 30 días",
    logins: "Inicios de sesión",
    failedLogins: "Inicios de sesión fallidos",
    usersCreated: "Usuarios nuevos",
    delivered: "Webhooks entregados",
    failed: "Webhooks fallidos",
    mailsSent: "Correos enviados",
    mailsFailed: "Correos fallidos",
    orgsCreated: "Organizaciones nuevas",
    loginsChart: "Inicios de sesión y usuarios nuevos",
    deliveriesChart: "Webhooks y correos",
    asTable: "Ver como tabla",
    time: "Desde",
    attention: "Requiere atención",
    allWell: "Nada requiere tu atención.",
    blocked: (count: number) =>
      count === 1
        ? "1 usuario está bloqueado tras demasiadas contraseñas incorrectas."
        : `${count} bloqueos tras demasiadas contraseñas incorrectas.`,
    inactive: "Este realm está inactivo, así que nadie puede iniciar sesión.",
    held: "Las entregas están en pausa (SALLYPORT_DELIVERIES=off). No se envía ningún webhook ni correo.",
    truncated: "Algunas cifras son mayores de lo que se muestra. El recuento se detiene en 50.000.",
    recent: "Últimos eventos",
    together: (count: number) => `${count} seguidos`,
    allEvents: "Todos los eventos",
    firstSteps: "Primeros pasos",
    firstStepsLead: "Tres pasos desde un realm vacío hasta el primer inicio de sesión.",
    steps: {
      app: ["Conecta tu aplicación", "Obtén páginas alojadas de inicio de sesión y registro."],
      user: ["Crea un usuario", "O regístrate tú mismo en las páginas de la aplicación."],
      hook: ["Añade un webhook", "Avisa a tu backend de los eventos."]
    },
    done: "Hecho"
  }
})
