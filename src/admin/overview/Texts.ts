import { catalogue } from "../texts/Language.tsx"

export const overviewTexts = catalogue({
  en: {
    overview: "Overview",
    period: "Period",
    periods: { day: "Last 24 hours", week: "Last 7 days", month: "Last 30 days", year: "Last 12 months" },
    within: {
      day: "in the last 24 hours",
      week: "in the last 7 days",
      month: "in the last 30 days",
      year: "in the last 12 months"
    },
    users: "Users",
    orgs: "Orgs",
    activeDay: "Active in the last 24 hours",
    activeMonth: "Active in the last 30 days",
    logins: "Logins",
    failedLogins: "Failed logins",
    usersCreated: "New users",
    delivered: "Webhooks delivered",
    failed: "Webhooks failed for good",
    mailsSent: { sent: "Emails sent", kept: "Emails in the mailbox" },
    mailsFailed: "Emails failed for good",
    orgsCreated: "New orgs",
    loginsChart: "Logins and new users",
    activeChart: "Active users",
    activeUsers: {
      hour: "Users who logged in, by hour",
      day: "Users who logged in, by day",
      month: "Users who logged in, by month"
    },
    methodsChart: "Logins by method",
    noLogins: "No logins in this period.",
    otherMethods: "Other",
    deliveriesChart: "Webhooks and emails",
    asTable: "Show as a table",
    time: "From",
    attention: "Needs attention",
    allWell: "Nothing needs your attention.",
    blocked: (count: number, within: string) =>
      `${count === 1 ? "1 block" : `${count} blocks`} after too many wrong passwords ${within}.`,
    inactive: "This realm is inactive, so nobody can log in.",
    held: "Deliveries are paused (SALLYPORT_DELIVERIES=off). No webhooks or emails are sent.",
    truncated: "Some numbers are higher than shown. Counting stops at 50,000.",
    recent: "Recent events",
    times: (count: number) => `${count}×`,
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
    periods: { day: "Últimas 24 horas", week: "Últimos 7 días", month: "Últimos 30 días", year: "Últimos 12 meses" },
    within: {
      day: "en las últimas 24 horas",
      week: "en los últimos 7 días",
      month: "en los últimos 30 días",
      year: "en los últimos 12 meses"
    },
    users: "Usuarios",
    orgs: "Organizaciones",
    activeDay: "Activos en las últimas 24 horas",
    activeMonth: "Activos en los últimos 30 días",
    logins: "Inicios de sesión",
    failedLogins: "Inicios de sesión fallidos",
    usersCreated: "Usuarios nuevos",
    delivered: "Webhooks entregados",
    failed: "Webhooks fallidos definitivamente",
    mailsSent: { sent: "Correos enviados", kept: "Correos en el buzón" },
    mailsFailed: "Correos fallidos definitivamente",
    orgsCreated: "Organizaciones nuevas",
    loginsChart: "Inicios de sesión y usuarios nuevos",
    activeChart: "Usuarios activos",
    activeUsers: {
      hour: "Usuarios que iniciaron sesión, por hora",
      day: "Usuarios que iniciaron sesión, por día",
      month: "Usuarios que iniciaron sesión, por mes"
    },
    methodsChart: "Inicios de sesión por método",
    noLogins: "No hubo inicios de sesión en este periodo.",
    otherMethods: "Otros",
    deliveriesChart: "Webhooks y correos",
    asTable: "Ver como tabla",
    time: "Desde",
    attention: "Requiere atención",
    allWell: "Nada requiere su atención.",
    blocked: (count: number, within: string) =>
      `${count === 1 ? "1 bloqueo" : `${count} bloqueos`} tras demasiadas contraseñas incorrectas ${within}.`,
    inactive: "Este realm está inactivo, así que nadie puede iniciar sesión.",
    held: "Las entregas están en pausa (SALLYPORT_DELIVERIES=off). No se envía ningún webhook ni correo.",
    truncated: "Algunas cifras son mayores de lo que se muestra. El recuento se detiene en 50.000.",
    recent: "Últimos eventos",
    times: (count: number) => `${count}×`,
    allEvents: "Todos los eventos",
    firstSteps: "Primeros pasos",
    firstStepsLead: "Tres pasos desde un realm vacío hasta el primer inicio de sesión.",
    steps: {
      app: ["Conecte su aplicación", "Obtenga páginas alojadas de inicio de sesión y registro."],
      user: ["Cree un usuario", "O regístrese usted en las páginas de la aplicación."],
      hook: ["Añada un webhook", "Avise a su backend de los eventos."]
    },
    done: "Hecho"
  }
})
