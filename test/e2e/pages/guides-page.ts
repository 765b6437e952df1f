import type { Locator, Page } from '@playwright/test'

/** The screen of concept documents. */
export class GuidesPage {
  get form(): Locator {
    return this.page.getByRole('form', { name: 'New build' })
  }
  /** The concepts that wait for a person. */
  get concepts(): Locator {
    return this.page.getByRole('region', { name: 'Concepts', exact: true })
  }
  get tree(): Locator {
    return this.page.getByRole('tree')
  }
  /** The chosen node. */
  get node(): Locator {
    return this.page.getByTestId('tree-node')
  }
  get result(): Locator {
    return this.page.getByRole('region', { name: 'Result' })
  }
  /** What the form's build would take. */
  get estimate(): Locator {
    return this.page.getByRole('status', { name: 'What it takes' })
  }
  /** Documents of the open build that wait for a person. */
  get proposed(): Locator {
    return this.page.getByRole('region', { name: 'Proposed' })
  }
  get list(): Locator {
    return this.page.getByRole('listbox', { name: 'Guides and builds' })
  }
  /** What the open document's chosen sentence rests on. */
  get source(): Locator {
    return this.page.getByRole('complementary', { name: 'Where the sentence comes from' })
  }

  constructor(private readonly page: Page) {}

  async set(label: string, value: number): Promise<void> {
    await this.form.getByLabel(label).fill(String(value))
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }
}
