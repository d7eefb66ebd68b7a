/** The results of a login method's test, in Spanish. */
export const checks = {
  check_client_accepted: "El ID y el secreto de cliente se aceptan.",
  check_client_accepted_basic:
    "El ID y el secreto de cliente solo se aceptan con HTTP Basic: ponga token_endpoint_auth_method en client_secret_basic.",
  check_client_accepted_post:
    "El ID y el secreto de cliente solo se aceptan en el cuerpo: ponga token_endpoint_auth_method en client_secret_post.",
  check_client_refused: "El ID o el secreto de cliente no se acepta: {answer}.",
  check_apple_refused:
    "El ID de cliente, el ID del equipo, el ID de la clave o la clave privada no se acepta: {answer}.",
  check_client_unclear: "La respuesta no indica si el cliente se acepta: {answer}.",
  check_code_accepted: "El servidor aceptó un código inventado.",
  check_secret_unreadable: "El secreto de cliente no se puede leer. Introdúzcalo de nuevo.",
  check_answered: "El servidor respondió con {answer}.",
  check_key: "El servidor tiene una clave de firma.",
  check_keys: "El servidor tiene {count} claves de firma.",
  check_no_keys: "El servidor respondió con {answer} y sin ninguna clave de firma.",
  check_too_long: "La respuesta es demasiado larga.",
  check_forbidden: "La URL no está permitida.",
  check_unreachable: "No se pudo conectar con el servidor.",
  check_timed_out: "El servidor no respondió a tiempo.",
  check_broken_off: "La respuesta del servidor se interrumpió.",
  check_no_requests: "Los proveedores de este tipo no envían solicitudes a otros servidores.",
  check_discovered: "El emisor publica sus endpoints y claves.",
  check_not_tested: "No se ha probado, porque no se conocen los endpoints.",
  check_discovery_too_long: "El documento de descubrimiento es demasiado largo.",
  check_no_issuer: "El documento de descubrimiento no indica su emisor.",
  check_other_issuer: "El documento de descubrimiento es de otro emisor.",
  check_member_missing: "Al documento de descubrimiento le falta {member}.",
  check_member_forbidden: "La URL de {member} en el documento de descubrimiento no está permitida.",
  check_no_algorithm: "El emisor no firma los tokens de ID con ningún algoritmo admitido."
}
