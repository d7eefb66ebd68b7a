import type { SamlCheck } from "#domain/SamlRefused"

/** Why a SAML response was refused, for administrators, in Spanish. */
export const saml: Readonly<Record<`saml_${SamlCheck}`, string>> = {
  saml_too_large: "La respuesta es demasiado grande. Se aceptan como máximo 256 KB y 10.000 elementos.",
  saml_base64: "La respuesta no es base64 válido.",
  saml_encoding: "La respuesta no está codificada en UTF-8.",
  saml_doctype: "La respuesta tiene un DOCTYPE, que no se acepta.",
  saml_processing_instruction: "La respuesta contiene una instrucción de procesamiento, que no se acepta.",
  saml_comment: "La respuesta contiene un comentario XML, que no se acepta.",
  saml_cdata: "La respuesta contiene una sección CDATA, que no se acepta.",
  saml_malformed: "La respuesta no es XML bien formado.",
  saml_too_deep: "Los elementos de la respuesta están anidados a demasiada profundidad.",
  saml_duplicate_id: "La respuesta usa un mismo ID dos veces.",
  saml_not_a_response: "El mensaje no es una respuesta de SAML 2.0[: es {found}].",
  saml_two_assertions: "La respuesta debe contener una sola aserción, directamente dentro de ella[. Contiene {found}].",
  saml_signature_missing: "Ni la respuesta ni su aserción están firmadas.",
  saml_signature_form: "La firma no tiene la forma que exige SAML[: {found}].",
  saml_algorithm:
    "La firma usa un algoritmo que no se acepta[: {found}]. Use RSA con SHA-256 o SHA-512 y canonicalización exclusiva.",
  saml_signature:
    "Ningún certificado de la conexión verifica la firma. Es posible que el proveedor tenga un certificado nuevo.",
  saml_signed_element: "La firma corresponde a otro elemento[: {found}].",
  saml_status: "El proveedor no inició la sesión del usuario[: {found}].",
  saml_destination: "La respuesta se envió a otra dirección[: {found}]. Su destino debe ser {expected}.",
  saml_in_response_to: "La respuesta corresponde a otra solicitud de inicio de sesión[: {found}].",
  saml_response_issuer: "La respuesta es de otro proveedor[: {found}]. La conexión espera {expected}.",
  saml_issue_instant:
    "La respuesta se emitió en el futuro[, a las {found}]. Es posible que el reloj del proveedor esté mal.",
  saml_no_assertion: "La respuesta no contiene ninguna aserción.",
  saml_encryption_algorithm:
    "La aserción está cifrada con un algoritmo que no se acepta[: {found}]. Use RSA-OAEP con AES-GCM o AES-CBC.",
  saml_encrypted_for_other_key:
    "La aserción está cifrada para otra clave. Es posible que el proveedor aún use un certificado anterior de esta conexión.",
  saml_decryption: "La aserción no se puede descifrar y verificar.",
  saml_issuer: "La aserción es de otro proveedor[: {found}]. La conexión espera {expected}.",
  saml_name_id: "La aserción debe nombrar al usuario con un solo NameID, sin espacios al principio ni al final.",
  saml_subject_confirmation: "La aserción debe tener una sola confirmación de tipo bearer.",
  saml_recipient: "La aserción es para otra dirección[: {found}]. Su destinatario debe ser {expected}.",
  saml_not_before:
    "La aserción aún no es válida[. Empieza en {found} y aquí son las {expected}: es posible que un reloj esté mal].",
  saml_not_on_or_after:
    "La aserción ha caducado o no tiene un final legible[. Termina en {found} y aquí son las {expected}].",
  saml_conditions: "La aserción debe tener condiciones definidas por SAML 2.0[. Tiene {found}].",
  saml_audience: "La aserción es para otro servicio[: {found}]. Su audiencia debe ser {expected}.",
  saml_authn_statement:
    "La aserción no indica cuándo inició sesión el usuario, o indica una hora del futuro[: {found}].",
  saml_session_not_on_or_after: "La sesión del usuario en el proveedor ha terminado[, a las {found}].",
  saml_attributes:
    "La aserción contiene atributos ilegibles[: {found}]. Los atributos no deben estar cifrados uno por uno."
}
