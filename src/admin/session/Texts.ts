import { catalogue } from "../texts/Language.tsx"

export const sessionTexts = catalogue({
  en: {
    title: "Log in to the console",
    signInAccount: "Log in with your account",
    or: "or",
    noAccounts: "No one has an account yet. Log in with the root key, then create yours.",
    useKey: "Use an API key instead",
    key: "API key",
    keyHelp:
      "On a new service, the terminal shows the root key or the file that contains it. The console doesn't store keys.",
    signIn: "Log in with a key",
    signingIn: "Logging in…",
    missing: "Enter an API key.",
    show: "Show key",
    hide: "Hide key",
    ended: "Your session has ended",
    endedText: "Log in again to continue. Your changes are still here.",
    endedOperator:
      "Log in again in the new tab, then return to this one. Your changes are still here. If you can't log in anymore, an owner has removed your access.",
    endedKeysOff:
      "API keys can't log in to this console anymore. Log in with your own account in the new tab, then return to this one. Your changes are still here.",
    otherWay: "Log in another way.",
    yourAccount: "Your account",
    signedInAsOperator: "Logged in as",
    unreachable: "Can't reach the service. Check that it is running, and try again.",
    signOut: "Log out",
    signOutOthers: "Log out other browsers",
    signedOutOthers: "Logged out all other browsers",
    signedInAs: "Logged in with key",
    expires: "Session expires",
    rootKey: "Root key"
  },
  es: {
    title: "Inicie sesión en la consola",
    signInAccount: "Iniciar sesión con su cuenta",
    or: "o",
    noAccounts: "Nadie tiene cuenta todavía. Inicie sesión con la clave raíz y cree la suya.",
    useKey: "Usar una clave de API",
    key: "Clave de API",
    keyHelp:
      "En un servicio nuevo, la terminal muestra la clave raíz o el archivo que la contiene. La consola no guarda las claves.",
    signIn: "Iniciar sesión con una clave",
    signingIn: "Iniciando sesión…",
    missing: "Introduzca una clave de API.",
    show: "Mostrar clave",
    hide: "Ocultar clave",
    ended: "Su sesión ha terminado",
    endedText: "Vuelva a iniciar sesión para continuar. Sus cambios siguen aquí.",
    endedOperator:
      "Vuelva a iniciar sesión en la pestaña nueva y regrese a esta. Sus cambios siguen aquí. Si ya no puede entrar, un propietario le ha quitado el acceso.",
    endedKeysOff:
      "Las claves de API ya no pueden iniciar sesión en esta consola. Inicie sesión con su cuenta en la pestaña nueva y regrese a esta. Sus cambios siguen aquí.",
    otherWay: "Inicie sesión de otra forma.",
    yourAccount: "Su cuenta",
    signedInAsOperator: "Sesión iniciada como",
    unreachable: "No se puede conectar con el servicio. Compruebe que esté en marcha e inténtelo de nuevo.",
    signOut: "Cerrar sesión",
    signOutOthers: "Cerrar sesión en otros navegadores",
    signedOutOthers: "Se cerró la sesión en los otros navegadores",
    signedInAs: "Sesión iniciada con la clave",
    expires: "La sesión caduca",
    rootKey: "Clave raíz"
  }
})
