import { catalogue } from "../texts/Language.tsx"

export const sessionTexts = catalogue({
  en: {
    title: "Log in to the console",
    lead: "Use an API key. The console exchanges it for a 12-hour session and doesn't store the key.",
    key: "API key",
    keyHelp: "On a new service, the terminal shows the root key or the file that contains it.",
    signIn: "Log in",
    signingIn: "Logging in…",
    missing: "Enter an API key.",
    show: "Show key",
    hide: "Hide key",
    ended: "Your session has ended",
    endedText: "Log in again to continue. Your changes are still here.",
    unreachable: "Can't reach the service. Check that it is running, and try again.",
    signOut: "Log out",
    signOutOthers: "Log out other browsers",
    signedOutOthers: "Logged out all other browsers with this key",
    signedInAs: "Logged in with key",
    expires: "Session expires",
    rootKey: "Root key"
  },
  es: {
    title: "Inicia sesión en la consola",
    lead: "Usa una clave de API. La consola la canjea por una sesión de 12 horas y no guarda la clave.",
    key: "Clave de API",
    keyHelp: "En un servicio nuevo, la terminal muestra la clave raíz o el archivo que la contiene.",
    signIn: "Iniciar sesión",
    signingIn: "Iniciando sesión…",
    missing: "Introduce una clave de API.",
    show: "Mostrar clave",
    hide: "Ocultar clave",
    ended: "Tu sesión ha terminado",
    endedText: "Vuelve a iniciar sesión para continuar. Tus cambios siguen aquí.",
    unreachable: "No se puede conectar con el servicio. Comprueba que esté en marcha e inténtalo de nuevo.",
    signOut: "Cerrar sesión",
    signOutOthers: "Cerrar sesión en otros navegadores",
    signedOutOthers: "Se cerró la sesión en los otros navegadores con esta clave",
    signedInAs: "Sesión iniciada con la clave",
    expires: "La sesión caduca",
    rootKey: "Clave raíz"
  }
})
