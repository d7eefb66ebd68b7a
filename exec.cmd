@rem What "exec" of "npm start" is on Windows. Elsewhere the shell has one, by which signals reach the service.
@%*
