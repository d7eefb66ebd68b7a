import { Menu, MenuButton, MenuItem, MenuProvider } from "@ariakit/react"
import { Ellipsis } from "lucide-react"
import { common } from "../texts/CommonTexts.ts"
import { useTexts } from "../texts/Language.tsx"

/** A menu entry. */
export interface MenuAction {
  readonly text: string
  readonly onClick: () => void
  readonly isDanger?: boolean
  readonly disabled?: boolean
}

/** A three-dot button that opens a menu of further actions. `label`: the subject of the actions. */
export const ActionsMenu = ({
  label,
  actions
}: {
  readonly label?: string
  readonly actions: ReadonlyArray<MenuAction>
}) => {
  const t = useTexts(common)
  if (actions.length === 0) return null
  return (
    <MenuProvider>
      <MenuButton className="button icon" aria-label={label === undefined ? t.more : `${t.more}: ${label}`}>
        <Ellipsis aria-hidden />
      </MenuButton>
      <Menu gutter={4} className="menu" portal>
        {actions.map(({ text, onClick, isDanger, disabled }) => (
          <MenuItem
            key={text}
            className={isDanger === true ? "menu-item danger" : "menu-item"}
            onClick={onClick}
            disabled={disabled === true}
          >
            {text}
          </MenuItem>
        ))}
      </Menu>
    </MenuProvider>
  )
}
