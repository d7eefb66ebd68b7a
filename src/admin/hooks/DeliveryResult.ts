import { deliveryResults } from "#domain/DeliveryResult"
import type { Locale } from "#domain/Locale"

const spanish: Readonly<Record<(typeof deliveryResults)[keyof typeof deliveryResults], string>> = {
  [deliveryResults.forbidden]: "El destino no está permitido.",
  [deliveryResults.unreachable]: "No se pudo conectar con el destino.",
  [deliveryResults.timed_out]: "El destino no respondió a tiempo.",
  [deliveryResults.broken_off]: "La respuesta del destino se interrumpió.",
  [deliveryResults.secret_unreadable]: "El secreto de firma del webhook no se puede leer. Rótelo.",
  [deliveryResults.template_slow]: "La plantilla del correo tarda demasiado en procesarse. Acórtela o simplifíquela.",
  [deliveryResults.template_nested]: "La plantilla del correo tiene demasiados niveles de anidamiento.",
  [deliveryResults.template_long]: "La plantilla genera un correo demasiado largo. Acórtela.",
  [deliveryResults.no_recipient]: "No hay nadie a quien enviar el correo.",
  [deliveryResults.other_user_type]: "La plantilla no envía correos a usuarios de este tipo.",
  [deliveryResults.token_spent]: "El token del evento ya no se puede usar.",
  [deliveryResults.in_mailbox]: "Guardado en el buzón local."
}

const translations: Readonly<Record<Locale, ReadonlyMap<string, string>>> = {
  en: new Map(),
  es: new Map(Object.entries(spanish))
}

/** A delivery's result in a language. Responses of other servers are shown as they are. */
export const resultText = (language: Locale, result: string): string => translations[language].get(result) ?? result

/**
 * A delivery's result in one line. Of an HTML response, such as a proxy's error page, only the status and the page's title
 * are shown.
 */
export const resultLine = (result: string): string => {
  const [status = "", ...rest] = result.split("\n")
  const body = rest.join(" ").trim()
  if (!body.startsWith("<")) return `${status} ${body}`.trim()
  const [, title = ""] = /<title[^<>]*>([^<]*)/i.exec(body) ?? []
  return title.trim() === "" ? status : `${status}: ${title.trim()}`
}

/** The status of a delivery's result, without the response's body. */
export const statusLine = (result: string): string => result.split("\n", 1).join("").trim()
