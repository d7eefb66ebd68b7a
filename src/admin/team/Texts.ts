import { catalogue } from "../texts/Language.tsx"

export const teamTexts = catalogue({
  en: {
    team: "Team",
    lead: "People who log in to this console with their own accounts. Each change they make is recorded under their name.",
    needsOwner: "Only owners manage the team.",
    invite: "Invite",
    email: "Email",
    role: "Role",
    roles: { viewer: "Viewer", support: "Support", admin: "Admin", owner: "Owner" },
    roleTexts: {
      viewer: "Sees everything, changes nothing",
      support: "Helps users: ends sessions and blocks, resends emails and invitations",
      admin: "Changes everything inside realms",
      owner: "Everything, including realms and this team"
    },
    realm: "Realm",
    realmHelp: "Owners always have access to all realms.",
    allRealms: "All realms",
    access: "Access",
    lastLogin: "Last login",
    never: "Never",
    you: "You",
    pending: "Invited",
    changeRole: "Change role",
    changeRoleTitle: (name: string) => `Change the role of ${name}`,
    changeRoleText: "The new role applies immediately.",
    roleChanged: (name: string) => `Role of ${name} changed`,
    resend: "Resend invitation",
    resent: {
      sent: (email: string) => `Invitation sent to ${email}`,
      kept: (email: string) => `The invitation for ${email} is in the test mailbox`
    },
    copyLink: "Get a new invitation link",
    remove: "Remove",
    removeTitle: (email: string) => `Remove ${email}?`,
    removeText:
      "All sessions end immediately. Events still show the email. To give access back, you need a new invitation.",
    removeSelf: "This is your own account. You will be logged out.",
    removed: (email: string) => `${email} removed`,
    removedWithKeys: (email: string, keys: number) =>
      `${email} removed, ${keys === 1 ? "1 API key" : `${keys} API keys`} deleted`,
    removeKeys: (keys: number, names: ReadonlyArray<string>, more: number) =>
      `${keys === 1 ? "An API key that they created still works" : `${keys} API keys that they created still work`}: ${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`,
    deleteKeys: (keys: number) => (keys === 1 ? "Delete this API key" : `Delete these ${keys} API keys`),
    deleteKeysHelp: "Services that use one of them stop working.",
    invitedTitle: (email: string) => `${email} invited`,
    invitedText: {
      sent: "We emailed the invitation. If it doesn't arrive, pass on this link in a secure way.",
      kept: "The invitation is in the test mailbox, because this service sends no emails. Pass on this link in a secure way."
    },
    linkTitle: "Invitation link",
    linkText:
      "Anyone with this link can set the password for the account. It works once, for 7 days. Older links stop working.",
    done: "Done",
    emptyTitle: "No one has an account yet",
    emptyText: "Invite people with their email. They choose a password, and can add a passkey and a second factor.",
    keysTitle: "API keys in the console",
    keysOn: "API keys can log in to this console. Their changes are recorded under the key, not under a person.",
    keysOff: "API keys can't log in to this console. The API still accepts them.",
    turnOff: "Turn off",
    turnOn: "Turn on",
    turnOffTitle: "Keep API keys out of the console?",
    turnOffText: "Only people with an account can log in. Console sessions of API keys end immediately.",
    turnOffNeedsAccount: "To turn this off, log in with your own account.",
    turnedOff: "API keys can no longer log in",
    turnedOn: "API keys can log in again",
    startTitle: "Create your account",
    startText:
      "You are logged in with the root key. With your own account, you log in with a password or passkey, and changes are recorded under your name.",
    start: "Create account",
    startNext: "Continue",
    startHelp: "Next, you choose a password. You will be an owner.",
    finishTitle: (email: string) => `Finish setting up ${email}`,
    finish: "Finish setup",
    welcome: (email: string) => `You are the owner. Changes are now recorded as ${email}.`
  },
  es: {
    team: "Equipo",
    lead: "Personas que inician sesión en esta consola con su propia cuenta. Cada cambio queda registrado con su nombre.",
    needsOwner: "Solo los propietarios gestionan el equipo.",
    invite: "Invitar",
    email: "Correo electrónico",
    role: "Rol",
    roles: { viewer: "Lector", support: "Soporte", admin: "Administrador", owner: "Propietario" },
    roleTexts: {
      viewer: "Ve todo, no cambia nada",
      support: "Ayuda a los usuarios: termina sesiones y bloqueos, reenvía correos e invitaciones",
      admin: "Cambia todo dentro de los realms",
      owner: "Todo, incluidos los realms y este equipo"
    },
    realm: "Realm",
    realmHelp: "Los propietarios siempre tienen acceso a todos los realms.",
    allRealms: "Todos los realms",
    access: "Acceso",
    lastLogin: "Último acceso",
    never: "Nunca",
    you: "Usted",
    pending: "Invitado",
    changeRole: "Cambiar el rol",
    changeRoleTitle: (name: string) => `Cambiar el rol de ${name}`,
    changeRoleText: "El nuevo rol se aplica de inmediato.",
    roleChanged: (name: string) => `Rol de ${name} cambiado`,
    resend: "Reenviar la invitación",
    resent: {
      sent: (email: string) => `Invitación enviada a ${email}`,
      kept: (email: string) => `La invitación para ${email} está en el buzón de pruebas`
    },
    copyLink: "Obtener un enlace de invitación nuevo",
    remove: "Quitar",
    removeTitle: (email: string) => `¿Quitar a ${email}?`,
    removeText:
      "Todas sus sesiones terminan de inmediato. Los eventos siguen mostrando su correo. Para recuperar el acceso hace falta otra invitación.",
    removeSelf: "Es su propia cuenta. Se cerrará su sesión.",
    removed: (email: string) => `${email} ya no forma parte del equipo`,
    removedWithKeys: (email: string, keys: number) =>
      `${email} ya no forma parte del equipo. ${keys === 1 ? "Se eliminó 1 clave de API" : `Se eliminaron ${keys} claves de API`}`,
    removeKeys: (keys: number, names: ReadonlyArray<string>, more: number) =>
      `${keys === 1 ? "Una clave de API que creó sigue funcionando" : `${keys} claves de API que creó siguen funcionando`}: ${names.join(", ")}${more > 0 ? ` y ${more} más` : ""}.`,
    deleteKeys: (keys: number) => (keys === 1 ? "Eliminar esta clave de API" : `Eliminar estas ${keys} claves de API`),
    deleteKeysHelp: "Los servicios que usen alguna dejarán de funcionar.",
    invitedTitle: (email: string) => `Invitación para ${email}`,
    invitedText: {
      sent: "Hemos enviado la invitación por correo. Si no llega, comparta este enlace de forma segura.",
      kept: "La invitación está en el buzón de prueba, porque este servicio no envía correos. Comparta este enlace de forma segura."
    },
    linkTitle: "Enlace de invitación",
    linkText:
      "Quien tenga este enlace puede elegir la contraseña de la cuenta. Funciona una sola vez, durante 7 días. Los enlaces anteriores dejan de funcionar.",
    done: "Listo",
    emptyTitle: "Nadie tiene cuenta todavía",
    emptyText:
      "Invite a personas con su correo. Elegirán una contraseña y podrán añadir una llave de acceso y un segundo factor.",
    keysTitle: "Claves de API en la consola",
    keysOn:
      "Las claves de API pueden iniciar sesión en esta consola. Sus cambios se registran con la clave, no con una persona.",
    keysOff: "Las claves de API no pueden iniciar sesión en esta consola. La API las sigue aceptando.",
    turnOff: "Desactivar",
    turnOn: "Activar",
    turnOffTitle: "¿Impedir que entren claves de API en la consola?",
    turnOffText: "Solo podrán entrar personas con cuenta. Las sesiones de claves de API terminan de inmediato.",
    turnOffNeedsAccount: "Para desactivarlo, inicie sesión con su propia cuenta.",
    turnedOff: "Las claves de API ya no pueden iniciar sesión",
    turnedOn: "Las claves de API pueden volver a iniciar sesión",
    startTitle: "Cree su cuenta",
    startText:
      "Ha iniciado sesión con la clave raíz. Con su propia cuenta entra con contraseña o llave de acceso, y los cambios se registran con su nombre.",
    start: "Crear la cuenta",
    startNext: "Continuar",
    startHelp: "A continuación elegirá una contraseña. Tendrá el rol de propietario.",
    finishTitle: (email: string) => `Termine de configurar ${email}`,
    finish: "Terminar",
    welcome: (email: string) => `Usted es el propietario. Los cambios se registran ahora como ${email}.`
  }
})
