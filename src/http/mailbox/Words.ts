/** What the pages of the mailbox say, in one language. */
export interface Words {
  readonly language: string
  readonly mailbox: string
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
  readonly none: string
  readonly noneTo: (part: string) => string
  readonly howItComes: string
  readonly howItLeaves: string
  readonly gone: string
  readonly whyGone: string
}

const en: Words = {
  language: "en",
  mailbox: "Mailbox",
  api: "API",
  recipient: "Recipient",
  filter: "Filter",
  all: "All mails",
  older: "Older",
  newest: "Newest",
  noSubject: "(no subject)",
  from: "From",
  to: "To",
  sent: "Sent",
  realm: "Realm",
  links: "Links",
  codes: "Codes",
  html: "HTML",
  text: "Text",
  source: "Source",
  asJson: "As JSON",
  none: "No mail yet",
  noneTo: (part) => `No mail to “${part}”`,
  howItComes: "Mails that the service sends stay here: nothing leaves this machine. This call sends one, for example:",
  howItLeaves: "Once SALLYPORT_SMTP_URL names a mail server, mails go there instead.",
  gone: "This mail is not here",
  whyGone: "The mailbox keeps the newest thousand. A realm that is deleted takes its mails along."
}

const es: Words = {
  language: "es",
  mailbox: "Buzón",
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
  html: "HTML",
  text: "Texto",
  source: "Fuente",
  asJson: "Como JSON",
  none: "Todavía no hay correo",
  noneTo: (part) => `No hay correo para «${part}»`,
  howItComes:
    "Los correos que envía el servicio se quedan aquí: nada sale de esta máquina. Esta llamada, por ejemplo, envía uno:",
  howItLeaves: "En cuanto SALLYPORT_SMTP_URL nombre un servidor de correo, irán allí.",
  gone: "Este correo no está aquí",
  whyGone: "El buzón guarda los mil más recientes. Un realm que se borra se lleva sus correos."
}

/** The words of a language that the service speaks. */
export const wordsOf = (language: string): Words => (language === "es" ? es : en)
