import { writeStatements } from "../support/statements.ts"

writeStatements()
