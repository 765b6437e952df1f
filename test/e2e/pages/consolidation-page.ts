import type { Locator, Page } from '@playwright/test'

/** The screen of soft prompts. */
export class ConsolidationPage {
  /** The dry run in one line. */
  get plan(): Locator {
    return this.page.getByTestId('consolidation-plan')
  }
  get train(): Locator {
    return this.page.getByRole('button', { name: 'Train', exact: true })
  }
  get phase(): Locator {
    return this.page.getByTestId('consolidation-phase')
  }
  get loss(): Locator {
    return this.page.getByRole('figure', { name: 'Loss' })
  }
  /** The soft prompt that is to be decided on. */
  get candidate(): Locator {
    return this.page.getByTestId('soft-prompt-candidate')
  }
  get comparison(): Locator {
    return this.candidate.getByRole('figure', { name: 'Without and with the soft prompt' })
  }
  get accept(): Locator {
    return this.page.getByRole('button', { name: 'Accept' })
  }
  get undo(): Locator {
    return this.page.getByRole('button', { name: 'As it was before' })
  }
  /** What runs in the memory are served. */
  get inUse(): Locator {
    return this.page.getByTestId('in-use')
  }

  constructor(private readonly page: Page) {}

  async openSettings(): Promise<void> {
    await this.page.getByRole('form', { name: 'Train a soft prompt' }).getByText('Settings').click()
  }

  async set(label: string, value: number): Promise<void> {
    await this.page.getByLabel(label).fill(String(value))
  }
}
