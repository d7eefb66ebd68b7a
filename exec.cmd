@rem Replaces "exec" in "npm start" on Windows. Other shells have a built-in exec, which lets signals reach the service.
@%*
