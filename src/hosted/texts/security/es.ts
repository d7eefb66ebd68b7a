import type { Texts } from "../en.ts"

/** What the security page says, in Spanish. */
export const security: Texts["security"] = {
  title: "Inicio de sesión y seguridad",
  saved: {
    password:
      "Su contraseña ha cambiado. Tendrá que volver a iniciar sesión en los demás sitios donde la tuviera abierta.",
    password_set: "Su contraseña está puesta. A partir de ahora también puede iniciar sesión con ella.",
    device:
      "Su aplicación de autenticación está configurada. A partir de ahora también necesitará un código de ella para iniciar sesión.",
    removed: "La aplicación de autenticación se ha eliminado.",
    linked: "El servicio está conectado. A partir de ahora también puede iniciar sesión con él.",
    unlinked: "El servicio se ha desconectado.",
    session_ended: "Esa sesión se ha cerrado.",
    others_ended: "Sus demás sesiones se han cerrado."
  },
  names: "Inicia sesión con",
  changeNames: "Cambiar en su perfil",
  password: "Contraseña",
  passwordButton: "Cambiar la contraseña",
  setPasswordButton: "Poner una contraseña",
  noPassword: "Inicia sesión de otra manera, así que aquí aún no tiene contraseña.",
  secondStep: "Verificación en dos pasos",
  secondStepLead:
    "Inicie sesión con un código de una aplicación de autenticación además de su contraseña, para que la contraseña sola no baste para entrar.",
  devices: "Sus aplicaciones de autenticación",
  unnamed: "Aplicación de autenticación",
  remove: "Eliminar",
  removeHint:
    "Un código de 6 dígitos de esta aplicación o de otra de sus aplicaciones de autenticación, o un código de recuperación.",
  removeButton: (device) => `Eliminar ${device}`,
  deviceName: "Nombre",
  deviceHint: "Para reconocerla, como «Mi teléfono».",
  add: "Añadir una aplicación de autenticación",
  addAnother: "Añadir otra aplicación de autenticación",
  addButton: "Configurar",
  providers: "Servicios conectados",
  providersLead: "Inicie sesión con una cuenta que tenga en otro servicio.",
  otherProvider: "Otro servicio",
  theOtherProvider: "el otro servicio",
  link: "Conectar",
  linkOf: (provider) => `Conectar ${provider}`,
  linkTitle: "Conectar un servicio",
  linkLead: (provider) =>
    `Inicie sesión en ${provider} y volverá aquí. A partir de entonces también podrá iniciar sesión con esa cuenta.`,
  linkGo: (provider) => `Continuar a ${provider}`,
  linkRefused: "El servicio no se ha conectado",
  linkedElsewhere: "Otra cuenta de aquí ya usa este inicio de sesión.",
  anotherProfile: "Ya ha conectado otra cuenta de este servicio. Desconéctela primero.",
  linkLost:
    "Puede que haya tardado más de 30 minutos o que entretanto haya iniciado sesión otra persona. Inténtelo de nuevo.",
  linkBack: "Volver a seguridad",
  unlink: "Desconectar",
  unlinkOf: (provider) => `Desconectar ${provider}`,
  onlyWayIn: "Es su única manera de iniciar sesión. Para desconectarla, añada otra primero.",
  cancel: "Cancelar",
  sessions: "Dónde tiene la sesión abierta",
  thisBrowser: "Este navegador",
  unknownBrowser: "Navegador desconocido",
  browserOn: (browser, system) => `${browser} en ${system}`,
  begun: "Inicio de sesión:",
  lastSeen: "Última actividad:",
  endSession: "Cerrar sesión",
  endSessionOf: (browser) => `Cerrar sesión en ${browser}`,
  endOthers: "Cerrar las demás sesiones",
  olderSessions: "Las sesiones más antiguas no se muestran."
}
