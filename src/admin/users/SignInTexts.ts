import { wellKnownNames } from "#domain/WellKnownProviders"
import { catalogue } from "../texts/Language.tsx"

export const signInTexts = catalogue({
  en: {
    title: "Login methods",
    lead: "How this user can log in.",
    none: "No login methods yet. Create a link to set a password.",
    passwordLink: "Password link",
    linkText: (name: string) =>
      `Anyone with this link can set ${name}'s password. It works once and expires in 60 minutes, so share it securely. Users who forget their password can request a link by email on the login page.`,
    makeLink: "Create link",
    linkTitle: "Link to set a password",
    linkOnce: "Copy it now, because it won't be shown again. It works once and expires in 60 minutes.",
    tokenOnce:
      "The realm has no app with a login page, so this is only the token, for your own page. Copy it now, because it won't be shown again. It works once and expires in 60 minutes.",
    setPassword: "Set password",
    changePassword: "Change password",
    newPassword: "New password",
    newPasswordHelp: "At least 8 characters, and not a common password. The realm may require more.",
    passwordNote:
      "This ends all of the user's sessions. Share the new password securely, or send a password link instead.",
    passwordSet: (name: string) => `New password set for ${name}`,
    rename: "Rename",
    name: "Name",
    remove: "Remove",
    removeTitle: (method: string, name: string) => `Remove ${method} from ${name}?`,
    removeText: "The user can no longer log in with it. Existing sessions continue. This can't be undone.",
    removed: (method: string) => `${method} removed`,
    newCodes: "New recovery codes",
    newCodesText: "Creates ten one-time codes to use instead of the authenticator app. Existing codes stop working.",
    makeCodes: "Create codes",
    codesTitle: "Recovery codes",
    codesOnce: "Copy them now and share them securely. They won't be shown again.",
    copyAll: "Copy all",
    codesLeft: (left: number) => (left === 1 ? "1 code left" : `${left} codes left`),
    waiting: "Not verified yet",
    synced: "Synced",
    oneDevice: "On one device",
    lastUsed: "last used",
    neverUsed: "never used",
    accountThere: "Account",
    types: {
      password: "Password",
      totp: "Authenticator app",
      passkey: "Passkey",
      recovery_codes: "Recovery codes",
      api_key: "API key",
      ...wellKnownNames,
      oidc: "OpenID Connect",
      oauth2: "OAuth 2.0"
    }
  },
  es: {
    title: "Métodos de acceso",
    lead: "Cómo puede iniciar sesión este usuario.",
    none: "Aún no tiene métodos de acceso. Cree un enlace para definir una contraseña.",
    passwordLink: "Enlace de contraseña",
    linkText: (name: string) =>
      `Cualquiera que tenga este enlace puede definir la contraseña de ${name}. Funciona una sola vez y caduca en 60 minutos, así que compártalo de forma segura. Los usuarios que olvidan su contraseña pueden pedir un enlace por correo en la página de inicio de sesión.`,
    makeLink: "Crear enlace",
    linkTitle: "Enlace para definir la contraseña",
    linkOnce: "Cópielo ahora, porque no se volverá a mostrar. Funciona una sola vez y caduca en 60 minutos.",
    tokenOnce:
      "El realm no tiene ninguna aplicación con página de inicio de sesión, así que esto es solo el token, para su propia página. Cópielo ahora, porque no se volverá a mostrar. Funciona una sola vez y caduca en 60 minutos.",
    setPassword: "Definir contraseña",
    changePassword: "Cambiar contraseña",
    newPassword: "Contraseña nueva",
    newPasswordHelp: "Al menos 8 caracteres, y que no sea una contraseña común. El realm puede exigir más.",
    passwordNote:
      "Termina todas las sesiones del usuario. Comparta la contraseña nueva de forma segura o envíe un enlace de contraseña en su lugar.",
    passwordSet: (name: string) => `Contraseña nueva definida para ${name}`,
    rename: "Renombrar",
    name: "Nombre",
    remove: "Quitar",
    removeTitle: (method: string, name: string) => `¿Quitar ${method} a ${name}?`,
    removeText:
      "El usuario ya no podrá iniciar sesión con este método. Las sesiones existentes continúan. Esta acción no se puede deshacer.",
    removed: (method: string) => `Se quitó: ${method}`,
    newCodes: "Nuevos códigos de recuperación",
    newCodesText:
      "Crea diez códigos de un solo uso para usar en lugar de la aplicación de autenticación. Los códigos existentes dejan de funcionar.",
    makeCodes: "Crear códigos",
    codesTitle: "Códigos de recuperación",
    codesOnce: "Cópielos ahora y compártalos de forma segura. No se volverán a mostrar.",
    copyAll: "Copiar todos",
    codesLeft: (left: number) => (left === 1 ? "Queda 1 código" : `Quedan ${left} códigos`),
    waiting: "Sin verificar",
    synced: "Sincronizada",
    oneDevice: "En un dispositivo",
    lastUsed: "último uso",
    neverUsed: "nunca usada",
    accountThere: "Cuenta",
    types: {
      password: "Contraseña",
      totp: "Aplicación de autenticación",
      passkey: "Llave de acceso",
      recovery_codes: "Códigos de recuperación",
      api_key: "Clave de API",
      ...wellKnownNames,
      oidc: "OpenID Connect",
      oauth2: "OAuth 2.0"
    }
  }
})
