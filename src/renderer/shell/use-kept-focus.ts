import { useEffect } from 'react'
import { isWriting } from '../ground/keys'

/** What can have the focus as a whole, so that the next Tab goes on inside it. */
const PLACES = 'main, section, article, form, ul, ol, [role="listbox"]'

/** A dialog or a menu: what had the focus before it opened gets it back. */
const LAYERS = '[role="dialog"], [role="menu"]'

/** What is done with once it is pressed, and was but a visit: what a note offers, such as undoing. */
const GIVES_BACK = '[data-gives-back]'

/** How many elements that had the focus are remembered. */
const REMEMBERED = 20

/** Dialogs and menus give the focus back themselves, a moment after they are gone. */
const SETTLED_MS = 40

/**
 * The focus is never lost: where what had it is gone, hidden or switched off, as after a deletion, a field that is done with or a dialog that a menu
 * had opened, it goes to what had it before (after a field, a dialog, or what a note offers) or to the nearest place that is still there
 * (after a button).
 */
export function useKeptFocus(): void {
  useEffect(keepFocus, [])
}

/** What had the focus, and all that was around it then, from within. */
interface Focused {
  readonly element: HTMLElement
  readonly outward: readonly HTMLElement[]
  readonly layered: boolean
}

/** Keeps the focus until the function it returns is called. */
function keepFocus(): () => void {
  const before: Focused[] = []
  /** What has the focus, then all that is around it. */
  let around: readonly HTMLElement[] = []
  /** It was taken from what had it, such as a button that is off while it works. */
  let isTaken = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const look = (): void => {
    timer = undefined
    const [loss] = around
    if (!loss || document.activeElement !== document.body) return
    const here = canHold(loss)
    // Whoever clicks beside everything lets go of it.
    const next = isTaken || !here ? (here ? loss : placeFor(loss)) : null
    // What gets the focus here is kept track of like all else.
    around = []
    // A place that had it before can no longer take it.
    const taker = next?.matches(PLACES) ? getProduct(next) : next
    taker?.focus({ preventScroll: true })
  }
  const placeFor = (loss: HTMLElement): HTMLElement | null => {
    const outward = around.slice(1)
    const notes = loss.matches(GIVES_BACK) ? outward.find((one) => one.matches('section')) : undefined
    const worked = notes && before.findLast((one) => !one.outward.includes(notes))
    if (worked && canHold(worked.element)) return getProduct(worked.element)
    if (worked) return madeOf(placeAmong(worked.outward))
    const layer = outward.findIndex((one) => one.matches(LAYERS) && canHold(one))
    // What is open keeps the focus to itself, as when a button in it is off while it works.
    if (layer >= 0) {
      const within = outward.slice(0, layer + 1)
      return getProduct(within.find((one) => canHold(one) && one.matches(`${PLACES}, ${LAYERS}`)) ?? loss)
    }
    const layered = before.at(-1)?.layered === true
    // A dialog that lay over another one gives the focus back to that one, which would take it from all else.
    const under = [...document.querySelectorAll<HTMLElement>(LAYERS)].findLast(canHold)
    if (under)
      return (
        before.findLast(({ element }) => under.contains(element) && canHold(element))?.element ??
        getProduct(under)
      )
    const place = placeAmong(outward)
    const earlier = layered
      ? before.findLast((one) => !one.layered)?.element
      : isWriting(loss)
        ? before.findLast(({ element }) => element !== loss && place?.contains(element) && isReady(element))
            ?.element
        : undefined
    if (earlier && canHold(earlier)) return earlier
    return madeOf(place)
  }
  const onFocus = ({ target }: FocusEvent): void => {
    clearTimeout(timer)
    timer = undefined
    if (!(target instanceof HTMLElement) || target === document.body) return
    around = [target, ...outside(target)]
    isTaken = false
    before.push({ element: target, outward: outside(target), layered: target.closest(LAYERS) !== null })
    if (before.length > REMEMBERED) before.shift()
  }
  // Not put off by what goes on changing, such as an answer that is written.
  const soon = (): void => {
    timer ??= setTimeout(look, SETTLED_MS)
  }
  const onBlur = ({ target }: FocusEvent): void => {
    isTaken = target instanceof HTMLElement && !canHold(target)
    soon()
  }
  const observer = new MutationObserver(() => {
    if (around[0] && document.activeElement === document.body) soon()
  })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    clearTimeout(timer)
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
    observer.disconnect()
  }
}

/** The first of them, which are one around the other, that can have the focus as a whole. */
const placeAmong = (elements: readonly HTMLElement[]): HTMLElement | undefined =>
  elements.find((one) => canHold(one) && one.matches(PLACES))

/** Whether it is on screen and not switched off. */
const canHold = (element: HTMLElement): boolean =>
  element.isConnected && element.checkVisibility() && !element.matches(':disabled')

/** Keys that are pressed next are meant for no field. */
const isReady = (element: HTMLElement): boolean => canHold(element) && !isWriting(element)

function outside(element: HTMLElement): HTMLElement[] {
  const all: HTMLElement[] = []
  for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) all.push(one)
  return all
}

/** The place, else all of the screen, able to take the focus. */
function madeOf(place: HTMLElement | undefined): HTMLElement | null {
  const whole = place ?? document.querySelector('main')
  return whole && getProduct(whole)
}

/** A place takes the focus for once, and is no stop of the Tab key. */
function getProduct(place: HTMLElement): HTMLElement {
  if (place.hasAttribute('tabindex')) return place
  place.tabIndex = -1
  place.dataset['heldFocus'] = ''
  place.addEventListener(
    'blur',
    () => {
      place.removeAttribute('tabindex')
      delete place.dataset['heldFocus']
    },
    { once: true },
  )
  return place
}
