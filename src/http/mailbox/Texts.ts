import type { Locale } from "#domain/Locale"

/** The texts of the mailbox pages, in one language. */
export interface Texts {
  readonly language: Locale
  readonly mailbox: string
  readonly guides: string
  readonly api: string
  readonly recipient: string
  readonly filter: string
  readonly all: string
  readonly older: string
  readonly newest: string
  readonly noSubject: string
  readonly from: string
  readonly to: string
  readonly sent: string
  readonly realm: string
  readonly links: string
  readonly codes: string
  readonly html: string
  readonly text: string
  readonly source: string
  readonly asJson: string
  readonly look: string
  readonly desktop: string
  readonly phone: string
  readonly light: string
  readonly dark: string
  readonly none: string
  readonly noneTo: (part: string) => string
  readonly emptyHint: string
  readonly mailServerHint: string
  readonly gone: string
  readonly goneReason: string
}

const en: Texts = {
  language: "en",
  mailbox: "Mailbox",
  guides: "Guides",
  api: "API",
  recipient: "Recipient",
  filter: "Filter",
  all: "All emails",
  older: "Older",
  newest: "Newest",
  noSubject: "(no subject)",
  from: "From",
  to: "To",
  sent: "Sent",
  realm: "Realm",
  links: "Links",
  codes: "Codes",
  html: "Email",
  text: "Plain text",
  source: "Source",
  asJson: "As JSON",
  look: "Width and colors",
  desktop: "Desktop",
  phone: "Phone",
  light: "Light",
  dark: "Dark",
  none: "No emails yet",
  noneTo: (part) => `No emails to “${part}”`,
  emptyHint: "Emails the service sends are stored here and never leave this machine. For example, this call sends one:",
  mailServerHint: "Set SALLYPORT_SMTP_URL to send emails through a mail server instead.",
  gone: "Email not found",
  goneReason: "The mailbox stores the 1,000 most recent emails. Deleting a realm deletes its emails too."
}

const es: Texts = {
  language: "es",
  mailbox: "Buzón",
  guides: "Guías",
  api: "API",
  recipient: "Destinatario",
  filter: "Filtrar",
  all: "Todos los correos",
  older: "Anteriores",
  newest: "Los más recientes",
  noSubject: "(sin asunto)",
  from: "De",
  to: "Para",
  sent: "Enviado",
  realm: "Realm",
  links: "Enlaces",
  codes: "Códigos",
  html: "Correo",
  text: "Texto sin formato",
  source: "Código fuente",
  asJson: "Como JSON",
  look: "Ancho y colores",
  desktop: "Ordenador",
  phone: "Teléfono",
  light: "Claro",
  dark: "Oscuro",
  none: "Todavía no hay correos",
  noneTo: (part) => `No hay correos para «${part}»`,
  emptyHint:
    "Los correos que envía el servicio se guardan aquí y nunca salen de esta máquina. Por ejemplo, esta llamada envía uno:",
  mailServerHint: "Configure SALLYPORT_SMTP_URL para enviar los correos a través de un servidor de correo.",
  gone: "Correo no encontrado",
  goneReason: "El buzón guarda los 1000 correos más recientes. Al eliminar un realm se eliminan también sus correos."
}

const texts: Readonly<Record<Locale, Texts>> = { en, es }

/** The texts in a language. */
export const textsOf = (locale: Locale): Texts => texts[locale]
