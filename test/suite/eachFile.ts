import { writeStatementsDown } from "../support/statements.ts"

writeStatementsDown()
