/** The messages about external providers and logins at them, in Spanish. */
export const providers = {
  access_token_unsupported:
    "Con este proveedor no se puede iniciar sesión con un token de acceso. Use un código de autorización.",
  apple_id_form:
    "{field}: deben ser diez mayúsculas y dígitos, como aparece en el sitio para desarrolladores de Apple.",
  apple_key_form:
    "{field}: debe ser la clave privada de Apple: el archivo .p8 completo, de -----BEGIN PRIVATE KEY----- a -----END PRIVATE KEY-----.",
  issuer_form: "{field}: debe ser una URL sin parámetros.",
  tenant_form: "{field}: debe ser common, organizations, consumers o el ID de un inquilino.",
  access_token_refused: "El proveedor ha rechazado el token de acceso o lo ha emitido para otra aplicación.",
  another_profile: "El usuario con este correo está vinculado a otro perfil en este proveedor.",
  email_missing: "El proveedor no ha facilitado ningún correo electrónico.",
  email_unverified: "Ya existe un usuario con este correo, y el proveedor no lo ha verificado.",
  provider_answer: "La respuesta del proveedor no es válida.",
  provider_denied: "El inicio de sesión se ha cancelado en el proveedor.",
  provider_error: "El proveedor ha devuelto un error: {error}.",
  provider_inactive: "Esta forma de iniciar sesión está desactivada en este realm.",
  provider_secret: "Esta forma de iniciar sesión no está disponible en este momento.",
  provider_stays: "Los proveedores password y totp no se pueden eliminar. Desactívelos en su lugar.",
  provider_unreachable: "No se ha podido conectar con el proveedor."
}
