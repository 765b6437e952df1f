/** A button that is on screen right now. */
export interface PageButton {
  readonly name: string
  press(): void
}

/** Rows of lists and points of charts are gone to where they are, not through the palette. */
const LEFT_OUT = '[role="option"], [data-palette="no"], [role="menuitem"], [role="menuitemradio"]'

/** What can be pressed on the screen that is open, by name, in its order; each name once. */
export function pageButtons(within: ParentNode = document): readonly PageButton[] {
  const buttonMap = new Map<string, PageButton>()
  for (const element of within.querySelectorAll<HTMLElement>(
    'main button, main summary, nav[aria-label="Memory"] button',
  )) {
    const name = nameOf(element)
    if (name === '' || buttonMap.has(name) || isOff(element) || element.matches(LEFT_OUT)) continue
    buttonMap.set(name, { name, press: () => press(element) })
  }
  return [...buttonMap.values()]
}

const isOff = (element: HTMLElement): boolean =>
  (element instanceof HTMLButtonElement && element.disabled) || element.closest('[hidden], [inert]') !== null

function nameOf(element: HTMLElement): string {
  // Of a button with several lines the first is its name.
  const own = element.getAttribute('aria-label') ?? firstLine(element)
  const words = own.replace(/\s+/g, ' ').trim()
  // A choice, such as a tab of two, says little without what it chooses.
  const group = element.closest(
    '[role="group"][aria-label], [role="tablist"][aria-label], [role="radiogroup"][aria-label]',
  )
  return group && group !== element ? `${group.getAttribute('aria-label') ?? ''}: ${words}` : words
}

const firstLine = ({ innerText }: HTMLElement): string =>
  innerText.split('\n').find((line) => line.trim() !== '') ?? ''

/** Presses as a person does: what opens a menu opens it on the key, not on a click. */
function press(element: HTMLElement): void {
  element.focus()
  if (element.getAttribute('aria-haspopup') === 'menu')
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  else element.click()
}
