import { expect, type Locator, type Page } from '@playwright/test'

/** The sections and tabs that screens are behind. */
const TABS = {
  Memory: ['Memory', 'All kinds'],
  Cases: ['Memory', 'All kinds'],
  Guides: ['Memory', 'Guides'],
  Runs: ['Lab', 'Runs'],
  Experiments: ['Lab', 'Experiments'],
  Curves: ['Lab', 'Curves'],
  'Task streams': ['Lab', 'Task streams'],
  'Soft prompts': ['Lab', 'Soft prompts'],
  Settings: ['Settings', 'General'],
  'Model and speed': ['Settings', 'Model and speed'],
  Storage: ['Settings', 'Storage'],
  Advanced: ['Settings', 'Advanced'],
  'Connected programs': ['Settings', 'Connected programs'],
} as const

/** The frame: sidebar, palette, status bar. */
export class AppPage {
  /** Errors the page logged or threw, CSP violations among them. */
  readonly complaints: string[] = []
  get status(): Locator {
    return this.page.getByRole('contentinfo', { name: 'Status' })
  }
  /** Opens the palette, ready to be typed in. */
  async openPalette(): Promise<void> {
    await this.page.keyboard.press('ControlOrMeta+k')
    await expect(this.palette.getByRole('combobox')).toBeFocused()
  }

  get palette(): Locator {
    return this.page.getByRole('dialog', { name: 'Commands' })
  }
  get shortcuts(): Locator {
    return this.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  }

  constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
  }

  async open(url: string): Promise<void> {
    // Where the page is open at this address already, the page loads itself anew with the token.
    await Promise.all([this.page.waitForEvent('load'), this.page.goto(url)])
    await this.page.getByRole('navigation', { name: 'Screens' }).waitFor()
  }

  /** Goes to a screen by its section in the sidebar and, where the section has tabs, its tab. */
  async goTo(screen: keyof typeof TABS | 'Ask' | 'Models'): Promise<void> {
    const [section, tab] = screen === 'Ask' || screen === 'Models' ? [screen, null] : TABS[screen]
    await this.page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('button', { name: section, exact: true })
      .click()
    if (tab !== null)
      await this.page.getByRole('navigation', { name: section }).getByRole('button', { name: tab }).click()
    if (screen === 'Cases')
      await this.page
        .getByRole('group', { name: 'Kinds' })
        .getByRole('button', { name: /^Cases/ })
        .click()
  }

  /** Answers what is asked before work is cancelled. */
  async confirm(answer: string): Promise<void> {
    await this.page.getByRole('dialog').getByRole('button', { name: answer }).click()
  }

  theme(): Promise<string | null> {
    return this.page.locator('html').getAttribute('data-theme')
  }

  chooseMemory(name: RegExp): Promise<void> {
    return this.pick(/^Open memory:/, name)
  }

  private async pick(trigger: RegExp, option: RegExp): Promise<void> {
    await this.page.getByRole('button', { name: trigger }).click()
    await this.page.getByRole('menuitemradio', { name: option }).first().click()
  }
}
