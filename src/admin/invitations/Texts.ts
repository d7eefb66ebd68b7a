import { catalogue } from "../texts/Language.tsx"

export const invitationsTexts = catalogue({
  en: {
    invitations: "Invitations",
    lead: "Invitations that haven't been accepted yet. Expired invitations aren't shown.",
    create: "Invite",
    details: "Details",
    email: "Email",
    searchEmail: "Search by full email",
    type: "Type",
    anyType: "Any type",
    types: {
      org: "To an org",
      preverify: "Verify the email first",
      referral: "By another user",
      request: "On request"
    },
    typeHelp: {
      org: "Invite someone to an org. They sign up first if they have no account.",
      preverify: "The person verifies their email, then signs up.",
      referral: "A user recommends your app to someone.",
      request: "Invite someone who requested access."
    },
    state: "State",
    anyState: "Any state",
    pending: "Not sent",
    invited: { sent: "Sent", kept: "In the mailbox" },
    expires: "Expires",
    noneTitle: "No open invitations",
    noneText:
      "An invitation is an email with a link to sign up or join an org. Invite someone here or with the API, which first creates the invitation and then sends it:",
    noMatch: "No invitations found",
    noMatchText: "Search for the complete email.",
    send: "Send",
    resend: "Resend",
    invitation: {
      sent: (email: string) => `Invitation sent to ${email}`,
      kept: (email: string) => `The invitation for ${email} is in the test mailbox`
    },
    copyLink: "Copy link",
    linkCopied: "Link copied. Anyone with it can accept the invitation.",
    tokenCopied: "Token copied, because the realm has no app with pages to link to.",
    delete: "Delete invitation",
    deleteTitle: (email: string) => `Delete the invitation to ${email}?`,
    deleteText: "The link in the email stops working. The person isn't notified.",
    deleted: (email: string) => `Invitation to ${email} deleted`,
    edit: "Edit",
    inviter: "Inviter",
    inviterHelp: "This user is named in the email.",
    app: "App",
    anyApp: "The realm's oldest app",
    appHelp: "The link leads to this app's pages.",
    locale: "Email language",
    realmLocale: "The realm's default",
    expiresHelp: "Leave empty for 30 days.",
    sendNow: "Send the email now",
    sendNowHelp: "Otherwise, send it later or share the link yourself.",
    created: (email: string) => `Invitation to ${email} created`,
    sendFailed: (email: string) =>
      `The invitation to ${email} was created, but could not be sent. Send it again from the list.`,
    actions: "Actions",
    until: "until"
  },
  es: {
    invitations: "Invitaciones",
    lead: "Invitaciones que aún no se han aceptado. Las caducadas no se muestran.",
    create: "Invitar",
    details: "Datos",
    email: "Correo electrónico",
    searchEmail: "Busque por el correo completo",
    type: "Tipo",
    anyType: "Cualquier tipo",
    types: {
      org: "A una organización",
      preverify: "Verificar antes el correo",
      referral: "De otro usuario",
      request: "A petición"
    },
    typeHelp: {
      org: "Invite a alguien a una organización. Si no tiene cuenta, se registra antes.",
      preverify: "La persona verifica el correo y después se registra.",
      referral: "Un usuario recomienda su aplicación a alguien.",
      request: "Invite a alguien que ha pedido acceso."
    },
    state: "Estado",
    anyState: "Cualquier estado",
    pending: "Sin enviar",
    invited: { sent: "Enviada", kept: "En el buzón" },
    expires: "Caduca",
    noneTitle: "No hay invitaciones abiertas",
    noneText:
      "Una invitación es un correo con un enlace para registrarse o unirse a una organización. Invite a alguien aquí o con la API, que primero crea la invitación y luego la envía:",
    noMatch: "Sin resultados",
    noMatchText: "Busque por el correo completo.",
    send: "Enviar",
    resend: "Reenviar",
    invitation: {
      sent: (email: string) => `Invitación enviada a ${email}`,
      kept: (email: string) => `La invitación para ${email} está en el buzón de pruebas`
    },
    copyLink: "Copiar enlace",
    linkCopied: "Enlace copiado. Cualquiera que lo tenga puede aceptar la invitación.",
    tokenCopied: "Token copiado, porque el realm no tiene ninguna aplicación con páginas a las que enlazar.",
    delete: "Eliminar invitación",
    deleteTitle: (email: string) => `¿Eliminar la invitación a ${email}?`,
    deleteText: "El enlace del correo deja de funcionar. No se avisa a la persona.",
    deleted: (email: string) => `Se eliminó la invitación a ${email}`,
    edit: "Editar",
    inviter: "Invitado por",
    inviterHelp: "El correo menciona a este usuario.",
    app: "Aplicación",
    anyApp: "La aplicación más antigua del realm",
    appHelp: "El enlace lleva a las páginas de esta aplicación.",
    locale: "Idioma del correo",
    realmLocale: "El predeterminado del realm",
    expiresHelp: "Déjelo vacío para 30 días.",
    sendNow: "Enviar el correo ahora",
    sendNowHelp: "Si no, envíelo más tarde o comparta el enlace por su cuenta.",
    created: (email: string) => `Se creó la invitación a ${email}`,
    sendFailed: (email: string) =>
      `Se creó la invitación a ${email}, pero no se pudo enviar. Inténtelo de nuevo en la lista.`,
    actions: "Acciones",
    until: "hasta"
  }
})
