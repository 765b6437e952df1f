import type { Locator, Page } from '@playwright/test'

/** The Cases screen. */
export class CasesPage {
  get list(): Locator {
    return this.page.getByRole('listbox', { name: 'Cases' })
  }
  get rows(): Locator {
    return this.list.getByRole('option')
  }
  get search(): Locator {
    return this.page.getByRole('searchbox', { name: 'Search cases' })
  }
  get count(): Locator {
    return this.page.getByRole('region', { name: 'Cases', exact: true }).getByRole('status')
  }
  get open(): Locator {
    return this.page.getByRole('region', { name: 'The open case' })
  }
  get plan(): Locator {
    return this.page.getByLabel('Actions and observations')
  }
  get delete(): Locator {
    return this.open.getByRole('button', { name: 'Delete' })
  }
  get undo(): Locator {
    return this.page.getByRole('button', { name: 'Undo' })
  }

  constructor(private readonly page: Page) {}

  async showSource(): Promise<void> {
    await this.page.getByRole('tab', { name: 'Where it came from' }).click()
  }
}
