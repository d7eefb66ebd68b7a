/** The messages about the console and its operators, in Spanish. */
export const consoleMessages = {
  too_many_operators: "Puede haber como máximo {most} operadores. Elimine a quienes ya no necesiten acceso.",
  owner_of_all_realms: "{field}: un operador vinculado a un realm no puede ser owner.",
  operator_active:
    "Este operador ya ha iniciado sesión. Si olvidó la contraseña, puede restablecerla en la página de inicio de sesión.",
  last_owner: "Es el último propietario. Antes, nombre propietario a otra persona.",
  operators_only:
    "{field}: solo puede desactivarlo un propietario que haya iniciado sesión en la consola. De lo contrario, nadie podría entrar.",
  console_keys_off: "{field}: no se puede activar, porque SALLYPORT_CONSOLE_KEYS está desactivado.",
  login_link_over: "Este enlace ha caducado o ya se ha usado.",
  console_key_refused: "Esta consola no admite claves de API. Inicie sesión con su propia cuenta.",
  console_not_built: "La consola no está compilada. Ejecute npm run build.",
  console_other_site: "La consola solo acepta solicitudes de sus propias páginas.",
  own_request: "Las solicitudes del propio servicio no pueden leer esto.",
  console_session_over: "No ha iniciado sesión en la consola o su sesión ha terminado. Vuelva a iniciar sesión."
}
