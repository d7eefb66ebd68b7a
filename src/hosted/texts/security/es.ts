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
    removed: "La aplicación de autenticación se ha eliminado."
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
  addButton: "Configurar"
}
