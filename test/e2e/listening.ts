import type { Page } from '@playwright/test'

/** Controls that say one thing each: heard twice, nobody knows which is which. */
const SINGLE = /^\s*- (?:switch|textbox|searchbox|radiogroup|checkbox) "([^"]+)"/
const UNNAMED = /^\s*- '?(?:button|switch|textbox|searchbox|checkbox|radio|option|tab|link)(?::|\s*$| \[)/

/** What somebody who listens to a screen would not understand, in words: controls without a name, two of one name, and headings as deep as that of their section. */
export async function unclear(page: Page, screen: string): Promise<string[]> {
  const lines = (await page.getByRole('main').ariaSnapshot()).split('\n')
  const names = lines.flatMap((line) => SINGLE.exec(line)?.[1] ?? [])
  const twins = await page.getByRole('main').evaluate((main) => {
    const nameOf = (button: Element) => button.getAttribute('aria-label') ?? button.textContent?.trim() ?? ''
    const buttons = [...main.querySelectorAll('li button:not([role])')].filter(
      (button) => button.checkVisibility() && !button.hasAttribute('aria-describedby'),
    )
    return buttons.map(nameOf).filter((name, i, all) => all.indexOf(name) !== i)
  })
  const deep = await page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('section h2')].flatMap((heading) => {
      const first = heading.closest('section')?.querySelector('h2')
      return heading.checkVisibility() && first !== heading ? [heading.textContent ?? ''] : []
    }),
  )
  return [
    ...lines.filter((line) => UNNAMED.test(line)).map((line) => `no name: ${line.trim()}`),
    ...names.filter((name, i) => names.indexOf(name) !== i).map((name) => `twice: ${name}`),
    ...twins.map((name) => `rows share: ${name}`),
    ...deep.map((name) => `as deep as its section: ${name}`),
  ].map((words) => `${screen}: ${words}`)
}
