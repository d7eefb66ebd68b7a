import { catalogue } from "../texts/Language.tsx"

export const bulkTexts = catalogue({
  en: {
    selected: (count: string) => `${count} selected`,
    selection: "Selection",
    selectTotal: (count: string) => `Select all ${count}`,
    selecting: "Selecting…",
    clear: "Clear selection",
    stop: "Stop",
    stopped: (left: string) => `Stopped. ${left} not attempted.`,
    failed: (count: string) => `${count} failed`,
    show: "Show",
    failures: "What failed",
    retry: "Try these again",
    undoing: (done: string, total: string) => `Undoing ${done} of ${total}`,
    undone: (count: string) => `Undone for ${count}`,
    progress: "Progress",
    typeCount: (count: string) => `Type ${count} to confirm`
  },
  es: {
    selected: (count: string) => `${count} seleccionados`,
    selection: "Selección",
    selectTotal: (count: string) => `Seleccionar los ${count}`,
    selecting: "Seleccionando…",
    clear: "Quitar la selección",
    stop: "Detener",
    stopped: (left: string) => `Detenido. Sin intentar: ${left}.`,
    failed: (count: string) => `${count} con error`,
    show: "Ver",
    failures: "Lo que ha fallado",
    retry: "Reintentar estos",
    undoing: (done: string, total: string) => `Deshaciendo ${done} de ${total}`,
    undone: (count: string) => `Deshecho para ${count}`,
    progress: "Progreso",
    typeCount: (count: string) => `Escriba ${count} para confirmar`
  }
})
