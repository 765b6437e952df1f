import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The rules that depend on the theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Of a page that holds no other one: it is looked at in itself, where axe would open an empty page each time. */
const axeOn = (page: Page) => new AxeBuilder({ page }).setLegacyMode()

/** What axe finds against WCAG 2.2 AA, in words; `only` the colours where a screen was looked at whole in the other theme. */
export async function violations(
  page: Page,
  where: string,
  { rulesOff = [], only }: { readonly rulesOff?: string[]; readonly only?: 'colours' } = {},
): Promise<string[]> {
  const builder = axeOn(page).disableRules(rulesOff)
  const rules = only ? builder.withRules(OF_COLOURS) : builder.withTags([...WCAG, 'best-practice'])
  const { violations: found } = await rules.analyze()
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${where}: ${id} (${help}) at ${target.join(' ')}: ${failureSummary ?? ''}`,
    ),
  )
}

/** Holds that axe finds nothing in the state a screen is in now. */
export async function reachable(page: Page): Promise<void> {
  const { violations: found } = await axeOn(page).withTags(WCAG).analyze()
  expect(found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))).toEqual(
    [],
  )
}
