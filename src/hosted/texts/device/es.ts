import { type Html, html } from "#platform/Html"
import type { Texts } from "../en.ts"

/** The Spanish texts of the device page. */
export const device: Texts["device"] = {
  title: "Conectar un dispositivo",
  lead: "Introduzca el código que muestra su dispositivo o programa.",
  code: "Código",
  codeHint: "Ocho letras. No importan las mayúsculas ni el guion.",
  prefilledLead: "Compruebe que su dispositivo o programa muestra este código.",
  button: "Continuar",
  wrong: "Este código no es correcto o ha caducado. Compruébelo u obtenga otro en su dispositivo.",
  consentTitle: "¿Permitir el acceso a su cuenta?",
  consentLead: (client: Html, account: Html): Html => html`${client} solicita acceso como ${account}.`,
  sameCode: (code: Html): Html => html`Debe mostrar este código: ${code}`,
  originTitle: "Procedencia de la solicitud",
  program: "Programa",
  address: "Dirección IP",
  time: "Hora",
  unknown: "Desconocido",
  warningTitle: "¿Ha iniciado usted esta solicitud?",
  warning:
    "Permita el acceso solo si es así y en un dispositivo que está usando ahora. Si alguien le ha enviado este código o un enlace por correo, chat o teléfono, intenta entrar en su cuenta: elija No permitir.",
  allow: "Permitir",
  deny: "No permitir",
  allowedTitle: "Su dispositivo está conectado",
  allowedLead: "Vuelva a su dispositivo. Continuará en unos segundos. Puede cerrar esta página.",
  deniedTitle: "No se ha permitido el acceso",
  deniedLead: "El dispositivo no puede acceder a su cuenta. Puede cerrar esta página.",
  other: "Conectar otro dispositivo"
}
