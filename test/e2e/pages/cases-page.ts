import type { Locator, Page } from '@playwright/test'

/** The memory screen, with its cases. */
export class CasesPage {
  get list(): Locator {
    return this.page.getByRole('listbox', { name: 'Items' })
  }
  get rows(): Locator {
    return this.list.getByRole('option')
  }
  get search(): Locator {
    return this.page.getByRole('searchbox', { name: 'Search the memory' })
  }
  get count(): Locator {
    return this.page.getByRole('region', { name: 'Memory', exact: true }).getByRole('status').first()
  }
  get open(): Locator {
    return this.page.getByRole('region', { name: 'The open item' })
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

  /** The attempt that the open case is from. */
  get source(): Locator {
    return this.page.getByRole('dialog', { name: 'The attempt' })
  }

  async showSource(): Promise<void> {
    await this.page.getByRole('tab', { name: 'Where it came from' }).click()
    await this.open.getByRole('button', { name: 'Open the attempt behind it' }).click()
  }
}
