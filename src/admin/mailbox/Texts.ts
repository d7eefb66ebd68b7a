import { catalogue } from "../texts/Language.tsx"

export const mailboxTexts = catalogue({
  en: {
    mailbox: "Mailbox",
    lead: "Emails of this realm that were captured instead of sent.",
    subject: "Subject",
    to: "To",
    from: "From",
    time: "Time",
    recipient: "Recipient",
    clear: "Delete all",
    clearTitle: "Delete all emails of this realm?",
    clearText: "Only these copies are deleted. Nothing else changes.",
    cleared: "Mailbox emptied",
    emptyTitle: "No emails yet",
    emptyText: "Invitations, verification emails and password resets appear here when they are sent.",
    links: "Links",
    codes: "Codes",
    content: "Content",
    view: "View",
    views: { html: "Email", text: "Plain text", source: "Source" },
    noRemoteImages: "Images from other sites aren’t loaded here. Recipients may see them.",
    clock: "Clock",
    clockLead:
      "The service runs on a virtual clock. When you advance it, everything that becomes due happens in order: sessions end, invitations expire, webhooks are delivered.",
    now: "Service time",
    advance: "Advance by",
    advanceHelp:
      "For example: 5 minutes, 12 hours or 30 days. Console sessions last 12 hours, so a longer jump logs you out.",
    advanceNow: "Advance clock",
    advanced: "Clock advanced",
    happened: "Events",
    nothingHappened: "Nothing was due.",
    // The value sent to the API, and the button's label.
    steps: [
      { advance: "5 minutes", text: "5 minutes" },
      { advance: "1 hour", text: "1 hour" },
      { advance: "1 day", text: "1 day" },
      { advance: "30 days", text: "30 days" }
    ]
  },
  es: {
    mailbox: "Buzón",
    lead: "Correos de este realm que se guardaron en lugar de enviarse.",
    subject: "Asunto",
    to: "Para",
    from: "De",
    time: "Hora",
    recipient: "Destinatario",
    clear: "Eliminar todos",
    clearTitle: "¿Eliminar todos los correos de este realm?",
    clearText: "Solo se eliminan estas copias. No cambia nada más.",
    cleared: "Buzón vaciado",
    emptyTitle: "Aún no hay correos",
    emptyText:
      "Las invitaciones, los correos de verificación y los restablecimientos de contraseña aparecen aquí cuando se envían.",
    links: "Enlaces",
    codes: "Códigos",
    content: "Contenido",
    view: "Vista",
    views: { html: "Correo", text: "Texto sin formato", source: "Código fuente" },
    noRemoteImages: "Las imágenes de otros sitios no se cargan aquí. Los destinatarios pueden verlas.",
    clock: "Reloj",
    clockLead:
      "El servicio usa un reloj virtual. Cuando se adelanta, todo lo que vence ocurre en orden: terminan sesiones, caducan invitaciones, se entregan webhooks.",
    now: "Hora del servicio",
    advance: "Adelantar",
    advanceHelp:
      "En inglés, por ejemplo: 5 minutes, 12 hours o 30 days. Las sesiones de la consola duran 12 horas, así que un salto mayor cierra la suya.",
    advanceNow: "Adelantar el reloj",
    advanced: "Reloj adelantado",
    happened: "Eventos",
    nothingHappened: "No había nada pendiente.",
    steps: [
      { advance: "5 minutes", text: "5 minutos" },
      { advance: "1 hour", text: "1 hora" },
      { advance: "1 day", text: "1 día" },
      { advance: "30 days", text: "30 días" }
    ]
  }
})
