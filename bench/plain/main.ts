import { serve } from "./HttpServer.ts"
import { logIn } from "./Logins.ts"
import { createSession, getSession } from "./Sessions.ts"
import { createUser, getUser, listUsers } from "./Users.ts"

// The baseline of the benchmark: the smallest number of statements and indexes with the same guarantees.
serve({ getSession, createSession, getUser, listUsers, createUser, logIn })
