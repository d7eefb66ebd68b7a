import { html } from "#platform/Html"
import type { passkeys as en } from "./en.ts"

/** The Spanish texts about passkeys. */
export const passkeys: typeof en = {
  login: "Usar una llave de acceso",
  unusable: "Este navegador no puede usar una llave de acceso.",
  useErrors: {
    NotAllowedError:
      "No se usó ninguna llave de acceso. Si este dispositivo no tiene ninguna para su cuenta, inicie sesión de otra forma.",
    SecurityError: "Las llaves de acceso no funcionan en esta dirección. Inicie sesión de otra forma.",
    other: "No ha funcionado. Inténtelo de nuevo o inicie sesión de otra forma."
  },
  createErrors: {
    NotAllowedError: "No se creó ninguna llave de acceso. Inténtelo de nuevo.",
    InvalidStateError:
      "Este dispositivo ya tiene una llave de acceso para su cuenta. Úsela la próxima vez que inicie sesión.",
    NotSupportedError: "Este dispositivo no puede crear una llave de acceso. Pruebe con otro dispositivo.",
    ConstraintError:
      "Este dispositivo no puede crear una llave de acceso. Configure en él un bloqueo de pantalla o pruebe con otro dispositivo.",
    SecurityError: "Las llaves de acceso no funcionan en esta dirección.",
    other: "No ha funcionado. Inténtelo de nuevo."
  },
  unknown:
    "Esta llave de acceso no funciona aquí. Puede que se haya eliminado de su cuenta. Inicie sesión de otra forma.",
  lapsed: "Ha tardado demasiado. Inténtelo de nuevo.",
  offer: "Inicie sesión más rápido la próxima vez",
  add: "Añadir una llave de acceso",
  lead: "Con una llave de acceso, inicia sesión con su huella digital, su cara o el bloqueo de pantalla. No hay nada que recordar y ningún sitio falso puede robarla.",
  unavailable: "Este navegador no puede crear una llave de acceso. Pruebe con otro navegador o dispositivo.",
  name: "Nombre",
  nameHint: "Para reconocerla, por ejemplo «Mi portátil».",
  create: "Crear una llave de acceso",
  skip: "Ahora no",
  cancel: "Cancelar",
  title: "Llaves de acceso",
  titleLead: "Inicie sesión con su huella digital, su cara o el bloqueo de pantalla en lugar de la contraseña.",
  unnamed: "Llave de acceso",
  added: (date) => html`Añadida el ${date}`,
  used: (date) => html`Usada por última vez el ${date}`,
  unused: "Aún sin usar",
  synced: "Sincronizada entre sus dispositivos",
  onlyOn: (domain) => `Solo funciona en ${domain}`,
  change: "Cambiar",
  renameButton: "Guardar",
  removeButton: (name) => `Eliminar ${name}`,
  removeUnnamed: "Eliminar la llave de acceso"
}
