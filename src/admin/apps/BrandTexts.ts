import { catalogue } from "../texts/Language.tsx"

export const brandTexts = catalogue({
  en: {
    export: "Export",
    import: "Import…",
    importFile: "Brand file",
    imported: "Brand loaded. Check the preview, then save.",
    noBrand: "This isn’t a brand file. Use a file exported here from an app.",
    background: "Background",
    backgroundHelp: "The color around the card. Text on it stays readable with any color.",
    darkBackground: "Background in dark mode",
    darkBackgroundHelp: "If empty, dark mode uses the background above, unless it is light.",
    font: "Font",
    fontHelp: "Fonts that are installed on most devices. Nothing is downloaded.",
    fonts: {
      system: "System (default)",
      grotesque: "Grotesque: Helvetica, Arial",
      geometric: "Geometric: Avenir, Century Gothic",
      humanist: "Humanist: Gill Sans, Optima",
      rounded: "Rounded: SF Rounded, Nunito",
      serif: "Serif: Palatino, Georgia",
      slab: "Slab serif: Rockwell",
      mono: "Monospaced: Menlo, Consolas"
    },
    radius: "Corners",
    radii: { none: "Square", small: "Small", medium: "Medium", large: "Large", round: "Round" },
    layout: "Layout",
    layouts: { card: "Card", plain: "No card", split: "Split" },
    layoutHelp: "Split shows the logo on a colored half beside the form on wide screens.",
    readable: (ratio: string) => `Contrast ${ratio}. Good for links and text.`,
    unreadable: (ratio: string) =>
      `Contrast ${ratio}. Links and text need 4.5:1, so pages and emails show them in another shade.`,
    take: (color: string) => `Use ${color}`,
    hidden: {
      light: (ratio: string, back: string) =>
        `Most of this logo can’t be seen on light pages: its contrast with the background ${back} is ${ratio}.`,
      dark: (ratio: string, back: string) =>
        `Most of this logo can’t be seen on dark pages: its contrast with the background ${back} is ${ratio}. Add a logo for dark backgrounds.`
    },
    emailLogo: "Emails show the name instead, because many mail clients don’t show SVG images.",
    makeEmailLogo: "Make a PNG for emails"
  },
  es: {
    export: "Exportar",
    import: "Importar…",
    importFile: "Archivo de marca",
    imported: "Marca cargada. Revise la vista previa y guarde.",
    noBrand: "No es un archivo de marca. Use uno exportado aquí desde una aplicación.",
    background: "Fondo",
    backgroundHelp: "El color alrededor de la tarjeta. El texto se puede leer sobre cualquier color.",
    darkBackground: "Fondo en modo oscuro",
    darkBackgroundHelp: "Si está vacío, el modo oscuro usa el fondo anterior, salvo que sea claro.",
    font: "Tipo de letra",
    fontHelp: "Tipos de letra instalados en la mayoría de los dispositivos. No se descarga nada.",
    fonts: {
      system: "Del sistema (predeterminado)",
      grotesque: "Grotesca: Helvetica, Arial",
      geometric: "Geométrica: Avenir, Century Gothic",
      humanist: "Humanista: Gill Sans, Optima",
      rounded: "Redondeada: SF Rounded, Nunito",
      serif: "Con serifas: Palatino, Georgia",
      slab: "Egipcia: Rockwell",
      mono: "Monoespaciada: Menlo, Consolas"
    },
    radius: "Esquinas",
    radii: { none: "Rectas", small: "Pequeñas", medium: "Medianas", large: "Grandes", round: "Redondas" },
    layout: "Diseño",
    layouts: { card: "Tarjeta", plain: "Sin tarjeta", split: "Dividido" },
    layoutHelp: "El diseño dividido muestra el logotipo en una mitad de color junto al formulario en pantallas anchas.",
    readable: (ratio: string) => `Contraste ${ratio}. Adecuado para enlaces y texto.`,
    unreadable: (ratio: string) =>
      `Contraste ${ratio}. Los enlaces y el texto necesitan 4,5:1, así que las páginas y los correos los muestran en otro tono.`,
    take: (color: string) => `Usar ${color}`,
    hidden: {
      light: (ratio: string, back: string) =>
        `La mayor parte del logotipo no se ve en las páginas claras: su contraste con el fondo ${back} es ${ratio}.`,
      dark: (ratio: string, back: string) =>
        `La mayor parte del logotipo no se ve en las páginas oscuras: su contraste con el fondo ${back} es ${ratio}. Añada un logotipo para fondos oscuros.`
    },
    emailLogo:
      "Los correos muestran el nombre en su lugar, porque muchos programas de correo no muestran imágenes SVG.",
    makeEmailLogo: "Crear un PNG para los correos"
  }
})
