import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import "./style/Console.css"

const root = document.getElementById("console")
if (root !== null) createRoot(root).render(<App />)
