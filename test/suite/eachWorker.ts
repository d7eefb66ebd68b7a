import "./Imports.ts"
