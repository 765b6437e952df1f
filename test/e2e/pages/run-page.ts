import type { Locator, Page } from '@playwright/test'

/** The Run screen. */
export class RunPage {
  get demo(): Locator {
    return this.page.getByRole('button', { name: 'Run the demo' })
  }
  get start(): Locator {
    return this.page.getByRole('button', { name: 'Start run' })
  }
  get pause(): Locator {
    return this.page.getByRole('button', { name: 'Pause' })
  }
  get resume(): Locator {
    return this.page.getByRole('button', { name: 'Resume' })
  }
  get cancel(): Locator {
    return this.page.getByRole('button', { name: 'Cancel', exact: true })
  }
  get progress(): Locator {
    return this.page.getByTestId('run-progress')
  }
  get heading(): Locator {
    return this.page.getByRole('region', { name: 'Progress' }).getByRole('heading', { level: 1 })
  }
  get story(): Locator {
    return this.page.getByRole('region', { name: 'The current task' })
  }
  get finished(): Locator {
    return this.page.getByRole('group', { name: /^Tasks: / }).locator('button')
  }

  constructor(private readonly page: Page) {}

  /** The figures of the chart: one row per line. */
  curves(): Locator {
    return this.page.getByRole('table', { name: 'Learning curve in figures' }).getByRole('row')
  }

  /** Outcomes of the run on screen, in stream order. */
  async outcomes(): Promise<(0 | 1)[]> {
    const names = await this.finished.evaluateAll((cells) =>
      cells.map((cell) => cell.getAttribute('aria-label')),
    )
    return names.map((name) => (name?.endsWith('solved') ? 1 : 0))
  }

  async choose(field: 'Stream' | 'Method' | 'Model' | 'Memory', option: RegExp): Promise<void> {
    await this.page.getByRole('button', { name: new RegExp(`^${field}:`) }).click()
    await this.page.getByRole('menuitemradio', { name: option }).first().click()
  }

  async tasks(count: number): Promise<void> {
    await this.page.getByLabel('Number of tasks').fill(String(count))
  }

  async openTask(position: number): Promise<void> {
    await this.finished.nth(position - 1).click()
  }
}
