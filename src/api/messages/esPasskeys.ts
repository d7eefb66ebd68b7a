/** The messages about passkeys, in Spanish. */
export const passkeys = {
  passkey_attestation: "El autenticador no demuestra ser de un fabricante que el realm acepte.",
  passkey_ceremony: "Una llave de acceso no se puede añadir así. Empiece con passkey_options del usuario.",
  passkey_invalid: "La respuesta de la llave de acceso no es válida para este desafío.",
  passkey_no_app: "El realm necesita antes una aplicación conectada activa.",
  passkey_origin: "La llave de acceso se creó en una página distinta de la solicitada.",
  passkey_page: "{field}: debe ser el de una página de las aplicaciones conectadas del realm.",
  passkey_taken: "Esta llave de acceso ya está registrada.",
  passkey_unverified: "El autenticador debe comprobar quién lo usa, con una huella, una cara o un PIN."
}
